"""agent-trace/v1 and v2: our own records, one a line, in an array or pretty-printed.

A reader must not miss: decoding and its strictness live in the trace room; this file only finds where each record ends.
"""

from __future__ import annotations

from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.trace.read import read_stream
from agent_claimcheck.trace.streams import ByteStream


def _recognise(head: Head) -> str | None:
    for record in head.records:
        schema = record.get("schema")
        if isinstance(schema, str) and schema.startswith("agent-trace/"):
            return f"schema is {schema[:40]}"
    return None


def _drafts(reading: Reading) -> Drafts:
    return read_stream(ByteStream(reading.stream), file=reading.file)


IMPORTER = FormatImporter(
    name="agent-trace",
    title="agent-trace",
    recognised_by="schema: agent-trace/v1 or agent-trace/v2",
    recognise_by=_recognise,
    drafts=_drafts,
)
