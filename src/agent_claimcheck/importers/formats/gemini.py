"""Gemini API contents: histories of ``parts``, stored answers and recorded answer streams.

A reader must not miss: calls often have no id. A response then belongs to the one open call of its name; with several
open the pairing stays unsaid.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.conversations import conversation_drafts, fill_header, head_dialect
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import Event
from agent_claimcheck.importers.foreign_json import dicts, items, mapping
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row

_NAME = "gemini"


def _recognise(head: Head) -> str | None:
    if head_dialect(head) == "gemini":
        return "contents with role and parts"
    for record in head.records[:5]:
        if _has_candidates(record) or any(_has_candidates(part) for part in _stream(record)):
            return "candidates with content and parts"
    return None


def _has_candidates(value: dict[str, Any]) -> bool:
    return any(isinstance(entry.get("content"), dict) for entry in dicts(value.get("candidates")))


def _stream(record: dict[str, Any]) -> list[dict[str, Any]]:
    response = record.get("response")
    return [mapping(response)] if isinstance(response, dict) else list(dicts(response))


def _drafts(reading: Reading) -> Drafts:
    head = reading.head()
    if not any(_has_candidates(r) or any(map(_has_candidates, _stream(r))) for r in head.records[:5]):
        yield from conversation_drafts(reading, _NAME)
        return
    # Answers without their requests: the lines of one file are the turns of one run.
    draft = Draft(format=_NAME, flavour="answers")

    def take(row: Row) -> None:
        record = mapping(row.value)
        if not draft.events:
            draft.line = row.line
            fill_header(draft, record)
        draft.name_by(row.raw)
        for message in items(record.get("contents")):
            draft.add(read_message(message) or [])
        for part in [record, *_stream(record)]:
            _add_answer(draft.events, part)

    yield from each_row(reading, take)
    if draft.events:
        yield draft


def _add_answer(events: list[Event], part: dict[str, Any]) -> None:
    for candidate in list(dicts(part.get("candidates")))[:1]:
        made = read_message({"role": "model", **mapping(candidate.get("content"))}) or []
        for event in made:
            last = events[-1] if events else None
            if last is not None and event.kind == last.kind == "message" and last.role == event.role == "agent":
                last.text = f"{last.text}{event.text}"
            else:
                events.append(event)


IMPORTER = FormatImporter(
    name=_NAME,
    title="Gemini API contents",
    recognised_by="contents with role user/model and parts; candidates",
    recognise_by=_recognise,
    drafts=_drafts,
)
