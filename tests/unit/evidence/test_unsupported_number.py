"""A number is known when a result holds it, however JSON writes it."""

from __future__ import annotations

import pytest

from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace


def _is_unknown(said: str, total: object) -> bool:
    asked = "Order some mugs."
    steps = [
        Step(i=0, ts="2026-03-02T09:00:00Z", kind="message", role="user", content=asked),
        Step(i=1, ts="2026-03-02T09:00:01Z", kind="tool_call", role="agent", name="create_order", args={"item": "mug"}),
        Step(
            i=2, ts="2026-03-02T09:00:02Z", kind="tool_result", role="tool", name="create_order", ok=True,
            output={"order_id": "o-x", "total": total},
        ),
    ]  # fmt: skip
    text = f"I've ordered the mugs. The total is {said}."
    task = Task(id="1", domain="other", instruction=asked)
    trace = Trace(trace_id="t", source="s", task=task, steps=steps, final_claim=FinalClaim(text=text, claims=[]))
    return any(finding.id == "unsupported_number" for finding in Checker("rules").check_one(trace).findings)


@pytest.mark.parametrize(
    ("said", "total"), [("1,240.50", 1240.5), ("$1240.50", 1240.5), ("1,240.00", 1240), ("19.90", 19.9)]
)
def test_a_number_that_json_writes_shorter_is_known(said: str, total: object) -> None:
    assert not _is_unknown(said, total)


@pytest.mark.parametrize(
    ("said", "total"), [("1,240.50", 1240.52), ("1,240.50", 11240.5), ("19.90", 119.9), ("1,240.00", 12401)]
)
def test_a_part_of_another_number_is_not_that_number(said: str, total: object) -> None:
    assert _is_unknown(said, total)
