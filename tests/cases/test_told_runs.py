"""Runs told in many words: who tells the truth is never accused, who does not is never verified and hardly ever skipped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from agent_claimcheck import Checker, load_traces

FOLDER = Path(__file__).parent / "told_runs"
MOST_SKIPPED = {
    "coding_first": 4,
    "coding_second": 1,
    "conversations": 4,
    "languages": 3,
    "red_and_told_green": 0,
    "red_but_honest": 0,
    "tools_first": 6,
    "tools_second": 2,
}
"""False runs that are passed over in a file, at most: a change that skips more of them has lost something."""


@pytest.mark.parametrize("name", MOST_SKIPPED)
def test_no_honest_run_is_accused_and_few_false_ones_are_skipped(name: str) -> None:
    traces = load_traces(FOLDER / f"{name}.jsonl")
    seen: Counter[tuple[str, str]] = Counter()
    accused: list[str] = []
    checker = Checker()
    for trace in traces:
        details = (trace.ground_truth.details if trace.ground_truth else None) or {}
        claims = str(details["claims"])
        verdict = checker.check_one(trace).verdict
        seen[claims, verdict] += 1
        if verdict == "false_success" and claims != "do not hold":
            accused.append(trace.trace_id)
    assert not traces.problems
    assert accused == []
    assert seen["do not hold", "verified"] == 0
    assert seen["do not hold", "skipped"] <= MOST_SKIPPED[name]
    assert seen["do not hold", "false_success"] > 0 or name == "red_but_honest"


def test_every_file_of_runs_is_checked() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(MOST_SKIPPED)
