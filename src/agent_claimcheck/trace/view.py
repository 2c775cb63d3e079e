"""The label-free view: the only form of a trace that detectors, checks, prompts and features ever see."""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.trace.model import AgentRef, Artifact, End, FinalClaim, Step, Task, ToolDef, Trace


class TraceView(Struct, frozen=True, kw_only=True):
    """A ``Trace`` without ``ground_truth``, ``meta``, ``source``, ``origin`` and ``usage``."""

    trace_id: str
    task: Task
    steps: list[Step]
    final_claim: FinalClaim
    model: str | None = None
    tools: list[ToolDef] | None = None
    agents: list[AgentRef] | None = None
    artifacts: list[Artifact] | None = None
    end: End | None = None


def label_free(trace: Trace) -> TraceView:
    """Return the view of ``trace`` that may go further. Labels and free-form metadata stay behind."""
    return TraceView(
        trace_id=trace.trace_id,
        task=trace.task,
        steps=trace.steps,
        final_claim=trace.final_claim,
        model=trace.model,
        tools=trace.tools,
        agents=trace.agents,
        artifacts=trace.artifacts,
        end=trace.end,
    )
