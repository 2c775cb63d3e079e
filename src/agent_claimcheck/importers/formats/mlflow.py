"""MLflow traces: ``Trace.to_json()``, lists of them, and the ``traces.json`` artifact.

A reader must not miss: every attribute is a JSON string, previews are cut short and never used, and an explicit
``STATUS_CODE_OK`` is written by MLflow for every span that did not raise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import UNKNOWN, Status, failed, spanned
from agent_claimcheck.importers.foreign_json import dicts, loose_json, mapping, string, walk
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.importers.spans.containers import number
from agent_claimcheck.importers.spans.genai import io_events, unwrapped
from agent_claimcheck.importers.spans.record import Span, SpanKind
from agent_claimcheck.importers.spans.transcript import drafts_of_spans
from agent_claimcheck.importers.toolset import tool_defs

_NAME = "mlflow"
_KINDS: dict[str, SpanKind] = {"TOOL": "tool", "CHAT_MODEL": "llm", "LLM": "llm", "AGENT": "agent"}


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if isinstance(record.get("info"), dict) and isinstance(walk(record, "data", "spans"), list):
            return "info and data.spans"
        attrs = mapping(walk(record, "spans", 0, "attributes"))
        if any(str(key).startswith("mlflow.") for key in attrs):
            return "spans with mlflow attributes"
    return None


def _drafts(reading: Reading) -> Drafts:
    return each_row(reading, lambda row: _runs(row, reading))


def _runs(row: Row, reading: Reading) -> Iterator[Draft]:
    value = mapping(row.value)
    info = mapping(value.get("info"))
    entries = list(dicts(walk(value, "data", "spans") or value.get("spans")))
    if not info and not entries:
        reading.report.lose("record of no known kind", line=row.line)
        return
    trace_id = string(info.get("trace_id")) or string(info.get("request_id"))
    if trace_id is None:
        asked = next((string(_attr(entry, "mlflow.traceRequestId")) for entry in entries), None)
        trace_id = asked or f"mlflow-{row.line}"
    session = string(walk(info, "trace_metadata", "mlflow.trace.session"))
    for draft in drafts_of_spans(_NAME, trace_id, [_span(entry) for entry in entries], reading.options):
        if not draft.events:
            reading.report.miss("spans hold no inputs and outputs")
            continue
        draft.line = row.line
        draft.conversation_id = draft.conversation_id or session
        yield draft


def _attr(entry: dict[str, Any], key: str) -> Any:
    return loose_json(mapping(entry.get("attributes")).get(key))


def _span(entry: dict[str, Any]) -> Span:
    context = mapping(entry.get("context"))
    kind = _attr(entry, "mlflow.spanType")
    start = number(entry.get("start_time_unix_nano", entry.get("start_time")))
    span = Span(
        span_id=string(entry.get("span_id")) or string(context.get("span_id")) or f"span-{start}",
        parent_id=string(entry.get("parent_span_id")) or string(entry.get("parent_id")),
        kind=_KINDS.get(str(kind).strip('"'), "other"),
        name=string(entry.get("name")) or "",
        start=start,
        end=number(entry.get("end_time_unix_nano", entry.get("end_time"))),
        order=start or 0,
        status=_status(entry),
    )
    given, made = _attr(entry, "mlflow.spanInputs"), _attr(entry, "mlflow.spanOutputs")
    if span.kind == "tool":
        span.tool_name, span.args = span.name or "unknown", unwrapped(given)
        span.has_output = made is not None
        span.output = made
        return span
    span.inputs, span.outputs = io_events(given, "user"), io_events(made, "agent")
    if not span.inputs and isinstance(given, dict) and len(given) == 1:
        span.inputs = io_events(next(iter(given.values())), "user")
    span.tools = tool_defs(_attr(entry, "mlflow.chat.tools"))
    return span


def _status(entry: dict[str, Any]) -> Status:
    status = entry.get("status")
    code = mapping(status).get("code") if isinstance(status, dict) else entry.get("status_code")
    message: Any = mapping(status).get("message") or entry.get("status_message")
    for event in dicts(entry.get("events")):
        if event.get("name") == "exception":
            details = mapping(event.get("attributes"))
            kind, text = loose_json(details.get("exception.type")), loose_json(details.get("exception.message"))
            if kind or text:
                message = {"type": str(kind or ""), "message": str(text or "")}
    found = spanned(code, message)
    if found is UNKNOWN and message:
        return failed(message, "exception")
    return found


IMPORTER = FormatImporter(
    name=_NAME,
    title="MLflow traces",
    recognised_by="info and data.spans, or spans whose attributes begin with mlflow.",
    recognise_by=_recognise,
    drafts=_drafts,
)
