"""The one trace record: ``agent-trace/v2`` inside, whatever version or format a file was written in.

A reader must not miss: records are frozen, and every v2-only field has a default, so a v1 trace is simply a v2 trace
with nothing in the extra fields. Decoding and its strictness per version live in ``decode``; this file knows no JSON.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

StepKind = Literal["message", "tool_call", "tool_result", "state_probe", "reasoning", "handoff", "system_event"]
StepRole = Literal["user", "agent", "tool", "environment", "system", "developer", "other_agent"]
TsSource = Literal["recorded", "inherited", "synthetic", "assumed_utc"]
StepStatus = Literal["ok", "error", "denied", "cancelled", "timeout", "invalid", "partial", "unknown"]
StatusSource = Literal["flag", "exit_code", "exception", "protocol", "span_status", "denied", "text", "none"]
StatusConfidence = Literal["strong", "weak"]
EndReason = Literal["completed", "aborted", "limit", "error", "handoff", "unknown"]
Relation = Literal["delegate", "handoff", "continuation"]
Outcome = Literal["success", "failure", "unknown"]
CheckedBy = Literal["state_probe", "human", "none"]
FinalSource = Literal["text", "final_tool", "structured", "none"]


class Step(Struct, frozen=True, kw_only=True):
    """One event of a run: a message, a tool call, a tool result or a state probe.

    ``i`` rises strictly within a trace. ``ts`` is an ISO 8601 date-time as written. ``ok`` is true or false only when
    the source said so; ``None`` means undeclared. ``output`` is any JSON value.
    """

    i: int
    ts: str
    kind: StepKind
    role: StepRole
    name: str | None = None
    content: str | None = None
    args: dict[str, Any] | None = None
    ok: bool | None = None
    output: Any = None
    error: str | dict[str, Any] | None = None
    # agent-trace/v2 only
    call_id: str | None = None
    parallel_group: str | None = None
    agent_id: str | None = None
    parent_call_id: str | None = None
    ts_end: str | None = None
    ts_source: TsSource | None = None
    status: StepStatus | None = None
    status_source: StatusSource | None = None
    status_confidence: StatusConfidence | None = None
    exit_code: int | None = None
    raw_args: str | None = None
    blocks: list[Any] | None = None
    artifact_ids: list[str] | None = None
    origin_ref: str | None = None


class Claim(Struct, frozen=True, kw_only=True):
    """A claim as the trace's producer declared it: a type and the values it is about."""

    type: str
    subject: dict[str, Any] = {}
    quote: str | None = None
    step: int | None = None


class FinalClaim(Struct, frozen=True, kw_only=True):
    """What the agent said at the end. ``text`` is ``None`` when the run ended without a message."""

    text: str | None
    claims: list[Claim] = []
    step: int | None = None
    source: FinalSource | None = None


class Task(Struct, frozen=True, kw_only=True):
    """What was asked. ``allowed_tools`` is ``None`` for "not restricted" and ``[]`` for "none allowed"."""

    id: str
    domain: str
    instruction: str
    system_prompt: str | None = None
    allowed_tools: list[str] | None = None
    tool_fallbacks: dict[str, list[str]] | None = None
    turns: list[int] | None = None
    user_script: str | None = None


class GroundTruth(Struct, frozen=True, kw_only=True):
    """A label. Never reaches a detector: ``view`` removes it."""

    outcome: Outcome
    checked_by: CheckedBy
    details: dict[str, Any] | None = None


class Origin(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an imported trace came from."""

    format: str | None = None
    flavour: str | None = None
    file_sha256: str | None = None
    locator: str | None = None
    importer: str | None = None
    warnings: list[str] | None = None


class ToolDef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool the agent was offered. ``parameters`` is its JSON Schema."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    server: str | None = None


class AgentRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agent that took part; ``parent_id`` links a sub-agent to the one that called it."""

    id: str
    name: str | None = None
    parent_id: str | None = None
    parent_call_id: str | None = None


class Artifact(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file or text that a tool returned or a user uploaded. ``path`` and ``uri`` are never opened."""

    id: str
    name: str | None = None
    media_type: str | None = None
    source: str | None = None
    sha256: str | None = None
    text: str | None = None
    data_base64: str | None = None
    path: str | None = None
    uri: str | None = None
    metadata: dict[str, Any] | None = None


class Subtrace(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link to another trace that did part of this one's work."""

    trace_id: str
    parent_step: int | None = None
    relation: Relation = "delegate"


class End(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why the run ended."""

    reason: EndReason
    detail: str | None = None


class Where(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The file and line (1-based) a trace was read from. Not part of any schema."""

    file: str
    line: int


class Trace(Struct, frozen=True, kw_only=True):
    """One agent run. ``where`` and ``notes`` are set by the reader and are not written back."""

    trace_id: str
    source: str
    task: Task
    steps: list[Step]
    final_claim: FinalClaim
    ground_truth: GroundTruth | None = None
    meta: dict[str, Any] | None = None
    origin: Origin | None = None
    conversation_id: str | None = None
    model: str | None = None
    tools: list[ToolDef] | None = None
    agents: list[AgentRef] | None = None
    artifacts: list[Artifact] | None = None
    subtraces: list[Subtrace] | None = None
    end: End | None = None
    usage: dict[str, Any] | None = None
    where: Where | None = None
    notes: tuple[str, ...] = ()


class TraceProblem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault of one line, as data: a bad line never costs the others.

    ``path`` is a JSON path such as ``$.steps[0].i``; ``line`` is 1-based, 0 for the whole file.
    """

    file: str
    line: int
    path: str
    message: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        mark = "warning: " if self.severity == "warning" else ""
        return f"{place}: {mark}{self.path}: {self.message}" if self.path else f"{place}: {mark}{self.message}"
