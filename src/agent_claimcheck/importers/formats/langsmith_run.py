"""One LangSmith run as a span.

A reader must not miss: inputs and outputs wrap messages in several ways (a graph state, ``generations``, OpenAI
``choices``, a dumped message), and a tool's input may be the Python text of its arguments.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.conversations import as_events
from agent_claimcheck.importers.events import SUCCEEDED_WEAKLY, UNKNOWN, Event, Status, failed
from agent_claimcheck.importers.foreign_json import items, loose_json, mapping, python_literal, string, walk
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.spans.genai import io_events, unwrapped
from agent_claimcheck.importers.spans.record import Span, SpanKind
from agent_claimcheck.importers.toolset import tool_defs

_KINDS: dict[str, SpanKind] = {"tool": "tool", "llm": "llm"}


def run_span(run: dict[str, Any]) -> Span:
    """The run in the shape all tracers share."""
    extra = mapping(run.get("extra"))
    metadata = mapping(extra.get("metadata"))
    order = run.get("dotted_order")
    span = Span(
        span_id=string(run.get("id")) or string(run.get("run_id")) or "run",
        parent_id=string(run.get("parent_run_id")),
        kind=_KINDS.get(str(run.get("run_type")), "other"),
        name=string(run.get("name")) or "",
        start=run.get("start_time"),
        end=run.get("end_time"),
        order=order if isinstance(order, str) else str(run.get("start_time") or ""),
        status=_status(run),
        model=string(metadata.get("ls_model_name")),
        conversation_id=string(metadata.get("thread_id")) or string(metadata.get("session_id")),
    )
    inputs, outputs = loose_json(run.get("inputs")), loose_json(run.get("outputs"))
    if span.kind == "tool":
        _take_tool(span, inputs, outputs, extra)
        return span
    span.inputs = _history(inputs, "user")
    span.outputs = _history(outputs, "agent")
    span.tools = tool_defs(mapping(extra.get("invocation_params")).get("tools") or mapping(inputs).get("tools"))
    return span


def _status(run: dict[str, Any]) -> Status:
    error = run.get("error")
    if error:
        text = error if isinstance(error, str) else str(error)
        return failed(text.strip().split("\n", 1)[0][:2000] if text.strip() else text, "exception")
    return SUCCEEDED_WEAKLY if run.get("status") == "success" else UNKNOWN


def _take_tool(span: Span, inputs: Any, outputs: Any, extra: dict[str, Any]) -> None:
    span.tool_name = span.name or "unknown"
    span.call_id = string(extra.get("tool_call_id"))
    table = mapping(inputs)
    given = table["input"] if set(table) == {"input"} else unwrapped(inputs)
    span.args = python_literal(given) if isinstance(given, str) else given
    if outputs is None or (span.status.ok is False and not outputs):
        return
    answer = mapping(outputs).get("output", outputs)
    answer = loose_json(answer)
    made = read_message(answer) if isinstance(answer, dict) else None
    span.has_output = True
    if made and made[0].kind == "tool_result":
        result = made[0]
        span.output, span.call_id = result.output, result.call_id or span.call_id
        if span.status.ok is not False and result.status is not UNKNOWN:
            span.status = result.status
    else:
        span.output = answer


def _history(value: Any, role: Any) -> list[Event]:
    table = mapping(value)
    generation = walk(table, "generations", 0)
    if isinstance(generation, list):
        generation = generation[0] if generation else None
    if isinstance(generation, dict):
        made = read_message(generation.get("message")) if generation.get("message") else None
        return made if made else as_events(generation.get("text"), role)
    messages = table.get("messages")
    if isinstance(messages, list) and messages and all(isinstance(item, list) for item in messages):
        inner = messages[0]
        if inner and isinstance(inner[0], dict | list):
            return as_events(inner)
    if isinstance(messages, list):
        return [event for message in items(messages) for event in read_message(message) or []]
    if "prompts" in table:
        return []
    output = table.get("output")
    if isinstance(output, dict) and set(table) <= {"output"}:
        return as_events(output)
    return io_events(value, role)
