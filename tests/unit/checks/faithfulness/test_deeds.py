"""Deeds that the answer tells, held against the calls: refuted ones are contradicted, open ones never."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.faithfulness.check import check_faithfulness
from agent_claimcheck.checks.run import Run

SLOTS = {"name": "find_slots", "output": '{"slots": [{"room": "Heron", "start": "14:00"}]}'}
REFUSED = {
    "name": "book_room",
    "arguments": {"room": "Heron", "start": "14:00"},
    "output": "409: Heron is taken",
    "is_error": True,
}
BOOKED = {
    "name": "book_room",
    "arguments": {"room": "Heron", "start": "14:00"},
    "output": '{"id": "b1", "room": "Heron"}',
}
TOLD = "I've booked Heron at 14:00 for you."


def verdicts(answer: str, *calls: dict[str, Any]) -> list[tuple[str, int | None]]:
    run = Run(task="Book Heron at 14:00.", final_answer=answer, steps=[{"tool_call": call} for call in calls])  # type: ignore[list-item]
    return [(finding.verdict, finding.step) for finding in check_faithfulness(run, CheckRequest()).findings]


def test_a_deed_that_every_call_refused_is_contradicted_though_its_values_stand_in_the_evidence() -> None:
    assert verdicts(TOLD, SLOTS, REFUSED) == [("contradicted", 1)]


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        (TOLD, [SLOTS, BOOKED]),
        (TOLD, [SLOTS, REFUSED, BOOKED]),
        ("I could not book Heron at 14:00: it is taken.", [SLOTS, REFUSED]),
        ("Heron is free at 14:00.", [SLOTS]),
        ("Heron was booked before I could do so.", [SLOTS, REFUSED]),
        ("I've written the note below.\n\nHeron is free.", [SLOTS]),
        ("You have booked Heron at 14:00.", [SLOTS]),
    ],
    ids=["done", "done at the second try", "owned up to", "only looked up", "too late", "made in the reply", "theirs"],
)
def test_what_the_calls_leave_standing_is_not_contradicted(answer: str, calls: list[dict[str, Any]]) -> None:
    assert "contradicted" not in [verdict for verdict, _ in verdicts(answer, *calls)]


def test_only_the_statement_that_tells_the_deed_is_contradicted() -> None:
    found = verdicts(f"Heron was free at 14:00. {TOLD}", SLOTS, REFUSED)
    assert [verdict for verdict, _ in found] == ["supported", "contradicted"]


def test_words_that_own_up_to_a_stand_in_are_not_the_ones_contradicted() -> None:
    edit = {"name": "edit_file", "arguments": {"path": "fix.py", "text": "pass"}, "output": "edited fix.py"}
    answer = "The bug in fix.py has been successfully fixed. In this simulated environment we can't run the tests."
    run = Run(task="Fix the bug in fix.py.", final_answer=answer, steps=[{"tool_call": edit}])  # type: ignore[list-item]
    against = [f.subject for f in check_faithfulness(run, CheckRequest()).findings if f.verdict == "contradicted"]

    assert against == ["The bug in fix.py has been successfully fixed."]


@pytest.mark.parametrize("output", ["409: Heron is taken", "409: Heron is taken " + "x" * 999], ids=["short", "long"])
def test_the_evidence_against_a_deed_is_what_the_tool_returned_and_not_the_answer(output: str) -> None:
    steps = [{"tool_call": SLOTS}, {"tool_call": {**REFUSED, "output": output}}]
    run = Run(task="Book Heron at 14:00.", final_answer=TOLD, steps=steps)  # type: ignore[arg-type]
    evidence = check_faithfulness(run, CheckRequest()).findings[0].evidence

    assert evidence is not None
    assert evidence.startswith("409: Heron is taken")
    assert len(evidence) <= 400


def test_a_deed_that_no_call_tried_has_no_evidence_to_show() -> None:
    answer = "I've booked Heron at 14:00 for you."
    run = Run(task="Book Heron at 14:00.", final_answer=answer, steps=[{"tool_call": SLOTS}])  # type: ignore[list-item]
    assert answer not in [f.evidence for f in check_faithfulness(run, CheckRequest()).findings]
