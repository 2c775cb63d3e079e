"""Claude Code: session files, sub-agent files, ``--output-format stream-json`` and web exports.

A reader must not miss: a sub-agent becomes a trace of its own, linked from the parent's delegating call, unless the
caller asked for ``inline``; its report is its own claim, and its receipts are not the parent's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import dicts, string
from agent_claimcheck.importers.formats.claude_session import Lane, Session
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import AgentRef

_NAME = "claude-code"
_OPEN_SESSIONS = 32
"""How many sessions of one file are kept open; with more, the one that began first is handed out."""


def _recognise(head: Head) -> str | None:
    if isinstance(head.object.get("loglines"), list):
        return "web export (loglines)"
    for record in head.records:
        if _is_line(record):
            return "lines of type user and assistant with sessionId and uuid"
        if record.get("type") == "system" and record.get("subtype") == "init" and "session_id" in record:
            return "stream of system/init, assistant, user and result lines"
    return None


def _is_line(record: dict[str, Any]) -> bool:
    if record.get("type") not in ("user", "assistant") or not isinstance(record.get("message"), dict):
        return False
    return ("sessionId" in record or "session_id" in record) and ("uuid" in record or "parent_tool_use_id" in record)


def _drafts(reading: Reading) -> Drafts:
    sessions: dict[str, Session] = {}
    where: dict[str, str] = {}

    def take(row: Row) -> Iterator[Draft]:
        if not isinstance(row.value, dict):
            reading.report.lose("record of no known kind", line=row.line)
            return
        logs = row.value.get("loglines")
        lines = dicts(logs) if isinstance(logs, list) else iter([row.value])
        for record in lines:
            session = _session_of(record, sessions, where)
            if session is None:
                reading.report.drop(str(record.get("type"))[:60])
                continue
            dropped = session.add(record, row.line)
            if dropped:
                reading.report.drop(dropped)
        if len(sessions) > _OPEN_SESSIONS:
            oldest = sessions.pop(next(iter(sessions)))
            yield from _finish(oldest, reading)

    yield from each_row(reading, take)
    for session in sessions.values():
        yield from _finish(session, reading)


def _session_of(record: dict[str, Any], sessions: dict[str, Session], where: dict[str, str]) -> Session | None:
    """The session a line belongs to: that of its parent when the parent is known, else that of its id."""
    name = string(record.get("sessionId")) or string(record.get("session_id"))
    if name is None:
        if "message" in record and sessions:
            return next(reversed(sessions.values()))
        return sessions.setdefault("session", Session("session")) if "message" in record else None
    if record.get("type") in ("user", "assistant") and name not in sessions:
        parent = string(record.get("parentUuid"))
        if parent is not None:
            for other in sessions.values():
                if parent in other.parents:
                    where[name] = other.name
    name = where.get(name, name)
    if name not in sessions:
        sessions[name] = Session(name)
    return sessions[name]


def _finish(session: Session, reading: Reading) -> Iterator[Draft]:
    lanes = dict(session.lanes)
    main = session.main
    names = dict(session.links)
    if not main.entries:
        # A sub-agent's own file: its lane is all there is.
        for name, lane in lanes.items():
            yield _draft(session, lane, _agent_trace_id(session.name, name), reading)
        return
    draft = _draft(session, main, session.name, reading)
    draft.end, draft.final_text = session.end, session.final_text
    draft.tools = tool_defs(session.tools)
    if draft.tools:
        draft.allowed_tools = [tool.name for tool in draft.tools]
    if reading.options.subagents == "inline":
        for name, lane in lanes.items():
            _inline(draft, session, lane, name, names.get(name) or lane.parent_call)
        yield draft
        return
    calls = {event.call_id for event in draft.events if event.kind == "tool_call"}
    for name in {**names, **dict.fromkeys(lanes)}:
        call = names.get(name) or (lanes[name].parent_call if name in lanes else None)
        draft.subtraces.append((_agent_trace_id(session.name, name), call if call in calls else None, "delegate"))
    yield draft
    for name, lane in lanes.items():
        yield _draft(session, lane, _agent_trace_id(session.name, name), reading)


def _agent_trace_id(session: str, name: str) -> str:
    return session if session == f"agent-{name}" else f"{session}/agent-{name}"


def _inline(draft: Draft, session: Session, lane: Lane, name: str, call: str | None) -> None:
    """Put a sub-agent's events behind the call that started it, marked with its id."""
    events = session.branch(lane)
    for event in events:
        event.agent_id = name
        if event.kind == "message":
            event.role = "other_agent"
    place = next((i + 1 for i, event in enumerate(draft.events) if call and event.call_id == call), len(draft.events))
    draft.events[place:place] = events
    draft.agents.append(AgentRef(id=name, parent_call_id=call))


def _draft(session: Session, lane: Lane, trace_id: str, reading: Reading) -> Draft:
    draft = Draft(format=_NAME, trace_id=trace_id, line=lane.line or session.line, domain="coding")
    draft.conversation_id = session.name
    draft.model = session.model
    draft.flavour = f"claude-code {session.version}" if session.version else None
    draft.events = session.branch(lane)
    skipped = sum(len(entry.events) for entry in lane.entries) - len(draft.events)
    if skipped:
        reading.report.drop("event on an abandoned branch", skipped)
    return draft


IMPORTER = FormatImporter(
    name=_NAME,
    title="Claude Code sessions",
    recognised_by="lines of type user and assistant with sessionId, uuid and an Anthropic message; stream-json; loglines",
    recognise_by=_recognise,
    drafts=_drafts,
)
