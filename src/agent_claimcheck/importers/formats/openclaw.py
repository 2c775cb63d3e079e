"""Sessions of pi and openclaw: lines with ``type`` and, for messages, ``message``.

A reader must not miss: results are messages of the role ``toolResult`` with ``isError``; everything else is house-keeping.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.contract import ImportReport
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row

_NAME = "openclaw"


def _recognise(head: Head) -> str | None:
    for record in head.records:
        message = record.get("message")
        if record.get("type") == "message" and isinstance(message, dict) and isinstance(message.get("role"), str):
            return "lines of type message that hold a message with a role"
        if record.get("type") == "session" and "version" in record and "cwd" in record:
            return "a session header with version and cwd"
    return None


def _drafts(reading: Reading) -> Drafts:
    session = _Session(reading.report)
    yield from each_row(reading, session.take)
    yield from session.rest()


class _Session:
    """The session that is being read; a header ends it and begins the next one."""

    def __init__(self, report: ImportReport) -> None:
        self._report = report
        self._draft = Draft(format=_NAME, domain="coding")

    def take(self, row: Row) -> Iterator[Draft]:
        """Take one line, and yield the session that it ends."""
        record = mapping(row.value)
        kind = record.get("type")
        self._draft.add_row(row.line, row.raw)
        if kind == "session":
            if self._draft.events:
                yield self._draft
                self._draft = Draft(format=_NAME, domain="coding", line=row.line, seed=row.raw)
            self._draft.trace_id = string(record.get("id"))
        elif kind == "message":
            self._add_message(record)
        else:
            self._report.drop(str(kind)[:60])

    def rest(self) -> Iterator[Draft]:
        """Yield the last session."""
        if self._draft.events:
            yield self._draft

    def _add_message(self, record: dict[str, Any]) -> None:
        message = mapping(record.get("message"))
        self._draft.model = string(message.get("model")) or self._draft.model
        made = read_message(message, ts=record.get("timestamp"), ref=string(record.get("id")))
        if made is None:
            self._report.lose("message of no known dialect")
        else:
            self._draft.add(made)


IMPORTER = FormatImporter(
    name=_NAME,
    title="pi / openclaw sessions",
    recognised_by="lines of type session and message",
    recognise_by=_recognise,
    drafts=_drafts,
)
