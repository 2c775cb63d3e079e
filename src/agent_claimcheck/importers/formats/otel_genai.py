"""OpenTelemetry GenAI spans: OTLP JSON, Tempo, Jaeger and console exports, in the current and the older dialects.

A reader must not miss: a span status of ERROR is a failure; UNSET says nothing and an explicit OK is weak, because many
instrumentations leave OK on failures that the framework handled.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.foreign_json import walk
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.importers.spans.runs import span_drafts


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        found = _container(record)
        if found is not None:
            return found
    return None


def _container(record: dict[str, Any]) -> str | None:
    if isinstance(record.get("resourceSpans"), list):
        return "resourceSpans (OTLP)"
    if isinstance(record.get("batches"), list):
        return "batches (Tempo)"
    if isinstance(record.get("resourceLogs"), list):
        return "resourceLogs (OTLP log records)"
    if "scopeSpans" in record or "instrumentationLibrarySpans" in record:
        return "scopeSpans (OTLP)"
    if isinstance(walk(record, "data", 0, "traceID"), str) or ("operationName" in record and "spanID" in record):
        return "data with traceID and spans (Jaeger)"
    if "traceId" in record and "spanId" in record and ("attributes" in record or "startTimeUnixNano" in record):
        return "spans with traceId and spanId"
    context = record.get("context")
    if isinstance(context, dict) and "trace_id" in context and "attributes" in record:
        return "spans with name, context and attributes (console exporter)"
    return None


def _drafts(reading: Reading) -> Drafts:
    return span_drafts(reading, "otel-genai")


IMPORTER = FormatImporter(
    name="otel-genai",
    title="OpenTelemetry GenAI spans",
    recognised_by="resourceSpans, batches, Jaeger data, or spans with context and attributes",
    recognise_by=_recognise,
    drafts=_drafts,
)
