"""Codex CLI: rollout files, ``codex exec --json`` streams and the older bare-item files.

A reader must not miss: events and items repeat each other. Calls and results come from the items; the ``*_end`` events
only add exit codes and flags by call id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.contract import ImportReport
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import mapping, string, word
from agent_claimcheck.importers.formats.codex_items import Rollout, exec_item
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.responses import is_response_item
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import End

_NAME = "codex"
_ROLLOUT = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"})


def _recognise(head: Head) -> str | None:
    for record in head.records:
        kind = word(record.get("type"))
        if kind in _ROLLOUT and isinstance(record.get("payload"), dict):
            return "rollout lines (session_meta, response_item, event_msg)"
        if kind in ("thread.started", "item.completed", "turn.started") and (
            "thread_id" in record or "item" in record or len(record) <= 2
        ):
            return "codex exec --json events (thread.started, item.completed)"
        if record.get("record_type") == "state":
            return "bare items with record_type state"
    return None


def _drafts(reading: Reading) -> Drafts:
    runs = _Runs(reading.report)
    yield from each_row(reading, runs.take)
    yield from runs.rest()


class _Runs:
    """The rollout and the ``exec --json`` stream that are being read; a file holds the one or the other."""

    def __init__(self, report: ImportReport) -> None:
        self._report = report
        self._rollout = Rollout(_NAME)
        self._stream: Draft | None = None

    def take(self, row: Row) -> Iterator[Draft]:
        """Take one line, and yield the run that it ends."""
        record = mapping(row.value)
        kind = word(record.get("type"))
        if kind.startswith(("thread.", "turn.", "item.")) or kind == "error":
            if kind == "thread.started":
                yield from self._end_stream()
            self._stream = self._stream or Draft(
                format=_NAME, line=row.line, domain="coding", flavour="exec --json", seed=row.raw
            )
            _exec_event(self._stream, record, self._report)
        elif kind in _ROLLOUT:
            if self._rollout.is_new_session(record):
                yield self._rollout.finish()
                self._rollout = Rollout(_NAME)
            dropped = self._rollout.add(record, row.line)
            if dropped:
                self._report.drop(dropped)
        elif is_response_item(record):
            self._rollout.add_item(record, record.get("timestamp"), row.line)
        elif "id" in record and "instructions" in record:
            self._rollout.take_meta(record, row.line)
        else:
            self._report.drop((word(record.get("record_type")) or kind or "record")[:60])

    def rest(self) -> Iterator[Draft]:
        """Yield what is open at the end."""
        last = self._rollout.finish()
        if last.events:
            yield last
        yield from self._end_stream()

    def _end_stream(self) -> Iterator[Draft]:
        if self._stream is not None and self._stream.events:
            yield self._stream
            self._stream = None


def _exec_event(draft: Draft, record: dict[str, Any], report: ImportReport) -> None:
    kind = record.get("type")
    if kind == "thread.started":
        draft.trace_id = string(record.get("thread_id"))
    elif kind == "item.completed":
        made = exec_item(mapping(record.get("item")))
        if made is None:
            report.drop(str(mapping(record.get("item")).get("type"))[:60])
        else:
            draft.add(made)
    elif kind == "turn.completed":
        draft.end = End(reason="completed", detail="turn.completed")
        draft.usage = mapping(record.get("usage")) or draft.usage
    elif kind in ("turn.failed", "error"):
        error = mapping(record.get("error")).get("message") or record.get("message")
        draft.end = End(reason="error", detail=string(error))


IMPORTER = FormatImporter(
    name=_NAME,
    title="Codex CLI rollouts and exec --json",
    recognised_by="lines with type and payload (session_meta, response_item, event_msg), or thread.started and item.*",
    recognise_by=_recognise,
    drafts=_drafts,
)
