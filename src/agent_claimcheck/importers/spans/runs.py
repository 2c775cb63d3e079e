"""Gather the spans of a file into traces and make runs of them.

A reader must not miss: spans of one trace may lie anywhere in a file, so they are kept until its end. Only when a file
is so large that this would take too much memory are traces whose root span was seen handed out before.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.reading import Drafts, Reading
from agent_claimcheck.importers.spans.containers import RawSpan, iter_spans
from agent_claimcheck.importers.spans.genai import is_captured, span_of
from agent_claimcheck.importers.spans.record import Span
from agent_claimcheck.importers.spans.transcript import drafts_of_spans
from agent_claimcheck.trace.model import TraceProblem

NO_CONTENT = (
    "message and tool content was not captured: switch on content capture in the instrumentation "
    "(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, TRACELOOP_TRACE_CONTENT=true, "
    "or the framework's include_content / recordInputs and recordOutputs)"
)

_MAX_HELD = 128 << 20
"""Bytes of span content kept at most, by a rough count."""


def span_drafts(reading: Reading, format_name: str) -> Drafts:
    """Yield the runs of a file of spans, in the order in which their traces begin."""
    held = _Held()
    for item in iter_spans(reading):
        if isinstance(item, TraceProblem):
            yield item
            continue
        held.add(item)
        if held.size > _MAX_HELD and not reading.options.group_by_conversation:
            for trace_id, released in held.release():
                yield from _runs(reading, format_name, trace_id, released)
    groups: dict[str, list[RawSpan]] = {}
    for trace_id, raws in held.traces.items():
        name = trace_id
        if reading.options.group_by_conversation:
            name = next((found for raw in raws.values() if (found := span_of(raw).conversation_id)), trace_id)
        groups.setdefault(name, []).extend(raws.values())
    for name, members in groups.items():
        yield from _runs(reading, format_name, name, members)


class _Held:
    """The spans kept until their traces are complete. In a large file traces whose root has been seen go first."""

    def __init__(self) -> None:
        self.traces: dict[str, dict[str, RawSpan]] = {}
        self.size = 0
        self._sizes: dict[str, int] = {}

    def add(self, raw: RawSpan) -> None:
        """Keep a span; log records are joined to the span they name."""
        size = 300 + sum(len(value) for value in raw.attrs.values() if isinstance(value, str))
        self.size += size
        self._sizes[raw.trace_id] = self._sizes.get(raw.trace_id, 0) + size
        _add(self.traces.setdefault(raw.trace_id, {}), raw)

    def release(self) -> Iterator[tuple[str, list[RawSpan]]]:
        """Hand out the older half of the traces that look complete, or of all traces when none does."""
        complete = [name for name, raws in self.traces.items() if any(raw.parent_id is None for raw in raws.values())]
        names = complete or list(self.traces)
        for name in names[: max(1, len(names) // 2)]:
            self.size -= self._sizes.pop(name)
            yield name, list(self.traces.pop(name).values())


def _add(raws: dict[str, RawSpan], raw: RawSpan) -> None:
    known = raws.get(raw.span_id)
    if known is None:
        raws[raw.span_id] = raw
    elif not raw.name and not raw.attrs:
        known.events.extend(raw.events)
    elif not known.name and not known.attrs:
        raw.events = known.events + raw.events
        raws[raw.span_id] = raw


def _runs(reading: Reading, format_name: str, name: str, raws: list[RawSpan]) -> Iterator[Draft]:
    spans: list[Span] = [span_of(raw) for raw in raws]
    if all(span.kind == "other" and not span.inputs and not span.outputs for span in spans):
        reading.report.drop("trace without agent spans")
        return
    tools = [span for span in spans if span.kind == "tool"]
    is_silent = not any(span.inputs or span.outputs for span in spans)
    if (tools and not any(map(is_captured, tools))) or (is_silent and any(span.kind == "llm" for span in spans)):
        reading.report.miss(NO_CONTENT)
    line = min((raw.line for raw in raws), default=0)
    for draft in drafts_of_spans(format_name, name, spans, reading.options):
        if draft.events:
            draft.line = line
            yield draft
        else:
            reading.report.miss(NO_CONTENT)
