"""Cuts a byte stream of JSON into whole values, without decoding any.

A reader must not miss: only brackets, strings and keys are followed. A value longer than ``MAX_VALUE_BYTES`` is named and
ends the reading, so that one file cannot take all memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agent_claimcheck.importers.feed import CHUNK, Feed
from agent_claimcheck.importers.head import TOKEN, complete_prefix

MAX_VALUE_BYTES = 256 << 20
"""The largest single value."""


class Piece(NamedTuple):
    """A whole value cut from a document: its line, its bytes and, for members of an object, their key."""

    line: int
    raw: bytes
    key: str | None


def cut_values(feed: Feed, *, depth: int, inside: frozenset[str] = frozenset()) -> Iterator[Piece | str]:
    """Cut a byte stream of JSON into whole values; a ``str`` is a problem.

    ``depth`` 0 cuts top-level values, 1 the containers inside the top-level arrays. ``inside`` names keys of a
    top-level object whose array elements are cut out one by one.
    """
    return _Cutter(feed, depth, inside).run()


class _Cutter:
    """The state between chunks. ``_scanned`` and ``_counted`` are how far the buffer was looked through and its lines counted."""

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
        self._scanned = 0
        self._counted = 0

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
        for match in TOKEN.finditer(buffer, self._scanned):
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
