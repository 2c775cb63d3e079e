"""Read JSON files of any layout as a stream of values: one a line, one big array, one object, several in a row.

A reader must not miss: nothing here holds a whole file unless the file is one object, and then only up to
``MAX_VALUE_BYTES``. Long arrays inside one object (``samples``, ``resourceSpans``) are handed out element by element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.importers.foreign_json import BadJson, decode_json
from agent_claimcheck.importers.head import TOKEN, is_complete, split_line, starts_complete_line, without_bom
from agent_claimcheck.trace.model import TraceProblem

CHUNK = 1 << 20
MAX_VALUE_BYTES = 256 << 20
"""The largest single value: bigger ones are named and passed over, so that one file cannot take all memory."""


class Row(NamedTuple):
    """One value of a file. ``line`` is 1-based; ``layout`` says how the file is laid out."""

    line: int
    value: Any
    raw: bytes
    layout: str


class Readable(Protocol):
    """All that is asked of a stream."""

    def read(self, size: int = ..., /) -> bytes: ...


class Feed:
    """A byte stream with look-ahead."""

    def __init__(self, stream: Readable) -> None:
        # ``read`` of a buffered stream loses what it has gathered when damage follows; ``read1`` hands it over first.
        self._read = getattr(stream, "read1", stream.read)
        self._head = b""

    def peek(self, size: int = CHUNK) -> bytes:
        """The next ``size`` bytes, left in place; fewer at the end."""
        if len(self._head) < size:
            self._head += self._pull(size - len(self._head), has_more_before=bool(self._head))
        return self._head

    def replace_head(self, head: bytes) -> None:
        """Put other bytes in place of those peeked at."""
        self._head = head

    def read(self, size: int = CHUNK, /) -> bytes:
        """Some bytes, about ``size`` or fewer; empty at the end."""
        if self._head:
            head, self._head = self._head[:size], self._head[size:]
            return head
        return self._pull(size, has_more_before=False)

    def _pull(self, size: int, *, has_more_before: bool) -> bytes:
        """Gather ``size`` bytes, fewer at the end or before damage; damage is told once nothing stands before it."""
        parts: list[bytes] = []
        left = size
        while left > 0:
            try:
                chunk = self._read(left)
            except InputError:
                if parts or has_more_before:
                    break
                raise
            if not chunk:
                break
            parts.append(chunk)
            left -= len(chunk)
        return b"".join(parts)

    def close(self) -> None:
        """The stream belongs to the caller and stays open."""


def iter_rows(stream: Readable, file: str) -> Iterator[Row | TraceProblem]:
    """Yield the values of a JSON file: each line, each element of one top-level array, or each top-level object.

    What cannot be decoded becomes a ``TraceProblem`` and reading goes on.
    """
    feed = Feed(stream)
    head = feed.peek()
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = without_bom(head + _drain(feed, head))
        feed.replace_head(head)
    elif head[:3] == b"\xef\xbb\xbf":
        head = head[3:]
        feed.replace_head(head)
    start = head.lstrip()
    if not start:
        return
    first, rest = split_line(start)
    if start[:1] == b"[" and not (len(rest.strip()) > 0 and is_complete(first)):
        yield from _array_rows(feed, file)
    elif start[:1] == b"{" and not _is_line_wise(first, rest):
        yield from _object_rows(feed, file)
    else:
        yield from _line_rows(feed, file)


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


def _line_rows(feed: Feed, file: str) -> Iterator[Row | TraceProblem]:
    for number, line in iter_lines(feed):
        line = line.strip()
        if not line:
            continue
        try:
            value = decode_json(line)
        except BadJson as error:
            yield TraceProblem(file=file, line=number, path="", message=str(error))
            continue
        yield Row(number, value, line, "lines")


def _array_rows(feed: Feed, file: str) -> Iterator[Row | TraceProblem]:
    for piece in split(feed, depth=1):
        if isinstance(piece, str):
            yield TraceProblem(file=file, line=0, path="", message=piece)
        elif piece.key is None:
            yield from _decoded(piece, file, "array")


def _object_rows(feed: Feed, file: str) -> Iterator[Row | TraceProblem]:
    for piece in split(feed, depth=0):
        if isinstance(piece, str):
            yield TraceProblem(file=file, line=0, path="", message=piece)
        else:
            yield from _decoded(piece, file, "object")


def _decoded(piece: Piece, file: str, layout: str) -> Iterator[Row | TraceProblem]:
    try:
        yield Row(piece.line, decode_json(piece.raw), piece.raw, layout)
    except BadJson as error:
        yield TraceProblem(file=file, line=piece.line, path="", message=str(error))


class Piece(NamedTuple):
    """A whole value cut from a document: its line, its bytes and, for members of an object, their key."""

    line: int
    raw: bytes
    key: str | None


def iter_members(
    stream: Readable, file: str, array_keys: Iterable[str]
) -> Iterator[tuple[str | None, Row] | TraceProblem]:
    """Yield the elements of the named arrays of each top-level object as ``(key, row)``, then the rest as ``(None, row)``.

    The rest of an object comes twice: before the first element, as far as it was read by then, and at its end. A
    reader that needs the whole header waits for the last one.
    """
    wanted = frozenset(array_keys)
    feed = Feed(stream)
    head = feed.peek(3)
    if head == b"\xef\xbb\xbf":
        feed.replace_head(b"")
    for piece in split(feed, depth=0, inside=wanted):
        if isinstance(piece, str):
            yield TraceProblem(file=file, line=0, path="", message=piece)
            continue
        for row in _decoded(piece, file, "object"):
            yield row if isinstance(row, TraceProblem) else (piece.key, row)


def split(feed: Feed, *, depth: int, inside: frozenset[str] = frozenset()) -> Iterator[Piece | str]:
    """Cut a byte stream of JSON into whole values; a ``str`` is a problem.

    ``depth`` 0 cuts top-level values, 1 the containers inside the top-level arrays. ``inside`` names keys of a
    top-level object whose array elements are cut out one by one.
    """
    return _Splitter(feed, depth, inside).run()


class _Splitter:
    def __init__(self, feed: Feed, depth: int, inside: frozenset[str]) -> None:
        self._feed = feed
        self._depth = depth
        self._inside = inside
        self._buffer = b""
        self._line = 1
        self._level = 0
        self._start: int | None = None
        self._member: str | None = None
        self._key = b""
        self._rest: list[bytes] = []
        self._announced = False

    def run(self) -> Iterator[Piece | str]:
        grow = CHUNK
        while chunk := self._feed.read(grow):
            self._buffer += chunk
            before = len(self._buffer)
            yield from self._scan()
            # A value longer than the buffer is scanned again, so the reads double: the work stays linear.
            grow = CHUNK if len(self._buffer) < before else min(len(self._buffer) + CHUNK, 64 * CHUNK)
            if len(self._buffer) > MAX_VALUE_BYTES:
                yield f"a single value is larger than {MAX_VALUE_BYTES >> 20} MiB; split the file"
                return
        if self._level > 0 or self._start is not None:
            yield "the document ends in the middle"
            yield from self._salvage()

    def _salvage(self) -> Iterator[Piece]:
        """Hand out the whole members of a cut document."""
        from agent_claimcheck.importers.head import complete_prefix

        begin = self._start if self._start is not None else 0
        text = self._buffer[begin:]
        if self._rest and self._member is None:
            text = b"".join(self._rest) + self._buffer[self._start or 0 :]
        whole = complete_prefix(text)
        if len(whole) > 2:
            yield Piece(self._line, whole, self._member)

    def _scan(self) -> Iterator[Piece]:
        buffer, consumed = self._buffer, 0
        level, start = self._level, self._start
        floor = self._depth
        for match in TOKEN.finditer(buffer, self._scan_from()):
            token = match.group()
            first = token[0]
            if first == 0x22:
                if len(token) == 1:
                    break
                if self._inside and level == 1:
                    self._key = token
                consumed_to = match.end()
            elif first in b"{[":
                if (level == floor and self._member is None) or (self._member is not None and level == 2):
                    start = match.start()
                elif self._inside and level == 1 and first == 0x5B and self._is_wanted():
                    yield from self._open_member(buffer, start, match.end())
                    start = None
                level += 1
                consumed_to = match.end()
            elif first in b"}]":
                level -= 1
                consumed_to = match.end()
                if self._member is not None:
                    if level == 2 and start is not None:
                        yield self._cut(buffer, start, match.end(), self._member)
                        start, consumed = None, match.end()
                    elif level == 1:
                        self._member = None
                        start = match.start()
                elif level == floor and start is not None:
                    yield from self._close(buffer, start, match.end())
                    start, consumed = None, match.end()
                if level < 0:
                    level = 0
            else:
                consumed_to = match.end()
            self._scanned = consumed_to
        self._level = level
        keep = start if start is not None else max(consumed, self._scanned)
        self._line += buffer.count(b"\n", self._counted, keep) if keep > self._counted else 0
        self._buffer = buffer[keep:]
        self._scanned = max(self._scanned - keep, 0)
        self._counted = 0
        self._start = None if start is None else 0

    _scanned = 0
    _counted = 0

    def _scan_from(self) -> int:
        return self._scanned

    def _is_wanted(self) -> bool:
        return self._key[1:-1].decode("utf-8", "replace") in self._inside

    def _open_member(self, buffer: bytes, start: int | None, end: int) -> Iterator[Piece]:
        head = buffer[start if start is not None else 0 : end]
        self._rest.append(head)
        self._member = self._key[1:-1].decode("utf-8", "replace")
        if not self._announced:
            self._announced = True
            yield Piece(self._line, b"".join(self._rest) + b"]}", None)

    def _cut(self, buffer: bytes, start: int, end: int, key: str | None) -> Piece:
        self._line += buffer.count(b"\n", self._counted, start)
        self._counted = start
        return Piece(self._line, buffer[start:end], key)

    def _close(self, buffer: bytes, start: int, end: int) -> Iterator[Piece]:
        if self._rest:
            self._rest.append(buffer[start:end])
            raw = b"".join(self._rest)
            self._rest, self._announced = [], False
            yield Piece(self._line, raw, None)
        else:
            yield self._cut(buffer, start, end, None)
