"""OpenInference spans (Phoenix): rows with ``span_kind``, or OTLP whose attributes follow that convention.

A reader must not miss: tool spans usually have no call id here; calls are matched through the model calls' messages.
"""

from __future__ import annotations

from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.importers.spans.runs import span_drafts


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if (isinstance(record.get("context"), dict) or "context.trace_id" in record) and "span_kind" in record:
            return "spans with context and span_kind (Phoenix)"
        is_spans = any(key in record for key in ("resourceSpans", "scopeSpans", "batches", "context", "traceId"))
        if is_spans and b"openinference.span.kind" in head.raw and b"gen_ai.operation.name" not in head.raw:
            return "spans with openinference.span.kind"
    return None


def _drafts(reading: Reading) -> Drafts:
    return span_drafts(reading, "openinference")


IMPORTER = FormatImporter(
    name="openinference",
    title="OpenInference / Phoenix spans",
    recognised_by="spans with span_kind, or attributes openinference.span.kind",
    recognise_by=_recognise,
    drafts=_drafts,
)
