"""Read JSON files of any layout as a stream of values: one a line, one big array, one object, several in a row.

A reader must not miss: nothing here holds a whole file unless the file is one object, and then only up to
``MAX_VALUE_BYTES``. Long arrays inside one object (``samples``, ``resourceSpans``) are handed out element by element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from agent_claimcheck.core.byte_order_marks import UTF8_MARK, UTF16_MARKS
from agent_claimcheck.importers.feed import CHUNK, Feed, Readable
from agent_claimcheck.importers.foreign_json import BadJson, Mended, decode_json
from agent_claimcheck.importers.head import is_complete, split_line, starts_complete_line, without_bom
from agent_claimcheck.importers.json_cuts import MAX_VALUE_BYTES, cut_values
from agent_claimcheck.trace.model import TraceProblem


class Row(NamedTuple):
    """One value of a file. ``line`` is 1-based; ``layout`` says how the file is laid out."""

    line: int
    value: Any
    raw: bytes
    layout: str


def iter_rows(stream: Readable, file: str) -> Iterator[Row | TraceProblem]:
    """Yield the values of a JSON file: each line, each element of one top-level array, or each top-level object.

    What cannot be decoded becomes a ``TraceProblem`` and reading goes on; what was mended in the text, a warning.
    """
    feed = Feed(stream)
    rows = _Rows(file)
    head = feed.peek()
    if head.startswith(UTF16_MARKS):
        head = without_bom(head + _drain(feed, head))
        feed.replace_head(head)
    elif head.startswith(UTF8_MARK):
        head = head[len(UTF8_MARK) :]
        feed.replace_head(head)
    start = head.lstrip()
    if not start:
        return
    first, rest = split_line(start)
    if start[:1] == b"[" and not (len(rest.strip()) > 0 and is_complete(first)):
        yield from _array_rows(feed, rows)
    elif start[:1] == b"{" and not _is_line_wise(first, rest):
        yield from _object_rows(feed, rows)
    else:
        yield from _line_rows(feed, rows)


def _drain(feed: Feed, head: bytes) -> bytes:
    feed.replace_head(b"")
    parts = []
    total = len(head)
    while total < MAX_VALUE_BYTES and (chunk := feed.read()):
        parts.append(chunk)
        total += len(chunk)
    return b"".join(parts)


def _is_line_wise(first: bytes, rest: bytes) -> bool:
    if len(first) >= CHUNK // 2 and not rest:
        return True
    return is_complete(first) or starts_complete_line(rest)


def iter_lines(feed: Feed) -> Iterator[tuple[int, bytes]]:
    """Yield ``(number, line)``; a line over ``MAX_VALUE_BYTES`` is handed out cut, which makes it undecodable."""
    pending: list[bytes] = []
    number = size = 0
    while chunk := feed.read():
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            number += 1
            piece = chunk[start:end]
            if pending:
                pending.append(piece)
                piece = b"".join(pending)
                pending, size = [], 0
            yield number, piece
            start = end + 1
        if start < len(chunk) and size < MAX_VALUE_BYTES:
            pending.append(chunk[start:])
            size += len(chunk) - start
    if pending:
        yield number + 1, b"".join(pending)


class _Rows:
    """Makes rows of the values cut from one file. What had to be mended in its text is said once for every kind."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._told: set[str] = set()

    def of(self, line: int, raw: bytes, layout: str) -> Iterator[Row | TraceProblem]:
        """Yield the row that ``raw`` makes, after what was mended in it; or the problem with it."""
        mended: list[Mended] = []
        try:
            value = decode_json(raw, mended)
        except BadJson as error:
            yield self.problem(line, str(error))
            return
        for one in mended:
            if one.kind not in self._told:
                self._told.add(one.kind)
                said = f"{one.message}; said once a file"
                yield TraceProblem(file=self._file, line=line + one.line, path="", message=said, severity="warning")
        yield Row(line, value, raw, layout)

    def problem(self, line: int, message: str) -> TraceProblem:
        """A fault of the file."""
        return TraceProblem(file=self._file, line=line, path="", message=message)


def _line_rows(feed: Feed, rows: _Rows) -> Iterator[Row | TraceProblem]:
    for number, line in iter_lines(feed):
        line = line.strip()
        if line:
            yield from rows.of(number, line, "lines")


def _array_rows(feed: Feed, rows: _Rows) -> Iterator[Row | TraceProblem]:
    for piece in cut_values(feed, depth=1):
        if isinstance(piece, str):
            yield rows.problem(0, piece)
        elif piece.key is None:
            yield from rows.of(piece.line, piece.raw, "array")


def _object_rows(feed: Feed, rows: _Rows) -> Iterator[Row | TraceProblem]:
    for piece in cut_values(feed, depth=0):
        if isinstance(piece, str):
            yield rows.problem(0, piece)
        else:
            yield from rows.of(piece.line, piece.raw, "object")


def iter_members(
    stream: Readable, file: str, array_keys: Iterable[str]
) -> Iterator[tuple[str | None, Row] | TraceProblem]:
    """Yield the elements of the named arrays of each top-level object as ``(key, row)``, then the rest as ``(None, row)``.

    The rest of an object comes twice: before the first element, as far as it was read by then, and at its end. A
    reader that needs the whole header waits for the last one.
    """
    wanted = frozenset(array_keys)
    feed = Feed(stream)
    rows = _Rows(file)
    head = feed.peek(3)
    if head == UTF8_MARK:
        feed.replace_head(b"")
    for piece in cut_values(feed, depth=0, inside=wanted):
        if isinstance(piece, str):
            yield rows.problem(0, piece)
            continue
        for row in rows.of(piece.line, piece.raw, "object"):
            yield row if isinstance(row, TraceProblem) else (piece.key, row)
