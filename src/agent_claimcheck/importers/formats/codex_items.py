"""What a Codex rollout holds: response items, events that enrich them, and the output forms of its shell.

A reader must not miss: the exit code stands in a fixed header, a JSON wrapper or an ``exec_command_end`` event; a
command that still runs has none.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.events import (
    SUCCEEDED,
    UNKNOWN,
    Event,
    Status,
    called,
    exited,
    failed,
    flagged,
    returned,
    said,
)
from agent_claimcheck.importers.foreign_json import items, loose_json, mapping, string, text_of
from agent_claimcheck.importers.messages.blocks import result_value
from agent_claimcheck.importers.messages.responses import read_item
from agent_claimcheck.trace.model import End

_HEADER = re.compile(
    r"\A\s*(?:Chunk ID: [^\n]{0,80}\n)?(?:Wall time: [^\n]{0,80}\n)?(?:Process exited with code|Exit code:) (-?\d{1,6})\b"
)
_MCP = "mcp_tool_call_end"
_LINKS = ("new_thread_id", "receiver_thread_id", "thread_id", "agent_id")


class Rollout:
    """One session on its way to a draft."""

    def __init__(self, format_name: str) -> None:
        self.draft = Draft(format=format_name, domain="coding")
        self.statuses: dict[str, Status] = {}
        self.user_texts: list[tuple[str, Any]] = []
        self.last_message: str | None = None
        self._has_meta = False
        self._parent: str | None = None

    def is_new_session(self, record: dict[str, Any]) -> bool:
        """The line opens another session, not a resumption of this one."""
        if record.get("type") != "session_meta" or not self.draft.events:
            return False
        return string(mapping(record.get("payload")).get("id")) not in (self.draft.trace_id, self._parent)

    def add(self, record: dict[str, Any], line: int) -> str | None:
        """Take one line; returns the record type when it is left behind."""
        kind, payload, ts = record.get("type"), mapping(record.get("payload")), record.get("timestamp")
        if kind == "session_meta":
            self.take_meta(payload, line)
        elif kind == "turn_context":
            self.draft.model = string(payload.get("model")) or self.draft.model
        elif kind == "response_item":
            self.add_item(payload, ts, line)
        elif kind == "event_msg":
            return self._event(payload, ts)
        else:
            return str(kind)
        return None

    def take_meta(self, meta: dict[str, Any], line: int) -> None:
        """The session's header: id, version, instructions and, for a sub-agent, its parent."""
        draft = self.draft
        if self._has_meta:
            return
        self._has_meta = True
        draft.line = line
        draft.trace_id = string(meta.get("id"))
        draft.flavour = f"codex {meta['cli_version']}" if isinstance(meta.get("cli_version"), str) else None
        base = meta.get("base_instructions")
        draft.system_prompt = string(mapping(base).get("text")) or string(meta.get("instructions"))
        spawn = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
        self._parent = string(spawn.get("parent_thread_id")) or string(meta.get("parent_thread_id"))
        draft.conversation_id = self._parent or string(meta.get("forked_from_id"))

    def add_item(self, item: dict[str, Any], ts: Any, line: int) -> None:
        """One Responses item."""
        draft = self.draft
        if not draft.line:
            draft.line = line
        draft.name_by(text_of(item).encode("utf-8", "replace"))
        for event in read_item(item, ts=ts, ref=f"line {line}"):
            if event.kind == "tool_result":
                event.output, status = _output_and_status(event.output)
                if event.status is UNKNOWN:
                    event.status = status
            draft.events.append(event)

    def _event(self, payload: dict[str, Any], ts: Any) -> str | None:
        kind = payload.get("type")
        call_id = string(payload.get("call_id"))
        if kind == "user_message" and isinstance(payload.get("message"), str):
            self.user_texts.append((payload["message"], ts))
        elif kind in ("task_complete", "turn_complete"):
            self.last_message = string(payload.get("last_agent_message")) or self.last_message
            self.draft.end = End(reason="completed", detail=kind)
        elif kind == "turn_aborted":
            self.draft.end = End(reason="aborted", detail=string(payload.get("reason")))
        elif kind == "error":
            self.draft.end = End(reason="error", detail=string(payload.get("message")))
        elif kind == "agent_message" and isinstance(payload.get("message"), str):
            self.draft.events.append(said("agent", payload["message"], ts=ts, ref="event_msg"))
        elif call_id and kind == "exec_command_end":
            self.statuses[call_id] = exited(payload.get("exit_code"))
        elif call_id and kind == "patch_apply_end":
            self.statuses[call_id] = flagged(payload.get("success") is not True)
        elif call_id and kind == "mcp_tool_call_end":
            self._mcp_end(payload, call_id, ts)
        elif kind == "collab_agent_spawn_end":
            child = next((string(payload.get(key)) for key in _LINKS if string(payload.get(key))), None)
            if child:
                self.draft.subtraces.append((child, call_id, "delegate"))
        else:
            return f"event {kind}"[:60]
        return None

    def _mcp_end(self, payload: dict[str, Any], call_id: str, ts: Any) -> None:
        result = mapping(payload.get("result"))
        if "Err" in result:
            status = failed(result["Err"], "protocol")
        else:
            status = flagged(mapping(result.get("Ok")).get("isError") is True, None)
        self.statuses[call_id] = status
        invocation = mapping(payload.get("invocation"))
        output = result_value(mapping(result.get("Ok")).get("content")) if "Ok" in result else result.get("Err")
        name = invocation.get("tool")
        self.draft.events.append(called(name, invocation.get("arguments"), call_id, ts=ts, ref=_MCP))
        self.draft.events.append(returned(name, output, call_id, status=status, ts=ts, ref=_MCP))

    def finish(self) -> Draft:
        """The draft, with statuses joined to results and what only the events knew put in."""
        draft = self.draft
        draft.events = _without_echoes(draft.events)
        known = {event.call_id for event in draft.events if event.call_id and event.ref != _MCP}
        draft.events = [event for event in draft.events if event.ref != _MCP or event.call_id not in known]
        for event in draft.events:
            status = self.statuses.get(event.call_id or "")
            if event.kind == "tool_result" and status is not None and status is not UNKNOWN:
                event.status = status
        if not any(event.kind == "message" and event.role == "user" for event in draft.events):
            draft.events[:0] = [said("user", text, ts=ts) for text, ts in self.user_texts]
        if self.user_texts:
            draft.instruction = self.user_texts[0][0]
        if self.last_message and draft.end is not None and draft.end.reason == "completed":
            draft.final_text = self.last_message
        return draft


