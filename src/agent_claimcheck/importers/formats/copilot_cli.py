"""GitHub Copilot CLI event logs.

A reader must not miss: ``success`` of ``tool.execution_complete`` is the flag; events that name a parent call belong to
a sub-agent.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import Event, called, flagged, returned, said
from agent_claimcheck.importers.foreign_json import arguments_of, dicts, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import result_value
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import AgentRef, End

_NAME = "copilot-cli"


def _recognise(head: Head) -> str | None:
    for record in head.records:
        kind = record.get("type")
        if not isinstance(record.get("data"), dict) or not isinstance(kind, str):
            continue
        if kind.startswith(("session.start", "assistant.message", "tool.execution_", "user.message")):
            return "events with type and data (session.start, tool.execution_complete)"
    return None


def _drafts(reading: Reading) -> Drafts:
    main = Draft(format=_NAME, domain="coding")
    children: dict[str, Draft] = {}
    started: set[str] = set()

    def take(row: Row) -> None:
        record = mapping(row.value)
        data = mapping(record.get("data"))
        main.add_row(row.line, row.raw)
        made = _events(record, data, main, started)
        parent = string(data.get("parentToolCallId"))
        if made is None:
            reading.report.drop(str(record.get("type"))[:60])
        elif parent is None or reading.options.subagents == "inline":
            for event in made:
                event.agent_id = parent
                if parent and event.kind == "message":
                    event.role = "other_agent"
            main.add(made)
        else:
            children.setdefault(parent, Draft(format=_NAME, domain="coding", line=row.line)).add(made)

    yield from each_row(reading, take)
    name = main.trace_id or "copilot"
    for parent, child in children.items():
        child.trace_id, child.conversation_id = f"{name}/{parent}", name
        main.subtraces.append((child.trace_id, parent, "delegate"))
    if main.events:
        yield main
    yield from (child for child in children.values() if child.events)


def _events(record: dict[str, Any], data: dict[str, Any], main: Draft, started: set[str]) -> list[Event] | None:
    kind, ts, ref = record.get("type"), record.get("timestamp"), string(record.get("id"))
    if kind == "session.start":
        main.trace_id = string(data.get("sessionId"))
        main.model = string(data.get("selectedModel"))
        return []
    if kind == "session.error":
        main.end = End(reason="error", detail=string(data.get("message")))
        return []
    if kind == "user.message":
        text = string(data.get("content"))
        return [said("user", text, ts=ts, ref=ref)] if text else []
    if kind == "system.message":
        text = string(data.get("content"))
        return [said("system", text, ts=ts, ref=ref)] if text else []
    if kind == "assistant.message":
        main.end = None
        return _answer(data, ts, ref, started)
    if kind == "tool.execution_start":
        call_id = string(data.get("toolCallId"))
        if call_id is None or call_id in started:
            return []
        started.add(call_id)
        return [called(data.get("toolName"), data.get("arguments"), call_id, ts=ts, ref=ref)]
    if kind == "tool.execution_complete":
        success = data.get("success")
        error = mapping(data.get("error")).get("message")
        status = flagged(not success, error) if isinstance(success, bool) else flagged(None)
        output = mapping(data.get("result")).get("content", data.get("result"))
        return [returned(None, result_value(output), data.get("toolCallId"), status=status, ts=ts, ref=ref)]
    if kind == "subagent.started":
        name = string(data.get("agentName")) or "agent"
        main.agents.append(AgentRef(id=name, name=name, parent_call_id=string(data.get("toolCallId"))))
        return []
    return None


def _answer(data: dict[str, Any], ts: Any, ref: str | None, started: set[str]) -> list[Event]:
    events = []
    for key, kind in (("reasoningText", "reasoning"), ("content", "message")):
        text = string(data.get(key))
        if text:
            word: Any = kind
            events.append(said("agent", text, ts=ts, kind=word, ref=ref))
    for request in dicts(data.get("toolRequests")):
        call_id = string(request.get("toolCallId"))
        if call_id is not None and call_id not in started:
            started.add(call_id)
            events.append(called(request.get("name"), arguments_of(request, "arguments"), call_id, ts=ts, ref=ref))
    return events


IMPORTER = FormatImporter(
    name=_NAME,
    title="Copilot CLI events",
    recognised_by="events with type and data, such as session.start and tool.execution_complete",
    recognise_by=_recognise,
    drafts=_drafts,
)
