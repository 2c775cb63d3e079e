"""The strict reading of an answer: what fits, and everything that does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.detectors.judge.answer import FAILURE_KINDS, is_readable, read_answer
from agent_claimcheck.llm.structured import AnswerError
from fakes import GOOD


def answer(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def test_answer_is_read_as_it_stands() -> None:
    read = read_answer(answer())
    assert (read.p_success, read.failure_kind, read.evidence_steps) == (0.95, "none", [2])
    assert not read.rationale_truncated


def test_fence_around_the_whole_answer_is_taken_off() -> None:
    assert is_readable(f"```json\n{answer()}\n```\n")
    assert is_readable(f"\n```\n{answer()}\n```")


def test_long_rationale_is_cut_and_flagged() -> None:
    read = read_answer(answer(rationale="r" * 301))
    assert (len(read.rationale), read.rationale_truncated) == (300, True)


def test_claims_of_the_longer_prompt_are_kept() -> None:
    claims = [{"claim": 1, "supporting": [2], "contradicting": []}]
    assert read_answer(answer(claims=claims)).claims == claims


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I think it is fine.", "not JSON"),
        (f"Here: {answer()}", "not JSON"),
        (f"```json\n{answer()}\n```\nThat is my answer.", "not JSON"),
        (answer() + answer(), "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"p_success": 1, "p_success": 0, "failure_kind": "none", "evidence_steps": [], "rationale": ""}', "twice"),
        ("[" * 100_000, "not JSON"),
        (answer(p_success=True), "p_success"),
        (answer(p_success="0.9"), "p_success"),
        (answer(p_success=1.01), "p_success"),
        (answer(p_success=float("nan")), "p_success"),
        (answer(failure_kind="fine"), "failure_kind"),
        (answer(failure_kind=None), "failure_kind"),
        (answer(evidence_steps=[True]), "evidence_steps"),
        (answer(evidence_steps=["2"]), "evidence_steps"),
        (answer(evidence_steps=2), "evidence_steps"),
        (answer(rationale=None), "rationale"),
        (answer(confidence=1), "unknown key"),
        ('{"p_success": 1}', "no failure_kind"),
        (answer(claims={}), "claims"),
        (answer(claims=[{"claim": 1}]), "other keys"),
        (answer(claims=[{"claim": "1", "supporting": [], "contradicting": []}]), "no number"),
        (" " * 5 + "x" * 200_000, "longer"),
    ],
)
def test_anything_else_is_no_answer(text: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem):
        read_answer(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"p_success": 0.9, "failure_kind": "phantom_action"},
        {"p_success": 0.1, "failure_kind": "none"},
        {"p_success": 0.9, "claims": [{"claim": 1, "supporting": [], "contradicting": [4]}]},
    ],
)
def test_answer_that_contradicts_itself_is_no_answer(changes: dict[str, Any]) -> None:
    with pytest.raises(AnswerError):
        read_answer(answer(**changes))


@given(st.floats(0, 1), st.sampled_from(sorted(FAILURE_KINDS)))
def test_every_figure_goes_with_some_kind_only(p: float, kind: str) -> None:
    fits = kind == "cannot_tell" or (p >= 0.5 if kind == "none" else p <= 0.5)
    assert is_readable(answer(p_success=p, failure_kind=kind)) is fits


@given(st.text(max_size=200))
def test_no_text_raises_anything_else(text: str) -> None:
    assert is_readable(text) in (True, False)
