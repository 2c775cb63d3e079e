"""The streaming reader: from files, directories, patterns and standard input to traces and problems, one at a time.

A reader must not miss: a bad line is data, not an end. It comes out as ``TraceProblem`` records in its place and the
lines after it are read on, and the files after one that cannot be opened. Only ``strict`` stops the run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from agent_claimcheck.core.errors import InputError, TraceError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.documents import is_line_by_line, iter_documents
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.paths import expand_paths
from agent_claimcheck.trace.schema import show
from agent_claimcheck.trace.seen import SeenIds
from agent_claimcheck.trace.streams import STDIN, ByteStream, iter_lines, name_format, open_bytes, peek

STDIN_NAME = "<stdin>"

# Enough to see how a file is laid out; a longer first line is taken for JSON Lines.
_HEAD_BYTES = 64 * 1024


def read_traces(
    paths: Sequence[str | os.PathLike[str]], *, strict: bool = False, stdin: BinaryIO | None = None
) -> Iterator[Trace | TraceProblem]:
    """Yield the traces of ``paths`` in order, and the problems in between.

    ``paths`` are files, directories, globs or ``-`` for ``stdin``; plain, gzip or zstd; JSON Lines, one array of traces
    or objects over several lines. A ``trace_id`` that comes again, in any of the files, is a problem that names both
    places. A file without any trace is a problem of line 0. Memory is flat but for up to 20 bytes a trace.

    Raises ``InputError`` at once for what is missing, and ``TraceError`` at the first problem when ``strict``.
    """
    files = expand_paths(paths)
    return _read_files(files, strict, stdin)


def _read_files(files: list[str], strict: bool, stdin: BinaryIO | None) -> Iterator[Trace | TraceProblem]:
    seen = SeenIds()
    for name in files:
        for item in without_repeats(_read_file(name, stdin), seen):
            if strict and isinstance(item, TraceProblem) and item.severity == "error":
                raise TraceError(printable(str(item)))
            yield item


def _read_file(name: str, stdin: BinaryIO | None) -> Iterator[Trace | TraceProblem]:
    shown = STDIN_NAME if name == STDIN else name
    stream = open_or_problem(name, file=shown, stdin=stdin)
    if isinstance(stream, TraceProblem):
        yield stream
        return
    with stream:
        yield from read_stream(stream, file=shown)


def open_or_problem(name: str, *, file: str, stdin: BinaryIO | None = None) -> ByteStream | TraceProblem:
    """Open one of the listed files; a problem says why it cannot be opened, as when it is gone since it was listed.

    ``file`` names it in the problem. Raises ``MissingExtraError``, which concerns the whole run.
    """
    try:
        return open_bytes(name, stdin=stdin)
    except InputError as error:
        return TraceProblem(file=file, line=0, path="", message=str(error).removeprefix(f"{printable(name)}: "))


def read_stream(stream: ByteStream, *, file: str) -> Iterator[Trace | TraceProblem]:
    """Yield the traces and problems of one fresh, decompressed ``stream``; ``file`` names it in both.

    Repeated ids are not looked for here, see ``without_repeats``.
    """
    line = 0
    is_empty = True
    try:
        head = peek(stream, _HEAD_BYTES)
        other = name_format(head)
        if other is not None:
            yield TraceProblem(file=file, line=0, path="", message=f"cannot be read: it is {other}")
            return
        pieces = iter_lines(stream) if is_line_by_line(head) else iter_documents(stream)
        for line, data in pieces:
            is_empty = False
            decoded = decode_trace(data, file=file, line=line)
            if isinstance(decoded, Trace):
                yield decoded
            else:
                yield from decoded
    except InputError as error:
        yield TraceProblem(file=file, line=line, path="", message=f"reading stops here: {error}")
        return
    if is_empty:
        yield TraceProblem(file=file, line=0, path="", message="holds no traces")


def without_repeats(items: Iterator[Trace | TraceProblem], seen: SeenIds) -> Iterator[Trace | TraceProblem]:
    """Yield ``items`` with a problem in place of every trace whose id is in ``seen`` already. The first one stays."""
    for item in items:
        if isinstance(item, Trace) and item.where is not None:
            problem = repeated(item.trace_id, item.where.file, item.where.line, seen)
            if problem is not None:
                yield problem
                continue
        yield item


def repeated(trace_id: str, file: str, line: int, seen: SeenIds) -> TraceProblem | None:
    """Remember ``trace_id`` in ``seen``; return a problem that names both places when it was there already, and what to do."""
    first = seen.first_sight(trace_id, file, line)
    if first is None:
        return None
    message = f"trace_id {show(trace_id)} was used before, at {first[0]}:{first[1]}; give this run an id of its own"
    if first[0] != file:
        message += ", or give the files one by one"
    return TraceProblem(file=file, line=line, path="$.trace_id", message=message)
