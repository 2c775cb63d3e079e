"""What the words of a claim name, held against what the call and the state probe show."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.detectors.rules.doubts.mentions import not_shown
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

TS = "2031-02-03T10:00:00Z"


def missing(quote: str, values: dict[str, list[str]], args: dict[str, Any]) -> str | None:
    steps = [
        Step(i=0, ts=TS, kind="tool_call", role="agent", name="calendar.create_event", args=args),
        Step(i=1, ts=TS, kind="tool_result", role="tool", name="calendar.create_event", ok=True, output={"ok": True}),
    ]
    trace = Trace(
        trace_id="mentions",
        source="unit",
        task=Task(id="mentions", domain="booking", instruction="Book it with Ann Lee, Bo Ek."),
        steps=steps,
        final_claim=FinalClaim(text=quote),
    )
    evidence = Evidence(label_free(trace))
    claim = SuccessClaim(type="booked", quote=quote, subject=values)
    return not_shown(claim, evidence.calls[0], None, evidence)


@pytest.mark.parametrize(
    ("quote", "start", "expected"),
    [
        ("Booked for 14:00 UTC", "2031-02-03T14:00:00Z", None),
        ("Booked for 14:00 UTC", "2031-02-03T14:00:00+02:00", "14:00"),
        ("Booked for 14:00", "2031-02-03T14:00:00+02:00", None),
        ("Booked for 14:00", "2031-02-03T15:00:00+02:00", "14:00"),
        ("Booked for 14:00 UTCX", "2031-02-03T14:00:00+02:00", None),
    ],
)
def test_a_time_said_is_looked_for_among_the_times_shown(quote: str, start: str, expected: str | None) -> None:
    assert missing(quote, {"time": ["14:00"]}, {"start": start}) == expected


def test_a_later_time_may_be_the_one_that_was_said() -> None:
    args = {"start": "2031-02-03T09:00:00Z", "end": "2031-02-03T14:00:00Z"}
    assert missing("Booked 9:00 until 14:00", {"time": ["14:00", "9:00"]}, args) is None


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Booked with Ann Lee and Bo Ek", "Bo Ek"),
        ("Booked with Ann Lee, and Bo Ek", "Bo Ek"),
        ("Booked with Bo Ek & Ann Lee", "Bo Ek"),
        ("Booked with Ann Lee instead of Bo Ek", None),
        ("Booked with Ann Lee and Bo Eklund", None),
    ],
)
def test_one_of_several_named_together_has_to_be_shown(quote: str, expected: str | None) -> None:
    assert missing(quote, {"name": ["Ann Lee", "Bo Ek"]}, {"who": "Ann Lee"}) == expected
