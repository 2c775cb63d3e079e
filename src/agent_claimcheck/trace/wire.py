"""How agent-trace/v1 and /v2 look on the wire, as types msgspec decodes into, and the way from there to a ``Trace``.

A reader must not miss: a typed dict drops keys it does not know. ``decode`` notices that by counting; nothing else may
decode into these types unless the keys were checked before.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from agent_claimcheck.trace.blocks import text_of
from agent_claimcheck.trace.model import (
    AgentRef,
    Artifact,
    CheckedBy,
    Claim,
    End,
    FinalClaim,
    FinalSource,
    GroundTruth,
    Origin,
    Outcome,
    StatusConfidence,
    StatusSource,
    Step,
    StepKind,
    StepRole,
    StepStatus,
    Subtrace,
    Task,
    ToolDef,
    Trace,
    TsSource,
    Where,
)
from agent_claimcheck.trace.timestamps import EPOCH, is_timestamp

NonEmpty = Annotated[str, Meta(min_length=1)]
Index = Annotated[int, Meta(ge=0)]
DomainV1 = Literal["booking", "crm", "coding", "browser", "other"]
KindV1 = Literal["message", "tool_call", "tool_result", "state_probe"]
RoleV1 = Literal["user", "agent", "tool", "environment"]


class Mismatch(ValueError):
    """A value the types let through and the format does not; the slow path says which."""


class TaskV1(TypedDict):
    id: str
    domain: DomainV1
    instruction: str


class TaskV2(TypedDict):
    id: str
    domain: str
    instruction: str
    system_prompt: NotRequired[str | None]
    allowed_tools: NotRequired[list[str] | None]
    tool_fallbacks: NotRequired[dict[str, list[str]] | None]
    turns: NotRequired[list[int] | None]
    user_script: NotRequired[str | None]


class StepV1(TypedDict):
    i: Index
    ts: str
    kind: KindV1
    role: RoleV1
    name: NotRequired[str | None]
    content: NotRequired[str | None]
    args: NotRequired[dict[str, Any] | None]
    ok: NotRequired[bool | None]
    output: NotRequired[Any]
    error: NotRequired[str | dict[str, Any] | None]


class StepV2(TypedDict):
    i: Index
    ts: str | None
    kind: StepKind
    role: StepRole
    name: NotRequired[str | None]
    content: NotRequired[str | list[Any] | None]
    args: NotRequired[dict[str, Any] | None]
    ok: NotRequired[bool | None]
    output: NotRequired[Any]
    error: NotRequired[str | dict[str, Any] | None]
    call_id: NotRequired[str | None]
    parallel_group: NotRequired[str | None]
    agent_id: NotRequired[str | None]
    parent_call_id: NotRequired[str | None]
    ts_end: NotRequired[str | None]
    ts_source: NotRequired[TsSource | None]
    status: NotRequired[StepStatus | None]
    status_source: NotRequired[StatusSource | None]
    status_confidence: NotRequired[StatusConfidence | None]
    exit_code: NotRequired[int | None]
    raw_args: NotRequired[str | None]
    blocks: NotRequired[list[Any] | None]
    artifact_ids: NotRequired[list[str] | None]
    origin_ref: NotRequired[str | None]


class ClaimV1(TypedDict):
    type: str
    subject: NotRequired[dict[str, Any]]


class ClaimV2(ClaimV1):
    quote: NotRequired[str | None]
    step: NotRequired[int | None]


class FinalClaimV1(TypedDict):
    text: str | None
    claims: NotRequired[list[ClaimV1]]


class FinalClaimV2(TypedDict):
    text: str | None
    claims: NotRequired[list[ClaimV2]]
    step: NotRequired[int | None]
    source: NotRequired[FinalSource | None]


class GroundTruthWire(TypedDict):
    outcome: Outcome
    checked_by: CheckedBy
    details: NotRequired[dict[str, Any]]


class TraceV1(TypedDict):
    schema: Literal["agent-trace/v1"]
    trace_id: NonEmpty
    source: NonEmpty
    task: TaskV1
    steps: list[StepV1]
    final_claim: FinalClaimV1
    ground_truth: NotRequired[GroundTruthWire]
    meta: NotRequired[dict[str, Any]]


class TraceV2(TypedDict):
    schema: Literal["agent-trace/v2"]
    trace_id: NonEmpty
    source: NonEmpty
    task: TaskV2
    steps: list[StepV2]
    final_claim: FinalClaimV2
    ground_truth: NotRequired[GroundTruthWire]
    meta: NotRequired[dict[str, Any]]
    origin: NotRequired[Origin | None]
    conversation_id: NotRequired[str | None]
    model: NotRequired[str | None]
    tools: NotRequired[list[ToolDef] | None]
    agents: NotRequired[list[AgentRef] | None]
    artifacts: NotRequired[list[Artifact] | None]
    subtraces: NotRequired[list[Subtrace] | None]
    end: NotRequired[End | None]
    usage: NotRequired[dict[str, Any] | None]


def build_v1(wire: TraceV1, where: Where, notes: tuple[str, ...] = ()) -> Trace:
    """Return the ``Trace`` of a v1 document. Raises ``Mismatch`` for a bad ``ts`` or an ``i`` that does not rise."""
    last = -1
    steps: list[Step] = []
    for item in wire["steps"]:
        if item["i"] <= last or not is_timestamp(item["ts"]):
            raise Mismatch
        last = item["i"]
        steps.append(Step(**item))
    final = wire["final_claim"]
    truth = wire.get("ground_truth")
    return Trace(
        trace_id=wire["trace_id"],
        source=wire["source"],
        task=Task(**wire["task"]),
        steps=steps,
        final_claim=FinalClaim(text=final["text"], claims=[Claim(**claim) for claim in final.get("claims", ())]),
        ground_truth=GroundTruth(**truth) if truth is not None else None,
        meta=wire.get("meta"),
        where=where,
        notes=notes,
    )


def build_v2(wire: TraceV2, where: Where, notes: tuple[str, ...] = ()) -> Trace:
    """Return the ``Trace`` of a v2 document. Raises ``Mismatch`` as ``build_v1`` does, and for blocks given twice."""
    final = wire["final_claim"]
    truth = wire.get("ground_truth")
    return Trace(
        trace_id=wire["trace_id"],
        source=wire["source"],
        task=Task(**wire["task"]),
        steps=_steps_v2(wire["steps"]),
        final_claim=FinalClaim(
            text=final["text"],
            claims=[Claim(**claim) for claim in final.get("claims", ())],
            step=final.get("step"),
            source=final.get("source"),
        ),
        ground_truth=GroundTruth(**truth) if truth is not None else None,
        meta=wire.get("meta"),
        origin=wire.get("origin"),
        conversation_id=wire.get("conversation_id"),
        model=wire.get("model"),
        tools=wire.get("tools"),
        agents=wire.get("agents"),
        artifacts=wire.get("artifacts"),
        subtraces=wire.get("subtraces"),
        end=wire.get("end"),
        usage=wire.get("usage"),
        where=where,
        notes=notes,
    )


def _steps_v2(items: list[StepV2]) -> list[Step]:
    last = -1
    last_ts = EPOCH
    steps: list[Step] = []
    for item in items:
        fields: dict[str, Any] = item  # type: ignore[assignment]  # copied before anything in it is changed
        ts = item["ts"]
        if item["i"] <= last or (ts is not None and not is_timestamp(ts)):
            raise Mismatch
        last = item["i"]
        if ts is None:
            # A time of its own would be invented; the neighbour's at least keeps the order.
            ts = last_ts
            fields = {**fields, "ts": ts, "ts_source": item.get("ts_source") or "synthetic"}
        last_ts = ts
        content = item.get("content")
        if isinstance(content, list):
            if item.get("blocks") is not None:
                raise Mismatch
            fields = {**fields, "blocks": content, "content": text_of(content)}
        steps.append(Step(**fields))
    return steps
