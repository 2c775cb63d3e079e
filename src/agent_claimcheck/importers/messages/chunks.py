"""A LangChain message that was streamed lies in a log as many pieces; here they become the one message again.

A reader must not miss: a piece on its own parses as a whole message, with half the sentence and a call without its
arguments, so nothing may look at pieces before they are joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from agent_claimcheck.importers.foreign_json import dicts, items, mapping

_PIECE = "AIMessageChunk"


class ChunkJoiner:
    """Takes the messages of a history one by one and gives them back with pieces of one id joined.

    Pieces of several messages may alternate, as sub-agents that speak at the same time make them; they are given back
    in the order of their first pieces, before the next message that is no piece.
    """

    def __init__(self) -> None:
        self._held: dict[str, list[dict[str, Any]]] = {}

    def take(self, message: Any) -> list[Any]:
        """Return the messages that are whole now."""
        piece = _piece_of(message)
        if piece is None:
            return [*self.rest(), message]
        self._held.setdefault(str(piece.get("id")), []).append(piece)
        return []

    def rest(self) -> list[Any]:
        """Return the messages still held; call it once more at the end."""
        held, self._held = self._held, {}
        return [_join(pieces) for pieces in held.values()]


def joined(messages: Iterable[Any]) -> Iterator[Any]:
    """The messages of a history with streamed ones made whole; all others as they are."""
    joiner = ChunkJoiner()
    for message in messages:
        yield from joiner.take(message)
    yield from joiner.rest()


def _piece_of(message: Any) -> dict[str, Any] | None:
    table = mapping(message)
    if table.get("lc") == 1 and items(table.get("id"))[-1:] == [_PIECE]:
        return {**mapping(table.get("kwargs")), "type": _PIECE}
    if table.get("type") != _PIECE:
        return None
    return {**table["data"], "type": _PIECE} if isinstance(table.get("data"), dict) else table


def _join(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    if len(pieces) == 1 and (pieces[0].get("tool_calls") or not pieces[0].get("tool_call_chunks")):
        return pieces[0]
    whole = dict(pieces[0])
    whole["content"] = _joined_content([piece.get("content") for piece in pieces])
    calls = _joined_calls(pieces)
    if calls:
        # What each piece holds under these keys is the same call, parsed as far as that piece went.
        whole["tool_calls"], whole["invalid_tool_calls"] = calls, []
        whole["additional_kwargs"] = {}
    else:
        whole["tool_calls"] = [call for piece in pieces for call in items(piece.get("tool_calls"))]
    return whole


def _joined_content(contents: list[Any]) -> Any:
    """Text without a seam: pieces are cut anywhere, also within a word."""
    if all(content is None or isinstance(content, str) for content in contents):
        return "".join(content for content in contents if content)
    blocks: list[dict[str, Any]] = []
    texts: list[str] = []
    place: Any = None
    for block in (block for content in contents for block in _blocks(content)):
        text = block.get("text")
        is_text = block.get("type") in ("text", "text_delta") and isinstance(text, str)
        if texts and not (is_text and block.get("index", place) == place):
            blocks.append({"type": "text", "text": "".join(texts)})
            texts = []
        if is_text:
            texts.append(str(text))
            place = block.get("index", place)
        else:
            blocks.append(block)
    return [*blocks, {"type": "text", "text": "".join(texts)}] if texts else blocks


def _blocks(content: Any) -> Iterator[dict[str, Any]]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
        return
    for block in dicts(content):
        # The pieces of a call among the blocks are those of ``tool_call_chunks``.
        if block.get("type") not in ("tool_use", "input_json_delta", "tool_call_chunk", "function_call"):
            yield block


def _joined_calls(pieces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    calls: dict[Any, dict[str, Any]] = {}
    texts: dict[Any, list[str]] = {}
    last: Any = None
    for piece in pieces:
        for part in dicts(piece.get("tool_call_chunks")):
            index = part.get("index")
            key = index if isinstance(index, int | str) else part.get("id") if part.get("id") else last
            key = key if isinstance(key, int | str) else 0
            last = key
            call = calls.setdefault(key, {"name": None, "id": None})
            for field in ("name", "id"):
                value = part.get(field)
                if isinstance(value, str) and value and call[field] is None:
                    call[field] = value
            if isinstance(part.get("args"), str):
                texts.setdefault(key, []).append(part["args"])
    return [{**call, "args": "".join(texts.get(key, [])) or "{}"} for key, call in calls.items()]
