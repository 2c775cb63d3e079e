"""Langfuse exports: UI downloads, API traces, pages of observations, rows of blob exports.

A reader must not miss: Langfuse carries what other frameworks wrote. Tools of older traces are plain SPANs, told by
their name (a model asked for it) or by the tool message they return; level ERROR is the only failure flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import iter_members
from agent_claimcheck.importers.foreign_json import dicts, loose_json, mapping, string
from agent_claimcheck.importers.formats.langfuse_observation import asked_and_answered, observation_span, scores_label
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.importers.spans.record import Span
from agent_claimcheck.importers.spans.transcript import drafts_of_spans
from agent_claimcheck.trace.model import TraceProblem

_NAME = "langfuse"


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        trace = record.get("trace")
        if isinstance(trace, dict) and ("observations" in record or "projectId" in trace or "observations" in trace):
            return "trace and observations (UI download)"
        if isinstance(record.get("observations"), list) and ("timestamp" in record or "projectId" in record):
            return "a trace with observations (API)"
        if _is_observation(record) or any(_is_observation(item) for item in dicts(record.get("data"))):
            return "observations with traceId, type and startTime"
    return None


def _is_observation(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or not kind.isupper():
        return False
    return ("traceId" in record and "startTime" in record) or ("trace_id" in record and "start_time" in record)


def _drafts(reading: Reading) -> Drafts:
    groups: dict[str, list[dict[str, Any]]] = {}
    if reading.head().layout == "object":
        for item in iter_members(reading.stream, reading.file, ["data"]):
            if isinstance(item, TraceProblem):
                yield item
                continue
            yield from _take(mapping(item[1].value), item[1].line, groups, reading)
    else:
        yield from each_row(reading, lambda row: _take(mapping(row.value), row.line, groups, reading))
    for trace_id, observations in groups.items():
        yield from _runs({"id": trace_id}, observations, 1, reading)


def _take(
    value: dict[str, Any], line: int, groups: dict[str, list[dict[str, Any]]], reading: Reading
) -> Iterator[Draft]:
    trace = mapping(value.get("trace"))
    observations = value.get("observations") or trace.get("observations")
    if isinstance(observations, list):
        yield from _runs(trace or value, list(dicts(observations)), line, reading)
    elif _is_observation(value):
        groups.setdefault(string(value.get("traceId") or value.get("trace_id")) or "trace", []).append(value)
    elif value.get("data") is None:
        reading.report.lose("record of no known kind", line=line)


def _runs(trace: dict[str, Any], rows: list[dict[str, Any]], line: int, reading: Reading) -> Iterator[Draft]:
    trace_id = string(trace.get("id")) or "langfuse-trace"
    spans = [observation_span(row) for row in rows]
    _name_tools(spans)
    drafts = drafts_of_spans(_NAME, trace_id, spans, reading.options)
    if not any(draft.events for draft in drafts):
        reading.report.miss("the observations hold no input and output: export them with the io fields")
    for number, draft in enumerate(drafts):
        if not draft.events:
            continue
        draft.line = line
        if number == 0:
            draft.conversation_id = string(trace.get("sessionId")) or draft.conversation_id
            draft.ground_truth = scores_label(trace.get("scores"))
            output = loose_json(trace.get("output"))
            texts = {event.text for event in draft.events if event.kind == "message" and event.role == "agent"}
            if isinstance(output, str) and output in texts:
                draft.final_text = output
            if len(drafts) == 1:
                _take_own_words(draft, trace)
        yield draft


def _take_own_words(draft: Draft, trace: dict[str, Any]) -> None:
    """Add request and answer of the trace itself where no observation holds one: no model call was traced, only tools."""
    roles = {event.role for event in draft.events if event.kind == "message"}
    asked, answered = asked_and_answered(trace)
    if "user" not in roles:
        draft.events[:0] = asked
    if "agent" not in roles:
        draft.add(answered)


def _name_tools(spans: list[Span]) -> None:
    """A span named like a tool that a model asked for is that tool's run."""
    asked = {
        event.name
        for span in spans
        for event in (*span.inputs, *span.outputs)
        if event.kind == "tool_call" and event.name
    }
    for span in spans:
        if span.kind == "other" and span.name in asked and (span.args is not None or span.has_output):
            span.kind, span.tool_name = "tool", span.name
        if span.kind == "tool":
            span.inputs, span.outputs = [], []


IMPORTER = FormatImporter(
    name=_NAME,
    title="Langfuse exports",
    recognised_by="trace and observations, or observations with traceId, type and startTime",
    recognise_by=_recognise,
    drafts=_drafts,
)
