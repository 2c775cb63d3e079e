"""Event streams of Anthropic's managed agents, bare or in the ``[call, payload]`` rows that a client log writes.

A reader must not miss: events pair by event id (``tool_use_id``, ``custom_tool_use_id``), and a refused call is a denial.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import called, failed, flagged, returned, said
from agent_claimcheck.importers.foreign_json import arguments_of, mapping, string, word
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import plain_text, result_value
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import End

_NAME = "anthropic-managed"
_CLIENT = "client.beta.sessions."
_CALLS = frozenset({"agent.tool_use", "agent.mcp_tool_use", "agent.custom_tool_use"})
_RESULTS = frozenset({"agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result"})


def _recognise(head: Head) -> str | None:
    for row in head.rows:
        kind = word(_payload(row).get("type"))
        if isinstance(row, list) and row and isinstance(row[0], str) and row[0].startswith(_CLIENT):
            return "a client log of managed agent sessions"
        if kind in _CALLS or kind.startswith("session.status_"):
            return "events agent.tool_use, agent.message, session.status_..."
    return None


def _payload(row: Any) -> dict[str, Any]:
    return mapping(row[1]) if isinstance(row, list) and len(row) == 2 else mapping(row)


def _drafts(reading: Reading) -> Drafts:
    draft = Draft(format=_NAME)

    def take(row: Row) -> Iterator[Draft]:
        nonlocal draft
        event = _payload(row.value)
        if event.get("type") == "session" and isinstance(event.get("agent"), dict):
            if draft.events:
                yield draft
            draft = _session(event)
        elif not _add(draft, event):
            reading.report.drop(str(event.get("type") or "record")[:60])
        draft.add_row(row.line, row.raw)

    yield from each_row(reading, take)
    if draft.events:
        yield draft


def _session(event: dict[str, Any]) -> Draft:
    agent = mapping(event.get("agent"))
    draft = Draft(format=_NAME, trace_id=string(event.get("id")))
    draft.system_prompt = string(agent.get("system"))
    draft.model = string(mapping(agent.get("model")).get("id")) or string(agent.get("model"))
    draft.tools = tool_defs(agent.get("tools"))
    return draft


def _add(draft: Draft, event: dict[str, Any]) -> bool:
    kind, ts, name = word(event.get("type")), event.get("processed_at"), string(event.get("id"))
    if kind in _CALLS:
        draft.add([called(event.get("name"), arguments_of(event, "input"), name, ts=ts, ref=name)])
    elif kind in _RESULTS:
        call = event.get("tool_use_id") or event.get("custom_tool_use_id") or event.get("mcp_tool_use_id")
        status = flagged(event.get("is_error"))
        draft.add([returned(None, result_value(event.get("content")), call, status=status, ts=ts, ref=name)])
    elif kind == "user.tool_confirmation" and event.get("result") == "deny":
        status = failed(event.get("deny_message") or "denied", "denied", "denied")
        draft.add([returned(None, None, event.get("tool_use_id"), status=status, ts=ts, ref=name)])
    elif kind in ("user.message", "agent.message"):
        text = plain_text(event.get("content"))
        if text:
            draft.add([said("user" if kind == "user.message" else "agent", text, ts=ts, ref=name)])
    elif kind == "agent.thinking":
        text = plain_text(event.get("content")) or string(event.get("thinking")) or ""
        if text:
            draft.add([said("agent", text, ts=ts, kind="reasoning", ref=name)])
    elif kind in ("session.status_idle", "session.status_terminated"):
        stop = string(mapping(event.get("stop_reason")).get("type"))
        draft.end = End(reason="completed" if stop == "end_turn" else "unknown", detail=stop)
    elif kind == "session.error":
        draft.end = End(reason="error", detail=string(mapping(event.get("error")).get("message")))
    else:
        return False
    return True


IMPORTER = FormatImporter(
    name=_NAME,
    title="Anthropic managed agent events",
    recognised_by="events agent.tool_use, agent.tool_result, session.status_idle and the like",
    recognise_by=_recognise,
    drafts=_drafts,
)
