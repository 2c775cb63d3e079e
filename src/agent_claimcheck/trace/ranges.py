"""Byte ranges of one large JSON Lines file, so that several workers can read it at once.

A reader must not miss: a range starts and ends at a line end and knows the number of its first line, so problems and
results name the same lines as when the file is read in one piece.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from agent_claimcheck.core.byte_order_marks import UTF8_MARK
from agent_claimcheck.trace.documents import is_line_by_line
from agent_claimcheck.trace.streams import GZIP, ZSTD, iter_lines, name_format

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK = 1 << 20
_HEAD_BYTES = 64 * 1024


def may_be_cut(head: bytes) -> bool:
    """Tell whether a file that starts with ``head`` is plain JSON Lines, so that it can be read from any line on."""
    head = head[:_HEAD_BYTES]
    if head.startswith((GZIP, ZSTD)) or b"\x00" in head or name_format(head) is not None:
        return False
    # Whether a file that starts blank holds anything is known only by who reads all of it.
    return bool(head.removeprefix(UTF8_MARK).strip(b" \t\r\n")) and is_line_by_line(head)


def cut_lines(
    stream: BinaryIO, target_bytes: int, feed: Callable[[bytes], object] | None = None
) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, number of the first line) for ranges of at least ``target_bytes`` bytes, the last one smaller.

    Offsets count from where ``stream`` stands; ``end`` is exclusive. ``feed`` gets every byte on the way, for a checksum.
    """
    start, position, first, lines = 0, 0, 1, 0
    while chunk := stream.read(_CHUNK):
        if feed is not None:
            feed(chunk)
        offset = 0
        while True:
            cut = chunk.find(b"\n", max(offset, start + target_bytes - 1 - position))
            if cut < 0:
                break
            lines += chunk.count(b"\n", offset, cut + 1)
            yield start, position + cut + 1, first
            start, first, lines = position + cut + 1, first + lines, 0
            offset = cut + 1
        lines += chunk.count(b"\n", offset)
        position += len(chunk)
    if position > start:
        yield start, position, first


class RangeReader:
    """The lines of one byte range of a file. ``is_short`` is true when the file ended before the range did."""

    def __init__(self, path: str | os.PathLike[str], start: int, end: int, first_line: int) -> None:
        """``start`` and ``end`` are what ``cut_lines`` gave. Raises ``OSError`` when the file cannot be opened."""
        self._raw = _RawRange(path, start, end)
        self._stream = io.BufferedReader(self._raw, 128 * 1024)
        self._first_line = first_line

    @property
    def is_short(self) -> bool:
        return self._raw.is_short

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield (line number in the file, line without its end) for every line that is not blank."""
        return iter_lines(self._stream, first_line=self._first_line)

    def __enter__(self) -> RangeReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


class _RawRange(io.RawIOBase):
    def __init__(self, path: str | os.PathLike[str], start: int, end: int) -> None:
        self.is_short = False
        self._file = Path(path).open("rb", buffering=0)  # noqa: SIM115 - closed with this object
        self._file.seek(start)
        self._left = end - start

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")[: self._left]
        if not view:
            return 0
        count = self._file.readinto(view) or 0
        self.is_short = count == 0
        self._left -= count
        return count

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