def _without_echoes(events: list[Event]) -> list[Event]:
    """Drop an event's agent message when the items hold the same text."""
    from_items = {event.text for event in events if event.kind == "message" and event.ref != "event_msg"}
    return [event for event in events if event.ref != "event_msg" or event.text not in from_items]


def _output_and_status(output: Any) -> tuple[Any, Status]:
    """The output without its wrapper and the exit code the wrapper held."""
    if isinstance(output, str):
        match = _HEADER.match(output)
        return output, exited(int(match.group(1))) if match else UNKNOWN
    table = mapping(output)
    if "output" in table and isinstance(table.get("metadata"), dict):
        status = exited(table["metadata"].get("exit_code"))
        return table["output"], status
    return output, UNKNOWN


def exec_item(item: dict[str, Any]) -> list[Event] | None:
    """One item of a ``codex exec --json`` stream; ``None`` when it is of no interest."""
    kind, name = item.get("type") or item.get("item_type"), string(item.get("id"))
    if kind in ("agent_message", "assistant_message"):
        return [said("agent", text_of(item.get("text")), ref=name)]
    if kind == "user_message":
        return [said("user", text_of(item.get("text")), ref=name)]
    if kind == "reasoning":
        return [said("agent", text_of(item.get("text")), kind="reasoning", ref=name)]
    if kind == "command_execution":
        status = exited(item.get("exit_code"))
        if status is UNKNOWN and item.get("status") in ("failed", "declined"):
            word: Any = "denied" if item["status"] == "declined" else "error"
            status = failed(item["status"], "denied" if word == "denied" else "flag", word)
        call = called("shell", {"command": item.get("command")}, name, ref=name)
        return [call, returned("shell", item.get("aggregated_output"), name, status=status, ref=name)]
    if kind == "file_change":
        status = SUCCEEDED if item.get("status") == "completed" else flagged(item.get("status") == "failed")
        call = called("apply_patch", {"changes": items(item.get("changes"))}, name, ref=name)
        return [call, returned("apply_patch", {"status": item.get("status")}, name, status=status, ref=name)]
    if kind == "mcp_tool_call":
        error = item.get("error")
        status = failed(error, "protocol") if error else flagged(item.get("status") == "failed")
        call = called(item.get("tool"), loose_json(item.get("arguments")), name, ref=name)
        value = mapping(item.get("result"))
        return [call, returned(item.get("tool"), result_value(value.get("content")), name, status=status, ref=name)]
    if kind == "web_search":
        return [called("web_search", {"query": item.get("query")}, name, ref=name)]
    return None
