"""Gather the spans of a file into traces and make runs of them.

A reader must not miss: spans of one trace may lie anywhere in a file, so a file's relevant spans are kept until its end;
spans that show no agent work keep only their place in the tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.genai_spans import is_captured, span_of
from agent_claimcheck.importers.rawspans import RawSpan, iter_spans
from agent_claimcheck.importers.reading import Drafts, Reading
from agent_claimcheck.importers.span_record import Span
from agent_claimcheck.importers.spans import drafts_of_spans
from agent_claimcheck.trace.model import TraceProblem

NO_CONTENT = (
    "message and tool content was not captured: switch on content capture in the instrumentation "
    "(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, TRACELOOP_TRACE_CONTENT=true, "
    "or the framework's include_content / recordInputs and recordOutputs)"
)


def span_drafts(reading: Reading, format_name: str) -> Drafts:
    """Yield the runs of a file of spans, in the order in which their traces begin."""
    traces: dict[str, dict[str, RawSpan]] = {}
    for item in iter_spans(reading):
        if isinstance(item, TraceProblem):
            yield item
            continue
        _add(traces.setdefault(item.trace_id, {}), item)
    groups: dict[str, list[Span]] = {}
    lines: dict[str, int] = {}
    for trace_id, raws in traces.items():
        spans = [span_of(raw) for raw in raws.values()]
        name = trace_id
        if reading.options.group_by_conversation:
            name = next((span.conversation_id for span in spans if span.conversation_id), trace_id)
        groups.setdefault(name, []).extend(spans)
        lines.setdefault(name, min((raw.line for raw in raws.values()), default=0))
    for name, spans in groups.items():
        yield from _runs(reading, format_name, name, spans, lines[name])


def _add(raws: dict[str, RawSpan], raw: RawSpan) -> None:
    known = raws.get(raw.span_id)
    if known is None:
        raws[raw.span_id] = raw
    elif not raw.name and not raw.attrs:
        known.events.extend(raw.events)
    elif not known.name and not known.attrs:
        raw.events = known.events + raw.events
        raws[raw.span_id] = raw


def _runs(reading: Reading, format_name: str, name: str, spans: list[Span], line: int) -> Iterator[Draft]:
    if all(span.kind == "other" and not span.inputs and not span.outputs for span in spans):
        reading.report.drop("trace without agent spans")
        return
    tools = [span for span in spans if span.kind == "tool"]
    talking = [span for span in spans if span.inputs or span.outputs]
    if (tools and not any(map(is_captured, tools))) or (not talking and any(span.kind == "llm" for span in spans)):
        reading.report.miss(NO_CONTENT)
    for draft in drafts_of_spans(format_name, name, spans, reading.options):
        if draft.events:
            draft.line = line
            yield draft
        else:
            reading.report.miss(NO_CONTENT)
