"""The one shape of a span that every tracer's records are read into.

A reader must not miss: times are comparable within a trace only (ns numbers, or ISO text of one shape).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from agent_claimcheck.importers.events import UNKNOWN, Event, Status
from agent_claimcheck.trace.model import ToolDef

SpanKind = Literal["tool", "llm", "agent", "other"]


class Span(Struct, kw_only=True):
    """One span of any tracer. Times are comparable within a trace (ns, or ISO text of one shape)."""

    span_id: str
    parent_id: str | None = None
    kind: SpanKind = "other"
    name: str = ""
    start: Any = None
    end: Any = None
    order: Any = 0
    status: Status = UNKNOWN
    tool_name: str | None = None
    args: Any = None
    output: Any = None
    has_output: bool = False
    call_id: str | None = None
    inputs: list[Event] = field(default_factory=list)
    outputs: list[Event] = field(default_factory=list)
    model: str | None = None
    agent: str | None = None
    tools: list[ToolDef] | None = None
    system_prompt: str | None = None
    conversation_id: str | None = None
    final_text: str | None = None


def sort_key(moment: Any) -> tuple[int, float, str]:
    """Order numbers before texts before anything else."""
    if isinstance(moment, int | float) and not isinstance(moment, bool) and abs(moment) < 1e300:
        return 0, float(moment), ""
    return (1, 0.0, moment) if isinstance(moment, str) else (2, 0.0, "")


def canonical(value: Any) -> bytes:
    """A text that is equal for equal JSON values."""
    try:
        return msgspec.json.encode(value, order="sorted")
    except (msgspec.MsgspecError, RecursionError, TypeError, OverflowError):
        return repr(type(value)).encode()
