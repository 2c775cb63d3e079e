"""A run may hold thousands of calls and claims: its check takes time in line with its length, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace

Fields = dict[str, Any]
LIMIT_S = 2.5


def called(name: str, args: Fields, output: Any) -> Iterator[Fields]:
    yield {"kind": "tool_call", "role": "agent", "name": name, "args": args}
    yield {"kind": "tool_result", "role": "tool", "name": name, "ok": True, "output": output}


def repeated(n: int) -> Iterator[Fields]:
    """One creation over and over."""
    for _ in range(n):
        yield from called("create_booking", {"desk": "D1"}, {"booking_id": "B-1"})


def repeated_and_undone(n: int) -> Iterator[Fields]:
    """A creation, and the removal of something else, over and over."""
    for number in range(n):
        yield from called("create_booking", {"desk": "D1"}, {"booking_id": f"B-{number}"})
        yield from called("delete_booking", {"booking_id": f"Z-{number}"}, {"ok": True})


def told(n: int) -> Iterator[Fields]:
    """A long talk in which every turn asks for a booking, makes and tells it."""
    for number in range(n):
        yield {"kind": "message", "role": "user", "content": f"Please book desk D{number}."}
        yield from called("create_booking", {"desk": f"D{number}"}, {"booking_id": f"B-{number}"})
        yield {"kind": "message", "role": "agent", "content": f"Desk D{number} has been booked."}


def cancelled(n: int) -> Iterator[Fields]:
    """Orders cancelled by the hundred, and others claimed."""
    for number in range(n):
        yield from called("cancel_order", {"order_id": f"5{number:05}"}, {"status": "cancelled"})


@pytest.mark.parametrize(
    ("script", "n", "final"),
    [
        (repeated, 2000, "Desk D1 has been booked."),
        (repeated_and_undone, 800, "Desk D1 has been booked."),
        (told, 1000, "All desks have been booked."),
        (cancelled, 200, " ".join(f"Order 6{number:05} has been cancelled." for number in range(200))),
    ],
)
def test_time_is_in_line_with_the_length_of_a_run(
    script: Callable[[int], Iterator[Fields]], n: int, final: str
) -> None:
    steps = [Step(i=i, ts="2026-05-01T09:00:00Z", **fields) for i, fields in enumerate(script(n))]
    trace = Trace(
        trace_id="long",
        source="agent",
        task=Task(id="t", domain="other", instruction="Do it."),
        steps=steps,
        final_claim=FinalClaim(text=final),
    )
    checker = Checker("cascade-offline")
    began = time.process_time()
    checker.check_one(trace)
    assert time.process_time() - began < LIMIT_S
