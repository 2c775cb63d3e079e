"""Read any supported file: tell its format, then hand over to the importer of that format.

A reader must not miss: a file of no known format is one problem that says what the content looks like, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.importers.catalog import load
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportOptions, ImportReport
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.importers.sniff import describe_unknown, recognise
from agent_claimcheck.trace.model import TraceProblem
from agent_claimcheck.trace.streams import ByteStream, peek


def read_any(
    stream: ByteStream, *, file: str, options: ImportOptions, format_name: str | None = None
) -> Iterator[Imported]:
    """Yield the traces, problems and the closing note of one fresh stream.

    ``format_name`` overrides recognition. Raises ``UsageError`` when it names no format.
    """
    if format_name is not None:
        yield from load(format_name).read(stream, file=file, options=options)
        return
    head = peek(stream, HEAD_BYTES)
    found = recognise(head)
    if found is None:
        said = _damage(stream, head) or describe_unknown(head)
        # Text that begins as JSON is broken on the line where it begins; of any other the whole file is meant.
        line = 1 + head[: len(head) - len(head.lstrip())].count(b"\n") if said.startswith("is not JSON") else 0
        yield TraceProblem(file=file, line=line, path="", message=said)
        yield ImportNote(file=file, report=ImportReport(file=file, format="unknown", problems=1))
        return
    yield from load(found.name).read(stream, file=file, options=options)


def _damage(stream: ByteStream, head: bytes) -> str:
    """Say why the start of a file ends where it does, when that is no end but damage."""
    if len(head) >= HEAD_BYTES:
        return ""
    try:
        stream.read(HEAD_BYTES)
    except InputError as error:
        return f"reading stops here: {error.message}"
    return ""
