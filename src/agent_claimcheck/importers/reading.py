"""One importer made of two functions: how the format is recognised and how its runs are read.

A reader must not miss: counting, making trace ids different within a file, and the last word on hostile input are here,
so a format file holds nothing but its own mapping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import msgspec
from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.importers.builder import Draft, build
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportOptions, ImportReport, Recognition
from agent_claimcheck.importers.documents import Row, iter_rows
from agent_claimcheck.importers.feed import Feed
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.lost_runs import no_run
from agent_claimcheck.trace.model import Step, Trace, TraceProblem


class Reading(Struct, frozen=True, kw_only=True):
    """What a format's reader works with for one file."""

    stream: Feed
    file: str
    options: ImportOptions
    report: ImportReport

    def head(self, size: int = 1 << 16) -> Head:
        """The start of the file, parsed; nothing is taken from the stream."""
        return Head(self.stream.peek(size))

    def problem(self, line: int, path: str, message: str) -> TraceProblem:
        """A fault of this file, as data."""
        return TraceProblem(file=self.file, line=line, path=path, message=message)


Drafts = Iterator[Draft | Trace | TraceProblem]


def each_row(reading: Reading, take: Callable[[Row], Iterable[Draft | TraceProblem] | None]) -> Drafts:
    """Yield the runs that ``take`` finds finished at each row of a file, and in their places the rows that cannot be read.

    ``take`` returns ``None`` where no row ever ends a run; it keeps what is open, and its owner yields that behind this.
    """
    for row in iter_rows(reading.stream, reading.file):
        if isinstance(row, TraceProblem):
            yield row
        else:
            yield from take(row) or ()


def each_object(reading: Reading, make: Callable[[Row], Draft | None]) -> Drafts:
    """Yield what ``make`` builds of each object of a file in which every record is a run; what it does not take is a fault."""

    def take(row: Row) -> Iterator[Draft | TraceProblem]:
        draft = make(row) if isinstance(row.value, dict) else None
        yield no_run(row, reading.file, reading.report.format) if draft is None else draft

    return each_row(reading, take)


class FormatImporter(Struct, frozen=True, kw_only=True):
    """An ``Importer`` for one format. ``recognise_by`` returns the reason, or ``None`` when it is another format."""

    name: str
    title: str
    recognised_by: str
    recognise_by: Callable[[Head], str | None]
    drafts: Callable[[Reading], Drafts]

    def recognise(self, head: Head) -> Recognition | None:
        """Say whether the head is of this format."""
        try:
            reason = self.recognise_by(head)
        except RecursionError:
            return None
        return Recognition(name=self.name, reason=reason) if reason else None

    def read(self, stream: BinaryIO, *, file: str, options: ImportOptions) -> Iterator[Imported]:
        """Yield traces and problems, then the note of what was found and lost."""
        report = ImportReport(file=file, format=self.name)
        reading = Reading(stream=Feed(stream), file=file, options=options, report=report)
        seen: Counter[str] = Counter()
        try:
            for item in self.drafts(reading):
                if isinstance(item, TraceProblem):
                    report.problems += item.severity == "error"
                    yield item
                    continue
                trace = build(item, file=file, options=options) if isinstance(item, Draft) else item
                distinct = _distinct(trace, seen)
                if distinct is not trace:
                    report.renamed += 1
                    report.renamed_as = report.renamed_as or distinct.trace_id
                count(report, distinct)
                yield distinct
        except RecursionError:
            report.problems += 1
            yield reading.problem(0, "$", "a value is nested too deeply to be read")
        except (InputError, OSError, EOFError) as error:
            report.problems += 1
            yield reading.problem(0, "", f"the file cannot be read to its end: {error}")
        if report.runs == 0 and report.problems == 0:
            report.problems += 1
            yield reading.problem(0, "", f"looks like {self.title} but holds no runs")
        yield ImportNote(file=file, report=report)


def _distinct(trace: Trace, seen: Counter[str]) -> Trace:
    """A second run of the same id gets a number behind it."""
    name = trace.trace_id
    seen[name] += 1
    if seen[name] == 1:
        return trace
    number = seen[name]
    while f"{name}#{number}" in seen:
        number += 1
    seen[f"{name}#{number}"] += 1
    return msgspec.structs.replace(trace, trace_id=f"{name}#{number}")


def count(report: ImportReport, trace: Trace) -> None:
    """Add one trace to the report."""
    report.runs += 1
    report.steps += len(trace.steps)
    if trace.origin is not None and trace.origin.flavour:
        report.flavours[trace.origin.flavour] = report.flavours.get(trace.origin.flavour, 0) + 1
    if trace.final_claim.text is None:
        report.without_final += 1
    open_ids: set[str] = set()
    open_names: Counter[str] = Counter()
    for step in trace.steps:
        if step.ts_source in ("synthetic", "inherited"):
            report.synthetic_timestamps += 1
        if step.kind == "tool_call":
            report.calls += 1
            if step.call_id is not None:
                open_ids.add(step.call_id)
            else:
                open_names[step.name or ""] += 1
        elif step.kind == "tool_result":
            report.results += 1
            source = step.status_source or "none"
            report.status_sources[source] = report.status_sources.get(source, 0) + 1
            if not _close(step, open_ids, open_names):
                report.orphans += 1
    report.unpaired += len(open_ids) + sum(open_names.values())


def _close(step: Step, open_ids: set[str], open_names: Counter[str]) -> bool:
    if step.call_id is not None:
        if step.call_id in open_ids:
            open_ids.discard(step.call_id)
            return True
        return False
    if open_names[step.name or ""] > 0:
        open_names[step.name or ""] -= 1
        return True
    return False
