"""Sessions of pi and openclaw: lines with ``type`` and, for messages, ``message``.

A reader must not miss: results are messages of the role ``toolResult`` with ``isError``; everything else is house-keeping.
"""

from __future__ import annotations

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import iter_rows
from agent_claimcheck.importers.foreign_json import mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.trace.model import TraceProblem

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
    draft = Draft(format=_NAME, domain="coding")
    for row in iter_rows(reading.stream, reading.file):
        if isinstance(row, TraceProblem):
            yield row
            continue
        record = mapping(row.value)
        kind = record.get("type")
        draft.line = draft.line or row.line
        draft.name_by(row.raw)
        if kind == "session":
            if draft.events:
                yield draft
                draft = Draft(format=_NAME, domain="coding", line=row.line, seed=row.raw)
            draft.trace_id = string(record.get("id"))
        elif kind == "message":
            message = mapping(record.get("message"))
            draft.model = string(message.get("model")) or draft.model
            made = read_message(message, ts=record.get("timestamp"), ref=string(record.get("id")))
            if made is None:
                reading.report.drop("message of no known dialect")
            else:
                draft.add(made)
        else:
            reading.report.drop(str(kind)[:60])
    if draft.events:
        yield draft


IMPORTER = FormatImporter(
    name=_NAME,
    title="pi / openclaw sessions",
    recognised_by="lines of type session and message",
    recognise_by=_recognise,
    drafts=_drafts,
)
