"""Files that are one JSON array of traces, or traces printed over several lines, cut into one piece per trace.

A reader must not miss: only brackets and strings are followed here, whether a piece is JSON is decided later. So a
broken piece is named like a broken line, and memory holds one piece, never the array.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from agent_claimcheck.core.byte_order_marks import UTF8_MARK
from agent_claimcheck.trace.limits import MAX_LINE_BYTES

_CHUNK = 256 * 1024
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{}]', re.DOTALL)
# Everything up to the next bracket, whole strings included; it stops at a string that goes on in the next chunk.
_TO_BRACKET = re.compile(rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+', re.DOTALL)
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_BETWEEN = re.compile(rb"[\s,]*")
_WORD = re.compile(rb'[^\s,\[\]{}"]+')
_OPENING = b"[{"
_QUOTE = 0x22


def is_line_by_line(head: bytes) -> bool:
    """Tell whether a file that starts with ``head`` is JSON Lines rather than an array or objects over several lines.

    Only a first line that leaves an object open, followed by lines that go on with it, speaks for the latter: a
    truncated first line of JSON Lines is followed by a line that holds a new object.
    """
    text = head.removeprefix(UTF8_MARK).lstrip()
    if text.startswith(b"["):
        return False
    if not text.startswith(b"{"):
        return True
    first, _, rest = text.partition(b"\n")
    if first.strip() == b"{":
        return False
    if _balance(first) <= 0:
        return True
    second, end, rest = rest.lstrip().partition(b"\n")
    if not second.startswith(b"{"):
        return not second
    if not end:
        return True
    # Else it is an element of a list on a line of its own: ``{...},``, ``{``, ``{...}]}``, or ``{...}`` before ``]``.
    if second.rstrip()[-1:] in (b",", b"{", b"[", b":"):
        return False
    balance = _balance(second)
    return balance > 0 or (balance == 0 and rest.lstrip()[:1] not in (b"]", b"}", b","))


def iter_documents(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (line where it starts, bytes) for each top-level value; of a top-level array, for each element.

    A value over 64 MiB is cut to one byte more than that. What is left open at the end is yielded as it is, and an
    array that never ends yields its opening bracket, so that decoding names it.
    """
    cutter = _Cutter()
    head = b""
    while len(head) < len(UTF8_MARK) and (chunk := stream.read(_CHUNK)):
        head += chunk
    yield from cutter.feed(head.removeprefix(UTF8_MARK))
    while chunk := stream.read(_CHUNK):
        yield from cutter.feed(chunk)
    yield from cutter.finish()


def _balance(line: bytes) -> int:
    depth = 0
    for match in _TOKEN.finditer(line):
        token = match[0]
        if len(token) == 1 and token != b'"':
            depth += 1 if token in _OPENING else -1
    return depth


class _Cutter:
    """The state between chunks: how deep, whether within a string, and the piece begun so far."""

    def __init__(self) -> None:
        self._depth = 0
        self._array_line = 0
        self._is_in_string = False
        self._skips_next = False
        self._line = 1
        self._piece: list[bytes] = []
        self._size = 0
        self._piece_line = 0

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes]]:
        pos = 0
        counted = 0
        while pos < len(chunk):
            if self._piece_line == 0:
                pos = self._go_to_piece(chunk, pos)
                self._line += chunk.count(b"\n", counted, pos)
                counted = pos
                if pos == len(chunk):
                    break
                if self._opens_or_closes_array(chunk[pos : pos + 1]):
                    pos += 1
                    continue
                self._piece_line = self._line
            end, is_complete = self._go_to_end(chunk, pos)
            self._keep(chunk[pos:end])
            pos = end
            if is_complete:
                yield self._take()
        self._line += chunk.count(b"\n", counted)

    def finish(self) -> Iterator[tuple[int, bytes]]:
        if self._piece_line:
            yield self._take()
        elif self._array_line:
            yield self._array_line, b"["

    def _go_to_piece(self, chunk: bytes, pos: int) -> int:
        match = _BETWEEN.match(chunk, pos)
        return match.end() if match else pos

    def _opens_or_closes_array(self, char: bytes) -> bool:
        if char == b"[" and not self._array_line:
            self._array_line = self._line
            return True
        if char == b"]" and self._array_line:
            self._array_line = 0
            return True
        return False

    def _go_to_end(self, chunk: bytes, pos: int) -> tuple[int, bool]:
        """Return where the piece that covers ``pos`` stops in this chunk, and whether it is complete there."""
        if self._is_in_string:
            pos = self._leave_string(chunk, pos)
            if self._depth == 0 and not self._is_in_string:
                return pos, True
        elif self._depth == 0 and chunk[pos] == _QUOTE:
            pos = self._leave_string(chunk, pos + 1)
            return pos, not self._is_in_string
        elif self._depth == 0 and chunk[pos] not in _OPENING:
            # A number, a word or a stray bracket: no trace, but a piece to be named.
            match = _WORD.match(chunk, pos)
            end = match.end() if match else pos + (not self._piece)
            return end, match is None or end < len(chunk)
        while not self._is_in_string:
            match = _TO_BRACKET.match(chunk, pos)
            pos = match.end() if match else pos
            if pos == len(chunk):
                break
            char = chunk[pos]
            pos += 1
            if char == _QUOTE:
                pos = self._leave_string(chunk, pos)
                continue
            self._depth += 1 if char in _OPENING else -1
            if self._depth <= 0:
                self._depth = 0
                return pos, True
        return len(chunk), False

    def _leave_string(self, chunk: bytes, pos: int) -> int:
        self._is_in_string = True
        if self._skips_next:
            self._skips_next = False
            pos += 1
        match = _IN_STRING.match(chunk, pos)
        end = match.end() if match else pos
        if end < len(chunk) and chunk[end : end + 1] == b'"':
            self._is_in_string = False
            return end + 1
        # A backslash is the last byte of the chunk; what it escapes opens the next one.
        self._skips_next = end < len(chunk)
        return len(chunk)

    def _keep(self, data: bytes) -> None:
        room = MAX_LINE_BYTES + 1 - self._size
        if room > 0:
            self._piece.append(data[:room])
            self._size += len(data)

    def _take(self) -> tuple[int, bytes]:
        piece = (self._piece_line, b"".join(self._piece))
        self._piece = []
        self._size = 0
        self._piece_line = 0
        self._depth = 0
        self._is_in_string = False
        return piece
