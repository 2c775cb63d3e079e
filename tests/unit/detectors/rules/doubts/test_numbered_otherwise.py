"""A thing that the closing text numbers otherwise than the record is doubted; what only counts or reckons is not."""

from __future__ import annotations

import time
from typing import Any

import pytest

from agent_claimcheck.detectors.rules.doubts.numbered_otherwise import numbers_otherwise
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

TS = "2031-02-03T10:00:00Z"


def doubt(said: str, args: dict[str, Any], output: Any = None) -> str | None:
    steps = [
        Step(i=0, ts=TS, kind="tool_call", role="agent", name="lockers.assign", args=args),
        Step(
            i=1, ts=TS, kind="tool_result", role="tool", name="lockers.assign", ok=True, output=output or {"ok": True}
        ),
    ]
    task = Task(id="n", domain="other", instruction="Give me a locker.")
    trace = Trace(trace_id="n", source="unit", task=task, steps=steps, final_claim=FinalClaim(text=said))
    found = numbers_otherwise(Evidence(label_free(trace)))
    return None if found is None else found.reason


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("You have locker 14 now.", {"locker": 41}),
        ("You have locker no. 14 now.", {"locker_no": "41"}),
        ("It is on Floor 3.", {"floorNumber": 2}),
        ("You have locker #14.", {"locker": {"locker_id": 41}}),
    ],
)
def test_another_number_behind_the_name_of_a_field_is_doubted(said: str, args: dict[str, Any]) -> None:
    assert "the closing text says" in str(doubt(said, args))


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("You have locker 41 now.", {"locker": 41}),
        ("You have locker 041 now.", {"locker": "41"}),
        ("Locker 14 was taken, so you have locker 41.", {"locker": 41}),
        ("You have 14 lockers now.", {"locker": 41}),
        ("Your code is 14.", {"locker": 41}),
        ("Locker 14-B is yours.", {"locker": 41}),
        ("It opens on day 3.", {"day": 4}),
        ("Section 2 of the rules holds for lockers.", {"locker": 41}),
    ],
)
def test_the_same_number_and_numbers_of_other_things_are_not(said: str, args: dict[str, Any]) -> None:
    assert doubt(said, args) is None


def test_a_number_that_some_answer_holds_is_shown() -> None:
    assert doubt("You have locker 14 now.", {"locker": 41}, {"moved_to": {"locker": 14}}) is None


def test_the_work_stays_small_on_long_texts_and_answers() -> None:
    started = time.process_time()
    doubt("locker 14 " * 50_000, {"locker": 41}, [{"locker": 41, "n": n} for n in range(50_000)])
    assert time.process_time() - started < 5
