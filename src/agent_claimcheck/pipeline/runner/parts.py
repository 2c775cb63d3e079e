"""Parts: pieces of the input that one worker reads in one go, small enough to redo and large enough to be worth a task.

A reader must not miss: parts are cut by bytes, at line ends, and only where a file is plain JSON Lines of our own format.
Everything else (compressed, foreign, one JSON array) is read whole by one worker. Small files share a part.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.pipeline.sources import NATIVE, SourceOptions, is_native
from agent_claimcheck.trace.ranges import cut_lines, may_be_cut
from agent_claimcheck.trace.read import STDIN_NAME
from agent_claimcheck.trace.remote import is_remote, remote_size, shown_name
from agent_claimcheck.trace.streams import STDIN, open_bytes

SMALLEST_PART_BYTES = 256 * 1024
LARGEST_PART_BYTES = 8 * 1024 * 1024
LARGEST_SENT_PART_BYTES = 1024 * 1024
"""For an engine whose results come back through the memory of the driver."""
_PIECES_PER_PART = 500
_PARTS_PER_WORKER = 8


class Piece(Struct, frozen=True, kw_only=True):
    """One file, or one range of its lines.

    ``file`` is opened, ``shown`` names it in results. ``lines`` pieces hold the bytes from ``start`` to ``end``
    (exclusive), whose first line has the number ``first_line``; ``whole`` pieces are read from start to end.
    """

    file: str
    shown: str
    kind: Literal["lines", "whole"]
    start: int = 0
    end: int = 0
    first_line: int = 1
    size: int = 0


class Part(Struct, frozen=True, kw_only=True):
    """The work of one task. Parts are numbered in input order from 0; ``size`` is in bytes as stored."""

    index: int
    pieces: tuple[Piece, ...]
    size: int


def part_bytes_for(total_bytes: int, workers: int, *, are_sent: bool = False) -> int:
    """Return a part size that keeps ``workers`` busy to the end of ``total_bytes``, within fixed bounds.

    ``are_sent``: results come back through the memory of the driver, so parts stay smaller.
    """
    largest = LARGEST_SENT_PART_BYTES if are_sent else LARGEST_PART_BYTES
    return max(SMALLEST_PART_BYTES, min(largest, total_bytes // max(1, workers * _PARTS_PER_WORKER)))


def plan_parts(
    files: Iterable[tuple[str, str]],
    options: SourceOptions,
    part_bytes: int,
    feed: Callable[[str, bytes], object] | None = None,
) -> Iterator[Part]:
    """Yield the parts of ``files``, pairs of the name to open and the name to show, in order.

    Files are looked at one by one as parts are asked for. ``feed`` gets the name and every byte of each local file that
    can be read, for a checksum. A file that fails on the way raises ``InputError``.
    """
    index = 0
    group: list[Piece] = []
    for name, shown in files:
        try:
            pieces = _pieces(name, shown, options, part_bytes, feed)
            for piece in pieces:
                if group and (piece.kind == "lines" or _is_full(group, piece, part_bytes)):
                    yield _part(index, group)
                    index, group = index + 1, []
                group.append(piece)
                if piece.kind == "lines":
                    yield _part(index, group)
                    index, group = index + 1, []
        except OSError as error:
            raise InputError(f"{printable(name)}: cannot be read: {error.strerror or error}", slug="input") from None
    if group:
        yield _part(index, group)


def _is_full(group: Sequence[Piece], piece: Piece, part_bytes: int) -> bool:
    return len(group) >= _PIECES_PER_PART or sum(held.size for held in group) + piece.size > part_bytes


def _part(index: int, pieces: Sequence[Piece]) -> Part:
    return Part(index=index, pieces=tuple(pieces), size=sum(piece.size for piece in pieces))


def _pieces(
    name: str, shown: str, options: SourceOptions, part_bytes: int, feed: Callable[[str, bytes], object] | None
) -> Iterator[Piece]:
    if not can_be_read(name):
        # Who reads the part tells it, as where files are read one by one.
        yield Piece(file=name, shown=shown, kind="whole")
        return
    size = file_size(name)
    if is_remote(name):
        yield Piece(file=name, shown=shown, kind="whole", size=size)
        return
    note = (lambda data: feed(name, data)) if feed is not None else None
    with Path(name).open("rb") as stream:
        if size > part_bytes and Path(name).is_file():
            head = stream.read(HEAD_BYTES)
            stream.seek(0)
            if _is_native_lines(head, options):
                for start, end, first in cut_lines(stream, part_bytes, note):
                    yield Piece(
                        file=name, shown=shown, kind="lines", start=start, end=end, first_line=first, size=end - start
                    )
                return
        if note is not None:
            while data := stream.read(1 << 20):
                note(data)
    yield Piece(file=name, shown=shown, kind="whole", size=size)


def _is_native_lines(head: bytes, options: SourceOptions) -> bool:
    wants_native = options.format_name == NATIVE or (options.format_name is None and is_native(head))
    return wants_native and may_be_cut(head)


def can_be_read(name: str) -> bool:
    """False for a local file that is gone or shut; of a remote one that is seen when it is read."""
    return is_remote(name) or os.access(name, os.R_OK)


def file_size(name: str) -> int:
    """Return the size of a local or remote file in bytes. Raises ``InputError`` or ``OSError``."""
    return remote_size(name) if is_remote(name) else Path(name).stat().st_size


def spool_stdin(files: Sequence[str], directory: Path) -> list[tuple[str, str]]:
    """Return the (name to open, name to show) of every file; standard input is copied into ``directory`` first."""
    named = []
    for name in files:
        if name != STDIN:
            named.append((name, shown_name(name)))
            continue
        with open_bytes(STDIN) as stream, tempfile.NamedTemporaryFile(dir=directory, delete=False) as copy:
            shutil.copyfileobj(stream, copy, 1 << 20)
        named.append((copy.name, STDIN_NAME))
    return named
