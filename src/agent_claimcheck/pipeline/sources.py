"""From what the user named (files, directories, globs, ``-``, aliases) to a stream of traces, problems and import notes.

A reader must not miss: the content decides how a file is read, never its name. What looks like agent-trace at all is
read as agent-trace, so that its faults are named line by line instead of "unknown format".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.core.byte_order_marks import UTF8_MARK, UTF16_MARKS
from agent_claimcheck.core.errors import TraceError
from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportOptions
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.parquet import MAGIC, read_parquet
from agent_claimcheck.trace.paths import RUN_SUFFIXES, expand_paths
from agent_claimcheck.trace.probes import Probes, load_probes, merge_probes
from agent_claimcheck.trace.read import STDIN_NAME, open_or_problem, read_stream, without_repeats
from agent_claimcheck.trace.remote import shown_name
from agent_claimcheck.trace.seen import SeenIds
from agent_claimcheck.trace.streams import STDIN, ByteStream, peek

if TYPE_CHECKING:
    from agent_claimcheck.pipeline.probes_run import ProbeSession

NATIVE = "agent-trace"
_BLANK = b" \t\r\n" + UTF8_MARK + UTF16_MARKS[0]
"""Bytes of a file that holds no text."""


class SourceOptions(Struct, frozen=True, kw_only=True):
    """How inputs are read.

    ``strict`` stops at the first problem. ``format_name`` overrides recognition. ``importing`` says how foreign formats
    are mapped. ``keeps_repeats`` lets a trace_id come again: a review follows the trace it is about.
    """

    strict: bool = False
    format_name: str | None = None
    importing: ImportOptions = ImportOptions()
    keeps_repeats: bool = False


def read_sources(inputs: Sequence[str], options: SourceOptions) -> Iterator[Imported]:
    """Yield the traces, problems and import notes of ``inputs``, in order. A repeated trace_id is a problem.

    So is a file that cannot be opened. Raises ``InputError`` at once for one that is missing, ``UsageError`` for an
    unknown alias or format, and with ``strict`` ``TraceError`` at the first problem.
    """
    return _read_files(list_files(inputs), options)


def _read_files(files: Sequence[str], options: SourceOptions) -> Iterator[Imported]:
    seen = None if options.keeps_repeats else SeenIds()
    for name in files:
        shown = STDIN_NAME if name == STDIN else shown_name(name)
        for item in _read_file(name, shown, options, seen):
            if options.strict and isinstance(item, TraceProblem) and item.severity == "error":
                raise TraceError(printable(str(item)))
            yield item


def list_files(inputs: Sequence[str]) -> list[str]:
    """Return the files that ``inputs`` name, in order. Raises what ``read_sources`` raises for a missing one."""
    return expand_paths([str(resolve_alias(item) or item) for item in inputs], suffixes=RUN_SUFFIXES)


def read_file(name: str, options: SourceOptions, *, shown: str | None = None) -> Iterator[Imported]:
    """Yield what one file holds; ``shown`` names it in traces and problems. Repeated ids are not looked for."""
    yield from _read_file(name, shown or name, options, None)


def read_opened(stream: ByteStream, name: str, options: SourceOptions) -> Iterator[Imported]:
    """Yield what ``stream`` holds, the fresh stream of the file ``name``, as ``read_sources`` does."""
    yield from _read_stream(stream, name, shown_name(name), options, SeenIds())


def _read_file(name: str, shown: str, options: SourceOptions, seen: SeenIds | None) -> Iterator[Imported]:
    stream = open_or_problem(name, file=shown)
    if isinstance(stream, TraceProblem):
        yield stream
        return
    with stream:
        yield from _read_stream(stream, name, shown, options, seen)


def _read_stream(
    stream: ByteStream, name: str, file: str, options: SourceOptions, seen: SeenIds | None
) -> Iterator[Imported]:
    head = peek(stream, HEAD_BYTES)
    if head.startswith(MAGIC) and name != STDIN:
        rows = read_parquet(name, file=file)
        yield from rows if seen is None else without_repeats(rows, seen)
        return
    if options.format_name == NATIVE or (options.format_name is None and is_native(head)):
        native = read_stream(stream, file=file)
        yield from native if seen is None else without_repeats(native, seen)
        return
    from agent_claimcheck.importers.files import read_any

    notes: list[ImportNote] = []
    items = read_any(stream, file=file, options=options.importing, format_name=options.format_name)
    traces = _set_aside(items, notes)
    yield from traces if seen is None else without_repeats(traces, seen)
    yield from notes


def _set_aside(items: Iterator[Imported], notes: list[ImportNote]) -> Iterator[Trace | TraceProblem]:
    for item in items:
        if isinstance(item, ImportNote):
            notes.append(item)
        else:
            yield item


def is_native(head: bytes) -> bool:
    """True for content that is agent-trace, is meant to be, or holds nothing at all."""
    # UTF-16 puts a zero byte beside each character.
    plain = head.replace(b"\0", b"")
    if b"agent-trace/v" in plain or not plain.strip(_BLANK):
        return True
    return b'"trace_id"' in plain and b'"final_claim"' in plain and b'"steps"' in plain


class ProbeSource:
    """State probes from a side file, merged trace by trace; remembers which traces it had no chance to merge into.

    With ``live`` the readings that a probes file asks for are made on the way and merged too.
    """

    def __init__(self, path: Path | None, live: ProbeSession | None = None) -> None:
        self._live = live
        self._probes: Probes = load_probes(resolve_alias(str(path)) or path) if path is not None else {}
        self._unseen = set(self._probes)
        self._names = {probe.name for probes in self._probes.values() for probe in probes}

    def merge(self, trace: Trace) -> Trace:
        """Return ``trace`` with its probes appended."""
        if not self._probes:
            return trace
        self._unseen.discard(trace.trace_id)
        return merge_probes(trace, self._probes)

    def joined(self, items: Iterable[Imported]) -> Iterator[Imported]:
        """Yield ``items`` in order, every trace with its probes appended: those of the file, then those read now."""
        if self._live is None:
            for item in items:
                yield self.merge(item) if isinstance(item, Trace) else item
            return
        for item, read in self._live.probe_all(items):
            if isinstance(item, Trace):
                self._names.update(probe.name for probe in read)
                yield merge_probes(self.merge(item), {item.trace_id: read})
            else:
                yield item

    def note_merged(self, trace_ids: Iterable[str]) -> None:
        """Remember that the probes of these traces were merged elsewhere."""
        self._unseen.difference_update(trace_ids)

    def warnings(self) -> Iterator[str]:
        """Name the probes whose trace was not in the input."""
        for trace_id in sorted(self._unseen):
            yield f"warning: probe for unknown trace_id {trace_id!r}"

    def warn_of_unread(self, packs: Iterable[RulePack]) -> Iterator[str]:
        """Name the probes that no rule of ``packs`` asks for: such a probe was read for nothing."""
        asked = {rule.probe for pack in packs for rule in pack.claims.values() if rule.probe is not None}
        for name in sorted(self._names):
            if not any(glob_match(glob, name) for glob in asked):
                yield (
                    f"warning: no rule asks for the state probe {name!r}, so it settles nothing; "
                    "name it under `probe` in a rule pack and give the pack with --rules"
                )
