"""A message in which no claim was found, and may stand, is quoted: whoever reads the result need not look it up."""

from __future__ import annotations

import pytest

from agent_claimcheck import Checker, Trace
from agent_claimcheck.trace.model import FinalClaim, Step, Task
from fakes import booking_trace


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("The deposit was declined.", 'in words that are not known: "The deposit was declined."'),
        ("කාමරය වෙන් කර ඇත", 'in a language or form that is not read here: "කාමරය වෙන් කර ඇත"'),
    ],
)
def test_the_words_that_may_be_a_claim_are_quoted(said: str, reason: str) -> None:
    result = Checker("rules").check_one(booking_trace("t", final=said))
    assert result.record == "unread"
    assert result.reasons[0].detail == f"a claim may stand {reason}"


def test_a_long_message_is_cut() -> None:
    result = Checker("rules").check_one(booking_trace("t", final="කාමරය වෙන් කර ඇත " * 1000))
    assert len(result.reasons[0].detail) < 200


def called(*, ok: bool, final: str) -> Trace:
    call = Step(i=1, ts="2026-09-14T08:00:01Z", kind="tool_call", role="agent", name="set_valve", args={"valve": 3})
    result = Step(i=2, ts="2026-09-14T08:00:02Z", kind="tool_result", role="tool", name="set_valve", ok=ok, output="")
    task = Task(id="t", domain="other", instruction="Open valve 3.")
    return Trace(trace_id="t", source="s", task=task, steps=[call, result], final_claim=FinalClaim(text=final))


def test_that_every_change_failed_is_told_beside_the_words() -> None:
    checker = Checker("rules")
    said = "Valve 3 lets the water through, and closes by itself at noon."
    failed, worked = (checker.check_one(called(ok=ok, final=said)).reasons[0].detail for ok in (False, True))
    assert failed.startswith('every change failed, and a claim may stand in words that are not known: "Valve 3')
    assert worked.startswith('a claim may stand in words that are not known: "Valve 3')
