"""Scores and summaries as people see them."""

from __future__ import annotations

import pytest

from agent_claimcheck.checks.for_people import LONGEST_SUMMARY, score_text, summary_text
from agent_claimcheck.checks.run import Run
from agent_claimcheck.checks.run_file import LoadedRun
from agent_claimcheck.pipeline.grader import Grader
from agent_claimcheck.pipeline.run_page import render_page
from agent_claimcheck.pipeline.run_summary import RunSummary


@pytest.mark.parametrize(
    ("score", "text"), [(1.0, "100%"), (0.9999, "99%"), (0.5, "50%"), (0.0004, "1%"), (0.0, "0%"), (None, "-")]
)
def test_a_score_is_shown_whole_only_when_it_is(score: float | None, text: str) -> None:
    assert score_text(score) == text


def test_a_long_summary_keeps_its_beginning_and_its_first_problems() -> None:
    long = (
        f"7/9000 tool calls correct. Sequence: {' -> '.join(['look'] * 9_000)}. Problems: step 3 (look) error_silent."
    )
    shown = summary_text(long)

    assert shown.startswith("7/9000 tool calls correct. Sequence: look")
    assert shown.endswith("Problems: step 3 (look) error_silent.")
    assert len(shown) < LONGEST_SUMMARY + 100
    assert summary_text("Short. No problems.") == "Short. No problems."


def test_a_huge_run_shows_what_failed_first_and_says_what_it_leaves_out() -> None:
    calls = [{"name": "look", "output": "fine"}] * 2_000
    calls.append({"name": "late_tool", "output": "Error: gone"})
    run = Run(task="Look.", final_answer="Looked.", steps=[{"tool_call": call} for call in calls])  # type: ignore[list-item]
    report = Grader(client=None).evaluate(run, checks=["tool_use"])
    page = render_page([(LoadedRun(run=run, file="big.json", line=1), report)], RunSummary())

    assert page.index("late_tool</td>") < page.index("look</td>")
    assert "1,501 more findings" in page
    assert "99%" in page
    assert "100%" not in page.split("</summary>")[0].partition("<details")[2]
