"""OpenAI Agents SDK: exported trace spans and saved run states.

A reader must not miss: a default trace export holds neither the instruction nor the final answer (response spans carry an
id only), so the report says what to log as well; a function span's ``error`` is a real flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.conversations import as_events
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import SUCCEEDED_WEAKLY, UNKNOWN, Status, failed, said
from agent_claimcheck.importers.foreign_json import dicts, items, loose_json, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.messages.responses import response_items
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.importers.spans.record import Span, SpanKind
from agent_claimcheck.importers.spans.transcript import drafts_of_spans
from agent_claimcheck.trace.model import AgentRef

_NAME = "openai-agents"
_KINDS: dict[str, SpanKind] = {"function": "tool", "generation": "llm", "response": "llm", "agent": "agent"}
NO_MESSAGES = (
    "the trace holds no messages: log RunResult.to_input_list() as well, or switch on "
    "trace_include_sensitive_data, to have the instruction and the answer"
)


def _recognise(head: Head) -> str | None:
    for record in head.records:
        if record.get("object") in ("trace.span", "trace") and ("span_data" in record or "workflow_name" in record):
            return "object is trace or trace.span"
        if "$schemaVersion" in record and ("generated_items" in record or "original_input" in record):
            return "a run state ($schemaVersion, generated_items)"
    return None


def _drafts(reading: Reading) -> Drafts:
    spans: dict[str, list[Span]] = {}
    lines: dict[str, int] = {}
    groups: dict[str, str | None] = {}

    def take(row: Row) -> Iterator[Draft]:
        record = mapping(row.value)
        if "$schemaVersion" in record:
            yield _state(row, record)
        elif record.get("object") == "trace":
            name = string(record.get("id")) or "trace"
            groups[name] = string(record.get("group_id"))
            lines.setdefault(name, row.line)
        elif isinstance(record.get("span_data"), dict):
            trace = string(record.get("trace_id")) or "trace"
            lines.setdefault(trace, row.line)
            spans.setdefault(trace, []).append(_span(record))
        else:
            reading.report.drop(str(record.get("object") or "record")[:60])

    yield from each_row(reading, take)
    for trace, members in spans.items():
        yield from _run(trace, members, lines[trace], groups.get(trace), reading)


def _run(trace: str, spans: list[Span], line: int, group: str | None, reading: Reading) -> Iterator[Draft]:
    if not any(span.inputs or span.outputs for span in spans):
        reading.report.miss(NO_MESSAGES)
    for draft in drafts_of_spans(_NAME, trace, spans, reading.options):
        if not draft.events:
            continue
        draft.line, draft.conversation_id = line, group or draft.conversation_id
        yield draft


def _span(record: dict[str, Any]) -> Span:
    data = mapping(record.get("span_data"))
    start = record.get("started_at")
    span = Span(
        span_id=string(record.get("id")) or "span",
        parent_id=string(record.get("parent_id")),
        kind=_KINDS.get(str(data.get("type")), "other"),
        name=string(data.get("name")) or "",
        start=start,
        end=record.get("ended_at"),
        order=start if isinstance(start, str) else "",
        model=string(data.get("model")),
    )
    if span.kind == "tool":
        span.tool_name, span.args = span.name or "unknown", data.get("input")
        span.output, span.has_output = data.get("output"), data.get("output") is not None
        span.status = _status(record)
    elif data.get("type") == "generation":
        span.inputs, span.outputs = as_events(loose_json(data.get("input"))), as_events(loose_json(data.get("output")))
    elif data.get("type") == "response":
        span.inputs = as_events(loose_json(data.get("input")))
        answer = mapping(data.get("response"))
        span.outputs = [
            e for item in response_items({"output": answer.get("output")}) for e in read_message(item) or []
        ]
    elif data.get("type") == "agent":
        span.agent = span.name or None
    return span


def _status(record: dict[str, Any]) -> Status:
    error = record.get("error")
    if error:
        details = mapping(mapping(error).get("data"))
        return failed(details.get("error") or mapping(error).get("message") or error, "exception")
    # The SDK writes ``error: null`` on every span that did not raise.
    return SUCCEEDED_WEAKLY if "error" in record else UNKNOWN


def _state(row: Row, state: dict[str, Any]) -> Draft:
    draft = Draft(format=_NAME, line=row.line, seed=row.raw, flavour=f"run state {state.get('$schemaVersion')}"[:40])
    trace = mapping(state.get("trace"))
    draft.trace_id = string(trace.get("id")) or string(trace.get("trace_id"))
    draft.conversation_id = string(state.get("conversation_id"))
    given = state.get("original_input")
    draft.add([said("user", given)] if isinstance(given, str) and given else as_events(given))
    agents: dict[str, AgentRef] = {}
    produced = items(state.get("generated_items")) or items(state.get("session_items"))
    for item in dicts(produced):
        agent = string(mapping(item.get("agent")).get("name")) or string(mapping(item.get("source_agent")).get("name"))
        if agent:
            agents.setdefault(agent, AgentRef(id=agent, name=agent))
        for event in read_message(item.get("raw_item")) or []:
            event.agent_id = agent
            draft.events.append(event)
    if not produced:
        for response in dicts(state.get("model_responses")):
            draft.add([e for raw in items(response.get("output")) for e in read_message(raw) or []])
    draft.agents = list(agents.values()) if len(agents) > 1 else []
    return draft


IMPORTER = FormatImporter(
    name=_NAME,
    title="OpenAI Agents SDK traces and run states",
    recognised_by="lines with object trace or trace.span; an object with $schemaVersion and generated_items",
    recognise_by=_recognise,
    drafts=_drafts,
)
