"""One Langfuse observation as a span.

A reader must not miss: input and output come decoded, encoded once or encoded twice, as JSON or as Python text, and the
original OpenTelemetry attributes may lie in the metadata; the fuller reading of the two is taken.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.importers.conversations import as_events
from agent_claimcheck.importers.events import UNKNOWN, Event, Status, failed, said
from agent_claimcheck.importers.foreign_json import dicts, loose_json, mapping, python_literal, string
from agent_claimcheck.importers.messages.parser import read_call, read_message
from agent_claimcheck.importers.spans.containers import RawSpan
from agent_claimcheck.importers.spans.genai import io_events, kind_of, span_of, tool_output, unwrapped
from agent_claimcheck.importers.spans.record import Span, SpanKind
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import GroundTruth

_KINDS: dict[str, SpanKind] = {"TOOL": "tool", "GENERATION": "llm", "AGENT": "agent"}


def observation_span(row: dict[str, Any]) -> Span:
    """The observation in the shape all tracers share. Rows may be spelled in camelCase or snake_case."""
    metadata = mapping(loose_json(row.get("metadata")))
    attrs = mapping(loose_json(metadata.get("attributes"))) or metadata
    raw = RawSpan(
        trace_id="",
        span_id=string(row.get("id")) or f"observation-{id(row)}",
        parent_id=string(row.get("parentObservationId") or row.get("parent_observation_id")),
        name=string(row.get("name")) or "",
        start=row.get("startTime") or row.get("start_time"),
        end=row.get("endTime") or row.get("end_time"),
        attrs={key: value for key, value in attrs.items() if isinstance(key, str)},
    )
    span = span_of(raw)
    given, made = _decoded(row.get("input")), _decoded(row.get("output"))
    span.kind = _kind(row, raw, made)
    span.status = _status(row)
    span.model = string(row.get("model")) or string(row.get("provided_model_name")) or span.model
    if span.kind == "tool":
        span.tool_name = span.tool_name or _tool_name(raw, made)
        span.args = unwrapped(given) if given is not None else span.args
        if made is not None:
            _take_output(span, made)
        span.call_id = span.call_id or string(attrs.get("gen_ai.tool.call.id"))
        return span
    inputs, outputs = _io(given, "user"), _answer(made)
    if _fullness(inputs) + _fullness(outputs) >= _fullness(span.inputs) + _fullness(span.outputs):
        span.inputs, span.outputs = inputs, outputs
    if span.kind == "other":
        span.args = given if isinstance(given, dict) else None
        if made is not None:
            span.output, span.has_output = tool_output(made), True
    span.tools = span.tools or tool_defs(row.get("toolDefinitions") or mapping(given).get("tools"))
    return span


def _decoded(value: Any) -> Any:
    decoded = loose_json(value)
    return python_literal(decoded) if isinstance(decoded, str) else decoded


def _kind(row: dict[str, Any], raw: RawSpan, made: Any) -> SpanKind:
    known = _KINDS.get(str(row.get("type")))
    if known is not None:
        return known
    if _is_tool_message(made) or "gen_ai.tool.name" in raw.attrs:
        return "tool"
    kind = kind_of(raw)
    return kind if kind != "llm" else "other"


def _is_tool_message(value: Any) -> bool:
    """The value is a tool message of LangChain, or a graph state that holds just one."""
    table = mapping(value)
    return table.get("type") == "tool" and "content" in table and ("tool_call_id" in table or "status" in table)


def _tool_name(raw: RawSpan, made: Any) -> str:
    return string(mapping(made).get("name")) or raw.name.removeprefix("execute_tool ").removeprefix("running tool: ")


def _take_output(span: Span, made: Any) -> None:
    span.has_output = True
    if _is_tool_message(made):
        events = read_message(made) or []
        if events:
            span.output, span.call_id = events[0].output, events[0].call_id or span.call_id
            if span.status is UNKNOWN:
                span.status = events[0].status
            span.tool_name = events[0].name or span.tool_name
            return
    span.output = tool_output(made)


def _status(row: dict[str, Any]) -> Status:
    if row.get("level") == "ERROR":
        return failed(row.get("statusMessage") or row.get("status_message"), "flag")
    return UNKNOWN


def _fullness(events: list[Event]) -> int:
    return len(events) + 10 * sum(event.kind == "tool_call" for event in events)


_TURN = re.compile(r"(?m)^(system|developer|user|assistant|tool): ")


def _spoken(text: str) -> list[Event]:
    """A history that a tracer wrote as text, one ``role: words`` after the other."""
    pieces = _TURN.split(text)
    if len(pieces) < 3 or pieces[0].strip():
        return []
    messages = [
        {"role": role, "content": words.strip()} for role, words in zip(pieces[1::2], pieces[2::2], strict=True)
    ]
    return as_events([message for message in messages if message["role"] != "tool" and message["content"] != "None"])


def _io(value: Any, role: Any) -> list[Event]:
    if isinstance(value, str) and role == "user" and value.startswith(("system: ", "developer: ", "user: ")):
        return _spoken(value) or [said(role, value)]
    if isinstance(value, dict) and "contents" in value and isinstance(value["contents"], str):
        return [said(role, value["contents"])]
    if isinstance(value, dict) and isinstance(value.get("new_message"), dict):
        return read_message(value["new_message"]) or []
    events = io_events(value, role)
    if isinstance(value, dict) and isinstance(value.get("contents"), list):
        system = mapping(value.get("config")).get("system_instruction")
        if isinstance(system, str) and events:
            events.insert(0, said("system", system))
    return events


def _answer(value: Any) -> list[Event]:
    """What a model returned: messages, an API answer, plain text, or a bare list of calls."""
    calls = [
        call
        for entry in dicts(value)
        if ("toolName" in entry or isinstance(entry.get("function"), dict)) and (call := read_call(entry)) is not None
    ]
    if calls:
        return calls
    table = mapping(value)
    if isinstance(table.get("content"), dict) and "parts" in table["content"]:
        return read_message(table["content"]) or []
    candidates = [entry for entry in dicts(table.get("candidates")) if isinstance(entry.get("content"), dict)]
    if candidates:
        return read_message(candidates[0]["content"]) or []
    return _io(value, "agent")


def asked_and_answered(trace: dict[str, Any]) -> tuple[list[Event], list[Event]]:
    """Return what the trace itself was given and gave back: what a user said, and what the agent answered."""
    asked = [
        event for event in _io(_decoded(trace.get("input")), "user") if event.kind == "message" and event.role == "user"
    ]
    answered = [
        event for event in _answer(_decoded(trace.get("output"))) if event.kind == "message" and event.role == "agent"
    ]
    return asked, answered[-1:]


def scores_label(scores: Any) -> GroundTruth | None:
    """Scores as a label: a boolean or categorical one called success or correct decides, others are kept as unknown."""
    details: dict[str, Any] = {}
    outcome: Any = "unknown"
    source: Any = "none"
    for score in dicts(scores):
        name = string(score.get("name"))
        if name is None:
            continue
        value = score.get("stringValue") or score.get("value")
        details[name] = value
        if name.lower() in ("success", "correct", "correctness", "task_success", "passed"):
            if value in (1, 1.0, True, "True", "true", "success", "pass"):
                outcome = "success"
            elif value in (0, 0.0, False, "False", "false", "failure", "fail"):
                outcome = "failure"
            source = "human" if score.get("source") == "ANNOTATION" else "none"
    return GroundTruth(outcome=outcome, checked_by=source, details={"scores": details}) if details else None
