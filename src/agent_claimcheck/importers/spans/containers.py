"""Read spans out of their containers: OTLP JSON, Tempo, Jaeger, the console exporter, Phoenix rows.

A reader must not miss: only spans that show agent work keep their attributes. HTTP and database spans keep their place
in the tree and nothing else, so that headers and addresses are never imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from agent_claimcheck.core.text import whole_number
from agent_claimcheck.importers.documents import iter_members, iter_rows
from agent_claimcheck.importers.foreign_json import dicts, items, mapping, string
from agent_claimcheck.importers.reading import Reading
from agent_claimcheck.importers.spans.flat import flattened
from agent_claimcheck.trace.model import TraceProblem

_OURS = (
    *("gen_ai.", "ai.", "llm.", "traceloop.", "gcp.vertex.agent", "openinference.", "input.value", "output.value"),
    *("tool", "pydantic_ai", "all_messages", "final_result", "agent", "mcp.", "operation.name", "session.id", "events"),
    *("graph.node", "user.id", "metadata", "model_name", "logfire.", "langfuse.", "error.type", "message"),
)


class RawSpan(Struct, kw_only=True):
    """A span with its attributes as plain values. ``start`` and ``end`` are ns numbers or ISO text."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start: Any
    end: Any
    attrs: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    status: Any = None
    message: str | None = None
    line: int = 0


def iter_spans(reading: Reading) -> Iterator[RawSpan | TraceProblem]:
    """Yield the spans of a file in the order written; log records come as events of a span without a name."""
    if reading.head().layout == "object":
        for item in iter_members(reading.stream, reading.file, ["resourceSpans", "batches", "resourceLogs", "data"]):
            if isinstance(item, TraceProblem):
                yield item
                continue
            key, row = item
            if key is not None:
                yield from _container({key: [row.value]}, row.line)
            elif not (isinstance(row.value, dict) and _is_emptied(row.value)):
                yield from _container(row.value, row.line)
        return
    for entry in iter_rows(reading.stream, reading.file):
        if isinstance(entry, TraceProblem):
            yield entry
        elif isinstance(entry.value, dict):
            yield from _container(entry.value, entry.line)
        else:
            reading.report.lose("record of no known kind", line=entry.line)


def _is_emptied(value: dict[str, Any]) -> bool:
    return any(value.get(key) == [] for key in ("resourceSpans", "batches", "resourceLogs", "data"))


def _container(value: dict[str, Any], line: int) -> Iterator[RawSpan]:
    for key in ("resourceSpans", "resource_spans", "batches"):
        for resource in dicts(value.get(key)):
            yield from _otlp(resource, line)
    for resource in dicts(value.get("resourceLogs")):
        yield from _logs(resource, line)
    for trace in dicts(value.get("data")):
        if isinstance(trace.get("spans"), list):
            for span in dicts(trace["spans"]):
                yield _jaeger(span, line)
    if "scopeSpans" in value or "instrumentationLibrarySpans" in value:
        yield from _otlp(value, line)
    if "operationName" in value and "spanID" in value:
        yield _jaeger(value, line)
    elif "traceId" in value and "spanId" in value:
        yield _otlp_span(value, line)
    elif isinstance(value.get("context"), dict):
        yield _console(value, line)
    elif "context.trace_id" in value:
        yield _console(_unflattened_row(value), line)
    elif isinstance(value.get("spans"), list):
        for span in dicts(value["spans"]):
            yield from _container(span, line)


def _otlp(resource: dict[str, Any], line: int) -> Iterator[RawSpan]:
    for key in ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
        for scope in dicts(resource.get(key)):
            for span in dicts(scope.get("spans")):
                yield _otlp_span(span, line)


def _otlp_span(span: dict[str, Any], line: int) -> RawSpan:
    status = mapping(span.get("status"))
    return RawSpan(
        trace_id=string(span.get("traceId")) or string(span.get("trace_id")) or "trace",
        span_id=string(span.get("spanId")) or string(span.get("span_id")) or f"line-{line}",
        parent_id=string(span.get("parentSpanId")) or string(span.get("parent_span_id")),
        name=string(span.get("name")) or "",
        start=number(span.get("startTimeUnixNano", span.get("start_time_unix_nano"))),
        end=number(span.get("endTimeUnixNano", span.get("end_time_unix_nano"))),
        attrs=_kept(attributes(span.get("attributes"))),
        events=[(string(e.get("name")) or "", attributes(e.get("attributes"))) for e in dicts(span.get("events"))],
        status=status.get("code"),
        message=string(status.get("message")),
        line=line,
    )


