"""JSON Lines and the JSON array."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from agent_claimcheck.results.model import CheckResult

Build = Callable[..., CheckResult]
Written = Callable[..., str]


@pytest.mark.parametrize(("name", "schema"), [("jsonl", "claimcheck-result/v2"), ("jsonl-v1", "claimcheck-result/v1")])
def test_one_line_a_result(build_result: Build, written: Written, name: str, schema: str) -> None:
    text = written(name, [build_result("verified", "a"), build_result("skipped", "b\n")])
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["schema"], row["trace_id"]) for row in rows] == [(schema, "a"), (schema, "b\n")]
    assert text.endswith("\n")


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_array_is_what_json_dumps_with_indent_two_writes(build_result: Build, written: Written, count: int) -> None:
    text = written("json", [build_result("false_success", f"é\n{i}") for i in range(count)])
    rows = json.loads(text)
    assert len(rows) == count
    assert text == json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
