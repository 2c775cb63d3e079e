"""Request hashes: rendered again where we can, foreign otherwise, and a mismatch is an error."""

from __future__ import annotations

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.bench.records import JudgeRecord
from agent_claimcheck.lab.bench.requests import check_requests


def record(trace_id: str, prompt: str = "p1", request: str = "") -> JudgeRecord:
    return JudgeRecord(
        detector="judge:m", trace_id=trace_id, split="test", model="m", prompt_name="audit", abstain=False, p_raw=0.5,
        prompt_sha256=prompt, request_sha256=request or f"request {trace_id}",
    )  # fmt: skip


def render(asked: JudgeRecord) -> str:
    return f"request {asked.trace_id}"


def test_foreign_prompts_are_counted_and_named_once() -> None:
    found = check_requests([record("a", "f" * 64), record("b", "f" * 64)], {})
    assert (found.verified, found.foreign, found.foreign_prompts) == (0, 2, ["audit ffffffff"])


def test_shipped_prompts_are_rendered_again() -> None:
    found = check_requests([record("a"), record("b"), record("c", "other")], {"p1": render})
    assert (found.verified, found.foreign) == (2, 1)


def test_every_mismatch_has_its_line() -> None:
    with pytest.raises(InputError) as error:
        check_requests([record("a", request="x"), record("b"), record("c", request="y")], {"p1": render})
    lines = str(error.value).splitlines()
    assert len(lines) == 2
    assert "judge:m on a" in lines[0] and "judge:m on c" in lines[1]


def test_many_mismatches_are_cut_short() -> None:
    with pytest.raises(InputError) as error:
        check_requests([record(str(i), request="x") for i in range(100)], {"p1": render})
    assert str(error.value).splitlines()[-1] == "and 80 more"
