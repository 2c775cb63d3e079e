"""Recorded event streams of the Anthropic API: the deltas of each answer put together.

A reader must not miss: a stream holds answers without the requests before them, so there is no instruction; an answer
whose stream breaks off keeps what came and is marked as partial.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import items, loose_json, mapping, string, word
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import read_content
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import End

_NAME = "anthropic-stream"
_EVENTS = frozenset(
    {"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta"}
)
_MAX_BLOCKS = 10_000


def _recognise(head: Head) -> str | None:
    kinds = {word(record.get("type")) for record in head.records}
    if kinds & {"message_start", "content_block_delta"}:
        return "events message_start and content_block_delta"
    return None


def _drafts(reading: Reading) -> Drafts:
    answer = _Answer()

    def take(row: Row) -> Iterator[Draft]:
        nonlocal answer
        event = mapping(row.value)
        kind = word(event.get("type"))
        if kind == "message_start":
            if answer.blocks:
                yield answer.draft(row.raw)
            answer = _Answer()
        if kind in _EVENTS:
            answer.line = answer.line or row.line
            answer.add(kind, event)
        elif kind == "message_stop":
            answer.is_whole = True
        else:
            reading.report.drop(kind[:60] or "record")

    yield from each_row(reading, take)
    if answer.blocks:
        yield answer.draft(b"")


class _Answer:
    """One answer while its stream is read."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self.blocks: dict[int, dict[str, Any]] = {}
        self.parts: dict[int, list[str]] = {}
        self.stop: str | None = None
        self.is_whole = False
        self.line = 0

    def add(self, kind: str, event: dict[str, Any]) -> None:
        """Take one event."""
        if kind == "message_start":
            self.message = mapping(event.get("message"))
        elif kind == "message_delta":
            self.stop = string(mapping(event.get("delta")).get("stop_reason")) or self.stop
        index = event.get("index")
        if not isinstance(index, int) or not 0 <= index < _MAX_BLOCKS:
            return
        if kind == "content_block_start":
            self.blocks[index] = dict(mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            delta = mapping(event.get("delta"))
            for key in ("text", "partial_json", "thinking"):
                if isinstance(delta.get(key), str):
                    self.parts.setdefault(index, []).append(delta[key])

    def draft(self, seed: bytes) -> Draft:
        """The answer as a run."""
        draft = Draft(format=_NAME, line=self.line, seed=seed)
        draft.trace_id, draft.model = string(self.message.get("id")), string(self.message.get("model"))
        content = []
        for index, block in sorted(self.blocks.items()):
            text = "".join(self.parts.get(index, []))
            kind = word(block.get("type"))
            if kind.endswith("tool_use") and text:
                block["input"] = loose_json(text)
            elif kind == "thinking" and text:
                block["thinking"] = text
            elif kind == "text":
                block["text"] = f"{word(block.get('text'))}{text}"
            content.append(block)
        draft.events = read_content([*items(self.message.get("content")), *content], "agent")
        if self.is_whole:
            draft.end = End(reason="limit" if self.stop == "max_tokens" else "completed", detail=self.stop)
        else:
            draft.end = End(reason="unknown", detail="the stream breaks off")
            draft.warnings.append("the stream breaks off")
        return draft


IMPORTER = FormatImporter(
    name=_NAME,
    title="Anthropic API event streams",
    recognised_by="events message_start, content_block_delta and message_stop",
    recognise_by=_recognise,
    drafts=_drafts,
)
