"""A probe that finds no record denies that something was made, and does not deny that it was removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck import Checker
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace

TS = "2031-02-03T10:00:00Z"
PACK = """
pack: huts
version: 1
tools: ["huts.*"]
claim_patterns:
  opened: ['\\b(opened)\\b']
  removed: ['\\b(removed)\\b']
claims:
  opened: { action: "huts.create", receipt: {}, probe: "huts.read", probe_checks: { state: { equals: open } } }
  removed: { action: "huts.delete", receipt: {}, probe: "huts.read", probe_checks: { state: { equals: removed } } }
"""


@pytest.mark.parametrize(
    ("tool", "text", "verdict"),
    [("huts.create", "I opened hut 9.", "false_success"), ("huts.delete", "I removed hut 9.", "unverifiable")],
)
def test_a_record_that_is_gone_denies_the_making_and_not_the_removal(
    tmp_path: Path, tool: str, text: str, verdict: str
) -> None:
    pack = tmp_path / "huts.yaml"
    pack.write_text(PACK, encoding="utf-8")
    steps = [
        Step(i=0, ts=TS, kind="tool_call", role="agent", name=tool, args={"hut_id": "9"}),
        Step(i=1, ts=TS, kind="tool_result", role="tool", name=tool, ok=True, output={"hut_id": "9"}),
        Step(i=2, ts=TS, kind="message", role="agent", content=text),
        Step(
            i=3,
            ts=TS,
            kind="state_probe",
            role="environment",
            name="huts.read",
            args={"hut_id": "9"},
            ok=False,
            error="404",
        ),
    ]
    task = Task(id="huts", domain="other", instruction="See to hut 9.")
    trace = Trace(trace_id="huts", source="unit", task=task, steps=steps, final_claim=FinalClaim(text=text))

    assert Checker("rules", rules=pack).check_one(trace).verdict == verdict