def _logs(resource: dict[str, Any], line: int) -> Iterator[RawSpan]:
    """GenAI events written as log records belong to the span they name."""
    for scope in dicts(resource.get("scopeLogs")):
        for record in dicts(scope.get("logRecords")):
            attrs = attributes(record.get("attributes"))
            name = string(record.get("eventName")) or string(attrs.get("event.name")) or ""
            body = _plain_value(record.get("body"))
            event = {**attrs, **(body if isinstance(body, dict) else {"content": body} if body is not None else {})}
            yield RawSpan(
                trace_id=string(record.get("traceId")) or "trace",
                span_id=string(record.get("spanId")) or f"log-{line}",
                parent_id=None,
                name="",
                start=number(record.get("timeUnixNano")),
                end=None,
                attrs={},
                events=[(name, event)],
                line=line,
            )


def _jaeger(span: dict[str, Any], line: int) -> RawSpan:
    attrs = {tag["key"]: tag.get("value") for tag in dicts(span.get("tags")) if isinstance(tag.get("key"), str)}
    parent = next(
        (string(ref.get("spanID")) for ref in dicts(span.get("references")) if ref.get("refType") == "CHILD_OF"), None
    )
    events = []
    for log in dicts(span.get("logs")):
        fields = {f["key"]: f.get("value") for f in dicts(log.get("fields")) if isinstance(f.get("key"), str)}
        events.append((string(fields.pop("event", None)) or "", fields))
    start, duration = number(span.get("startTime")), number(span.get("duration"))
    begin = start * 1000 if start is not None else None
    status = attrs.get("otel.status_code") or ("ERROR" if attrs.get("error") is True else None)
    return RawSpan(
        trace_id=string(span.get("traceID")) or "trace",
        span_id=string(span.get("spanID")) or f"line-{line}",
        parent_id=parent,
        name=string(span.get("operationName")) or "",
        start=begin,
        end=begin + (duration or 0) * 1000 if begin is not None else None,
        attrs=_kept(attrs),
        events=events,
        status=status,
        message=string(attrs.get("otel.status_description")),
        line=line,
    )


def _unflattened_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a span data frame: ``context.`` and ``attributes.`` are part of the column names."""
    attrs = {key.removeprefix("attributes."): item for key, item in row.items() if key.startswith("attributes.")}
    context = {"trace_id": row.get("context.trace_id"), "span_id": row.get("context.span_id")}
    return {**row, "context": context, "attributes": {key: item for key, item in attrs.items() if item is not None}}


def _console(span: dict[str, Any], line: int) -> RawSpan:
    context, status = mapping(span.get("context")), mapping(span.get("status"))
    attrs = dict(flattened(mapping(span.get("attributes"))))
    kind = span.get("span_kind")
    if isinstance(kind, str):
        attrs.setdefault("openinference.span.kind", kind)
    return RawSpan(
        trace_id=string(context.get("trace_id")) or "trace",
        span_id=string(context.get("span_id")) or f"line-{line}",
        parent_id=string(span.get("parent_id")),
        name=string(span.get("name")) or "",
        start=span.get("start_time"),
        end=span.get("end_time"),
        attrs=_kept(attrs),
        events=[(string(e.get("name")) or "", mapping(e.get("attributes"))) for e in dicts(span.get("events"))],
        status=status.get("status_code") or span.get("status_code"),
        message=string(status.get("description")) or string(span.get("status_message")),
        line=line,
    )


def _kept(attrs: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in attrs.items() if key.startswith(_OURS)}


def attributes(value: Any) -> dict[str, Any]:
    """OTLP attributes (a list of key and typed value) or a plain object, as a plain dict."""
    if isinstance(value, dict):
        return flattened(value)
    out = {}
    for entry in dicts(value):
        key = entry.get("key")
        if isinstance(key, str):
            out[key] = _plain_value(entry.get("value"))
    return out


def _plain_value(value: Any, depth: int = 40) -> Any:
    """An OTLP ``AnyValue`` as a plain value."""
    if value == {}:
        return None
    if not isinstance(value, dict) or depth <= 0:
        return value
    for key in ("stringValue", "boolValue", "doubleValue", "string_value", "bool_value", "double_value"):
        if key in value:
            return value[key]
    for key in ("intValue", "int_value"):
        if key in value:
            found = number(value[key])
            return value[key] if found is None else found
    for key in ("arrayValue", "array_value"):
        if key in value:
            return [_plain_value(item, depth - 1) for item in items(mapping(value[key]).get("values"))]
    for key in ("kvlistValue", "kvlist_value"):
        if key in value:
            pairs = dicts(mapping(value[key]).get("values"))
            return {str(pair.get("key")): _plain_value(pair.get("value"), depth - 1) for pair in pairs}
    return value


def number(value: Any) -> int | None:
    """A whole number written as a number or as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and abs(value) < 1e22:
        return int(value)
    return whole_number(value) if isinstance(value, str) else None
