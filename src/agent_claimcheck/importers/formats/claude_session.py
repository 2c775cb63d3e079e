"""One Claude Code session: its lines as a tree of entries, and the branch that counts.

A reader must not miss: a session is a tree, not a list. Rewinds leave siblings behind, so the walk goes back from the
last entry; parallel calls hang their results beside the chain, so results of calls on the chain are taken too.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct, field

from agent_claimcheck.importers.events import Event
from agent_claimcheck.importers.foreign_json import bounded, mapping, string
from agent_claimcheck.importers.messages.blocks import read_content
from agent_claimcheck.trace.model import End

_EXIT = re.compile(r"\A(?:Error: )?Exit code (\d{1,5})\b")


class Entry(Struct):
    """One line of a session that holds a message."""

    uuid: str
    events: list[Event]
    is_assistant: bool
    message_id: str | None


class Lane(Struct):
    """The entries of the main conversation or of one sub-agent."""

    entries: list[Entry] = field(default_factory=list)
    line: int = 0
    parent_call: str | None = None


class Session(Struct):
    """All lines of one session id. ``parents`` knows every entry, also those that hold no message."""

    name: str
    main: Lane = field(default_factory=Lane)
    lanes: dict[str, Lane] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    lane_of: dict[str, str] = field(default_factory=dict)
    links: list[tuple[str, str | None]] = field(default_factory=list)
    """``(agent id, call id of the delegating call)``."""
    last_uuid: str | None = None
    model: str | None = None
    tools: Any = None
    version: str | None = None
    end: End | None = None
    final_text: str | None = None
    line: int = 0
    lines: int = 0
    is_linear: bool = False
    """An answer without a parent was seen: the parents in this file mean nothing, and the order of lines counts."""

    def add(self, row: dict[str, Any], line: int) -> str | None:
        """Take one line; returns the record type when it is left behind."""
        self.lines += 1
        if not self.line:
            self.line = line
        uuid = string(row.get("uuid")) or f"line-{line}-{self.lines}"
        if uuid in self.parents:
            return "repeated line"
        kind = row.get("type")
        parent = self._parent(row, kind)
        self.parents[uuid] = parent
        self.last_uuid = uuid
        if kind == "system" and row.get("subtype") == "init":
            self.tools, self.model = row.get("tools"), string(row.get("model")) or self.model
            return None
        if kind == "result":
            self._take_result(row)
            return None
        if kind not in ("user", "assistant"):
            return str(kind)[:60]
        message = mapping(row.get("message"))
        if not message:
            return f"{kind} without a message"
        self.version = self.version or string(row.get("version"))
        lane = self._lane(row, uuid, parent)
        if not lane.line:
            lane.line = line
        lane.entries.append(self._entry(row, message, uuid, kind == "assistant"))
        return None

    def _parent(self, row: dict[str, Any], kind: Any) -> str | None:
        parent = string(row.get("parentUuid"))
        if parent is not None:
            return parent if parent in self.parents else self.last_uuid
        logical = string(row.get("logicalParentUuid"))
        if logical is not None:
            return logical if logical in self.parents else self.last_uuid
        if "parentUuid" in row and kind == "assistant":
            self.is_linear = True
        is_root = "parentUuid" in row and kind == "user" and not row.get("isCompactSummary") and not row.get("isMeta")
        return None if is_root else self.last_uuid

    def _lane(self, row: dict[str, Any], uuid: str, parent: str | None) -> Lane:
        caller = string(row.get("parent_tool_use_id"))
        if caller is not None:
            lane = self.lanes.setdefault(caller, Lane(parent_call=caller))
            return lane
        if row.get("isSidechain") is not True:
            return self.main
        name = string(row.get("agentId"))
        if name is None:
            name = self.lane_of.get(parent or "") or f"side-{len(self.lanes) + 1}"
        self.lane_of[uuid] = name
        return self.lanes.setdefault(name, Lane())

    def _entry(self, row: dict[str, Any], message: dict[str, Any], uuid: str, is_assistant: bool) -> Entry:
        ts = row.get("timestamp")
        if is_assistant:
            events = read_content(message.get("content"), "agent", ts=ts, ref=uuid)
            model = string(message.get("model"))
            if row.get("isApiErrorMessage") is True or model == "<synthetic>":
                _set_apart(events)
                self.end = End(reason="error", detail="API error")
            elif model:
                self.model = model
                self.end = None
            message_id = string(message.get("id"))
            for event in events:
                if event.kind == "tool_call":
                    event.parallel_group = message_id
            return Entry(uuid, events, True, message_id)
        events = read_content(message.get("content"), "user", ts=ts, ref=uuid)
        if any((event.text or "").startswith("[Request interrupted") for event in events):
            self.end = End(reason="aborted", detail="interrupted by the user")
        if row.get("isMeta") is True or row.get("isCompactSummary") is True or row.get("isVisibleInTranscriptOnly"):
            _set_apart(events)
        self._enrich(events, row)
        return Entry(uuid, events, False, None)

    def _enrich(self, events: list[Event], row: dict[str, Any]) -> None:
        """Add what ``toolUseResult`` knows: exit code, interruption, the sub-agent that did the work."""
        results = [event for event in events if event.kind == "tool_result"]
        extra = row.get("toolUseResult", row.get("tool_use_result"))
        details = mapping(extra)
        for event in results:
            code = _EXIT.match(event.output) if isinstance(event.output, str) and event.status.ok is False else None
            if code:
                event.status = msgspec.structs.replace(event.status, exit_code=int(code.group(1)))
        if len(results) != 1 or not details:
            return
        result = results[0]
        if details.get("interrupted") is True:
            result.status = msgspec.structs.replace(result.status, ok=False, word="cancelled", source="flag")
        if result.output in ("", None, []):
            result.output = bounded(details)
        agent = string(details.get("agentId"))
        if agent is not None:
            self.links.append((agent, result.call_id))

    def _take_result(self, row: dict[str, Any]) -> None:
        subtype = string(row.get("subtype")) or ""
        text = row.get("result")
        if subtype == "success" and row.get("is_error") is not True:
            self.end = End(reason="completed", detail=subtype)
        elif "max_turns" in subtype or "budget" in subtype:
            self.end = End(reason="limit", detail=subtype)
        else:
            self.end = End(reason="error", detail=subtype or None)
        if isinstance(text, str) and text and row.get("is_error") is not True:
            self.final_text = text

    def branch(self, lane: Lane) -> list[Event]:
        """The events of the branch that ends in the lane's last entry, in the order of the file."""
        if not lane.entries:
            return []
        if self.is_linear:
            return [event for entry in lane.entries for event in entry.events]
        on_chain = self._chain(lane.entries[-1].uuid)
        groups = {entry.message_id for entry in lane.entries if entry.uuid in on_chain and entry.message_id}
        kept = [
            entry.uuid in on_chain or (entry.message_id is not None and entry.message_id in groups)
            for entry in lane.entries
        ]
        calls = {
            event.call_id
            for entry, is_kept in zip(lane.entries, kept, strict=True)
            if is_kept
            for event in entry.events
            if event.kind == "tool_call" and event.call_id
        }
        events: list[Event] = []
        for entry, is_kept in zip(lane.entries, kept, strict=True):
            if is_kept:
                events.extend(entry.events)
            elif not entry.is_assistant:
                events.extend(e for e in entry.events if e.kind == "tool_result" and e.call_id in calls)
        return events

    def _chain(self, leaf: str) -> set[str]:
        found: set[str] = set()
        current: str | None = leaf
        while current is not None and current not in found:
            found.add(current)
            current = self.parents.get(current)
        return found


def _set_apart(events: list[Event]) -> None:
    for event in events:
        if event.kind == "message":
            event.kind, event.role = "system_event", "environment"
