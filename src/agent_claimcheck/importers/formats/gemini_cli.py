"""Gemini CLI chats: session files and the append-only log of newer versions.

A reader must not miss: ``success`` is the scheduler's word. A shell command that failed is still a success there, its
exit code stands only in the output, so an exit code line wins over the word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import (
    SUCCEEDED_WEAKLY,
    UNKNOWN,
    Event,
    Status,
    called,
    exit_code_in,
    exited,
    failed,
    returned,
    said,
)
from agent_claimcheck.importers.foreign_json import arguments_of, dicts, items, mapping, string, text_of
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import plain_text
from agent_claimcheck.importers.messages.parts import gemini_response
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row

_NAME = "gemini-cli"


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if "sessionId" in record and "projectHash" in record:
            return "sessionId and projectHash"
        messages = list(dicts(record.get("messages")))
        if "sessionId" in record and any(message.get("type") == "gemini" for message in messages):
            return "messages of type gemini"
    return None


def _drafts(reading: Reading) -> Drafts:
    log: _Log | None = None

    def take(row: Row) -> Iterator[Draft]:
        nonlocal log
        record = mapping(row.value)
        if isinstance(record.get("messages"), list):
            session = _Log(record, row.line)
            for message in dicts(record["messages"]):
                session.add(message)
            yield session.finish()
        elif "projectHash" in record and "sessionId" in record:
            if log is not None and log.messages:
                yield log.finish()
            log = _Log(record, row.line)
        elif log is not None:
            log.replay(record)
        else:
            reading.report.drop("record before the session header")

    yield from each_row(reading, take)
    if log is not None:
        yield log.finish()


class _Log:
    """A session as it stands after replaying its log."""

    def __init__(self, header: dict[str, Any], line: int) -> None:
        self.header = header
        self.line = line
        self.messages: dict[str, dict[str, Any]] = {}

    def add(self, message: dict[str, Any]) -> None:
        """Take a message; the same id later replaces the earlier one in its place."""
        name = string(message.get("id")) or f"#{len(self.messages)}"
        self.messages[name] = message

    def replay(self, record: dict[str, Any]) -> None:
        """Take one record of the append-only log."""
        if "$rewindTo" in record:
            self._rewind(string(record["$rewindTo"]))
        elif isinstance(record.get("$set"), dict):
            changed = record["$set"]
            if isinstance(changed.get("messages"), list):
                self.messages = {}
                for message in dicts(changed["messages"]):
                    self.add(message)
        elif "type" in record:
            self.add(record)

    def _rewind(self, name: str | None) -> None:
        if name is None or name not in self.messages:
            return
        names = list(self.messages)
        for gone in names[names.index(name) :]:
            del self.messages[gone]

    def finish(self) -> Draft:
        """The draft of the session."""
        session = string(self.header.get("sessionId"))
        draft = Draft(format=_NAME, trace_id=session, line=self.line, domain="coding")
        for message in self.messages.values():
            draft.model = string(message.get("model")) or draft.model
            draft.add(_events(message))
        return draft


def _events(message: dict[str, Any]) -> list[Event]:
    kind, ts, ref = message.get("type"), message.get("timestamp"), string(message.get("id"))
    text = (
        plain_text(message.get("content")) or _parts_text(message.get("parts")) or _parts_text(message.get("content"))
    )
    if kind == "user":
        return [said("user", text, ts=ts, ref=ref)] if text else []
    if kind in ("info", "error", "warning"):
        return [said("environment", text, ts=ts, kind="system_event", ref=ref)] if text else []
    events = []
    for thought in dicts(message.get("thoughts")):
        words = ": ".join(str(thought[key]) for key in ("subject", "description") if thought.get(key))
        if words:
            events.append(said("agent", words, ts=thought.get("timestamp") or ts, kind="reasoning", ref=ref))
    if text:
        events.append(said("agent", text, ts=ts, ref=ref))
    for call in dicts(message.get("toolCalls")):
        events.extend(_tool(call, ts, ref))
    return events


def _parts_text(parts: Any) -> str:
    texts = [part["text"] for part in dicts(parts) if isinstance(part.get("text"), str) and not part.get("thought")]
    return "\n".join(texts)


def _tool(call: dict[str, Any], ts: Any, ref: str | None) -> list[Event]:
    name, call_id, when = call.get("name"), call.get("id"), call.get("timestamp") or ts
    events = [called(name, arguments_of(call, "args"), call_id, ts=ts, ref=ref)]
    replies = [
        part["functionResponse"] for part in dicts(call.get("result")) if isinstance(part.get("functionResponse"), dict)
    ]
    status = _status(call)
    if replies:
        result = gemini_response(replies[0], when)
        result.call_id, result.name, result.ref = string(call_id), string(name), ref
        if result.status is UNKNOWN or status.ok is False:
            result.status = status
        code = exit_code_in(text_of(result.output)) if result.status.ok is not False else None
        if code is not None:
            result.status = exited(code)
        events.append(result)
    elif items(call.get("result")) or call.get("resultDisplay") is not None or status.ok is False:
        display = call.get("resultDisplay") if call.get("resultDisplay") is not None else call.get("result")
        events.append(returned(name, display, call_id, status=status, ts=when, ref=ref))
    return events


def _status(call: dict[str, Any]) -> Status:
    word = call.get("status")
    if word == "error":
        return failed(call.get("resultDisplay") or "error", "flag")
    if word == "cancelled":
        return failed("cancelled", "denied", "cancelled")
    return SUCCEEDED_WEAKLY if word == "success" else UNKNOWN


IMPORTER = FormatImporter(
    name=_NAME,
    title="Gemini CLI chats",
    recognised_by="sessionId and projectHash, messages of type user and gemini",
    recognise_by=_recognise,
    drafts=_drafts,
)
