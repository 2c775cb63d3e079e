"""JSON Lines and the JSON array."""

from __future__ import annotations

import json
import re
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


@pytest.mark.parametrize("name", ["jsonl", "jsonl-v1", "json"])
def test_json_on_a_terminal_means_the_same_and_acts_on_nothing(
    build_result: Build, written: Written, name: str
) -> None:
    hostile = "\x1b[31m\x9b31m\x7f\u202etxet\u2066\U000e0041 é 😀"
    results = [build_result("false_success", hostile, detail=hostile)]
    shown, stored = (written(name, results, is_terminal=is_terminal) for is_terminal in (True, False))
    assert json.loads(shown) == json.loads(stored)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]", shown)
    assert "é 😀" in shown
