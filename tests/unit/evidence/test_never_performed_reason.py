"""The reason of a deed that was asked for and never done quotes the request, and cuts no address."""

from __future__ import annotations

import pytest

from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace

LONG = "Email the invoice to a@b.example and to everybody else of the bookkeeping in the house at Larkspur Lane."


@pytest.mark.parametrize(
    ("asked", "quoted"),
    [
        ("Email the invoice to a@b.example.", "email the invoice to a@b.example;"),
        ("Email the invoice to a.b@c.example! Thanks.", "email the invoice to a.b@c.example;"),
        (LONG, "email the invoice to a@b.example and to everybody else of the bookkeeping in the …;"),
    ],
)
def test_an_address_is_quoted_whole(asked: str, quoted: str) -> None:
    ts = "2026-03-02T09:00:00Z"
    steps = [
        Step(i=0, ts=ts, kind="message", role="user", content=asked),
        Step(i=1, ts=ts, kind="tool_call", role="agent", name="get_invoice", args={"id": "I-1"}),
        Step(i=2, ts=ts, kind="tool_result", role="tool", name="get_invoice", ok=True, output={"id": "I-1"}),
    ]
    claim = FinalClaim(text="I have emailed the invoice.", claims=[])
    trace = Trace(
        trace_id="t", source="s", task=Task(id="1", domain="other", instruction=asked), steps=steps, final_claim=claim
    )
    result = Checker("rules").check_one(trace)
    (reason,) = [finding.reason for finding in result.findings if finding.id == "action_never_performed"]
    assert reason == f"the request asks to {quoted} no call could have done it"
