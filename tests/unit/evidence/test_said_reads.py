"""A rule pack that says which tools only read is believed."""

from __future__ import annotations

from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.draft.guard import spec_with
from agent_claimcheck.trace.model import Claim, FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

PACK = "pack: p\nversion: 1\ntools: ['depot.*']\n{reads}claims:\n  stored: {{ action: depot.put, receipt: {{}} }}\n"


def trace() -> Trace:
    steps = [
        Step(i=0, ts="2026-03-02T09:00:00Z", kind="tool_call", role="agent", name="depot.x1", args={"box": "B1"}),
        Step(
            i=1, ts="2026-03-02T09:00:01Z", kind="tool_result", role="tool", name="depot.x1", ok=True, output={"w": 3}
        ),
    ]
    return Trace(
        trace_id="t",
        source="s",
        task=Task(id="1", domain="other", instruction="Store box B1."),
        steps=steps,
        final_claim=FinalClaim(text="Done.", claims=[Claim(type="stored", subject={"box": "B1"})]),
    )


def test_a_tool_of_unknown_effect_may_have_done_it_until_the_pack_says_that_it_reads() -> None:
    silent = parse_pack(PACK.format(reads=""), "silent")
    telling = parse_pack(PACK.format(reads="reads: ['depot.x*']\n"), "telling")
    assert Checker(spec=spec_with(silent)).check_one(trace()).verdict == "unverifiable"
    assert Checker(spec=spec_with(telling)).check_one(trace()).verdict == "false_success"


def test_the_effect_says_where_it_was_read() -> None:
    telling = parse_pack(PACK.format(reads="reads: ['depot.x*']\n"), "telling")
    evidence = Evidence(label_free(trace()), CaseSettings(packs=(telling,)))
    effect = evidence.effect(evidence.calls[0])
    assert (effect.kind, effect.reason) == ("read", "a rule pack says that it only reads")
    assert evidence.writes == []
