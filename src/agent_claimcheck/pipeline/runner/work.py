"""The work on one part: read its traces, check them, write the results beside each other in input order.

A reader must not miss: this is the same for every engine. A worker is built once in a process and does any number of
parts; all it needs comes in one picklable ``PartWork``.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from contextlib import suppress as suppress_errors
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.text import printable
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.runner.marks import Mark, SetMark, unmarked
from agent_claimcheck.pipeline.runner.parts import Part
from agent_claimcheck.pipeline.runner.reading import PartReader
from agent_claimcheck.pipeline.runner.report import (
    PROBLEMS_SUFFIX,
    REPORT_SUFFIX,
    RESULTS_SUFFIX,
    V1_SUFFIX,
    Counts,
    PartReport,
    part_stem,
)
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.results.suppress import Suppression
from agent_claimcheck.results.suppress import apply as suppress
from agent_claimcheck.results.v1 import encode_v1
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.results.writers.output import AtomicFile
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.probes import Probes, load_probes, merge_probes
from agent_claimcheck.trace.view import label_free


class PartWork(Struct, frozen=True, kw_only=True):
    """What to do with every part; picklable.

    ``today`` decides which suppressions still apply. ``has_v1`` also writes the documented v1 lines. With ``is_durable``
    files are synced and renamed, so that they survive a crash whole or not at all.
    """

    spec: CheckerSpec
    reading: SourceOptions = SourceOptions()
    probes: Path | None = None
    suppressions: tuple[Suppression, ...] = ()
    today: date
    has_v1: bool = False
    is_durable: bool = False

    def shared_by(self, workers: int) -> PartWork:
        """Return the same work for each of ``workers`` workers: together they keep the limit on calls in flight."""
        judge = self.spec.judge
        if judge is None or workers <= 1:
            return self
        each = max(1, judge.settings.judge.concurrency // workers)
        settings = replace(judge.settings, judge=replace(judge.settings.judge, concurrency=each))
        return replace(self, spec=replace(self.spec, judge=replace(judge, settings=settings)))


class PartTask(Struct, frozen=True, kw_only=True):
    """One part to be done: where its files go and which places are left alone, because they ended workers before.

    With ``is_careful`` one trace is checked at a time, so that a sudden death names its trace.
    """

    part: Part
    directory: str
    set_aside: frozenset[Mark] = frozenset()
    is_careful: bool = False


_TOLD = PartReport(index=0, directory="", stem="", counts=Counts())


class PartWorker:
    """Does parts, one after the other. Holds one Checker; close it when done."""

    def __init__(self, work: PartWork) -> None:
        """Raises what building a ``Checker`` and loading probes raise."""
        self._work = work
        self._checker = Checker(spec=work.spec)
        self._is_remote = bool(getattr(self._checker.detector, "is_remote", False))
        path = work.probes
        self._probes: Probes = load_probes(resolve_alias(str(path)) or path) if path is not None else {}

    def warm_up(self) -> None:
        """Read the packaged examples by the rules, so that no trace of a part pays for what is done once a process.

        The first trace would take a hundred times as long as the others: whatever ends a worker by chance would end it there,
        and twice at one place is held against the trace.
        """
        for trace in read_sources(["example:mixed"], SourceOptions()):
            if isinstance(trace, Trace):
                evidence = Evidence(label_free(trace), self._work.spec.case)
                judge_claims(evidence)
                evidence.findings  # noqa: B018 - computed on first use

    def close(self) -> None:
        """Close what the detector holds open."""
        self._checker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def do(self, task: PartTask, mark: SetMark = unmarked) -> PartReport:
        """Do one part and return its report. Raises ``OutputError`` when its files cannot be written."""
        started = time.process_time()
        self._checker.used_builtin_calibrators = False
        with PartFiles(task, self._work) as files:
            reader = PartReader(task.part, self._work.reading, task.set_aside, mark)
            used: list[str] = []
            for result in self._results(reader, files, used, task.is_careful):
                files.add(suppress(result, self._work.suppressions, self._work.today))
            told = replace(
                _TOLD,
                notes=tuple(reader.notes),
                probes_used=tuple(used),
                used_builtin_calibrators=self._checker.used_builtin_calibrators,
                cpu_s=round(time.process_time() - started, 6),
            )
            return files.commit(told)

    def _results(
        self, reader: PartReader, files: PartFiles, used: list[str], is_careful: bool
    ) -> Iterator[CheckResult]:
        traces = self._traces(reader, files, used)
        if self._is_remote and not is_careful:
            for _, result in self._checker.check_pairs(traces):
                yield result
            return
        for trace in traces:
            yield self._checker.check_one(trace)

    def _traces(self, reader: PartReader, files: PartFiles, used: list[str]) -> Iterator[Trace]:
        for item in reader.items():
            if isinstance(item, TraceProblem):
                files.add_problem(item)
                if self._work.reading.strict and item.severity == "error":
                    return
                continue
            if item.trace_id in self._probes:
                used.append(item.trace_id)
                yield merge_probes(item, self._probes)
            else:
                yield item


class PartFiles:
    """The files of one part while they are written. Leaving the block without ``commit`` throws them away."""

    def __init__(self, task: PartTask, work: PartWork) -> None:
        self._index = task.part.index
        self._directory = Path(task.directory)
        self._stem = part_stem(self._index)
        self._is_durable = work.is_durable
        self._summary = Summary()
        self._hash = hashlib.blake2b(digest_size=16)
        self._size = 0
        self._stack = ExitStack()
        self._results = self._open(RESULTS_SUFFIX)
        self._v1 = self._open(V1_SUFFIX) if work.has_v1 else None
        self._problems: _PartFile | None = None

    def add(self, result: CheckResult) -> None:
        """Write one result."""
        self._summary.add(result)
        line = encode_v2(result) + b"\n"
        if self._is_durable:
            self._hash.update(line)
        self._size += len(line)
        self._results.write(line)
        if self._v1 is not None:
            self._v1.write(encode_v1(result) + b"\n")

    def add_problem(self, problem: TraceProblem) -> None:
        """Write one problem."""
        if problem.severity == "error":
            self._summary.add_problems()
        if self._problems is None:
            self._problems = self._open(PROBLEMS_SUFFIX)
        self._problems.write(encode(problem) + b"\n")

    def commit(self, told: PartReport) -> PartReport:
        """Put the files in their places, the report last: where it is, the part is done. ``told`` is filled up."""
        report = replace(
            told,
            index=self._index,
            directory=str(self._directory),
            stem=self._stem,
            counts=Counts.of(self._summary),
            results_bytes=self._size,
            results_hash=self._hash.hexdigest(),
            has_v1=self._v1 is not None,
            has_problems=self._problems is not None,
            peak_rss_mb=peak_rss_mb(),
        )
        for file in (self._results, self._v1, self._problems):
            if file is not None:
                file.commit()
        if self._is_durable:
            last = self._open(REPORT_SUFFIX)
            last.write(encode(report))
            last.commit()
        return report

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()

    def _open(self, suffix: str) -> _PartFile:
        path = self._directory / (self._stem + suffix)
        file: _PartFile = AtomicFile(path) if self._is_durable else _PlainFile(path)
        self._stack.callback(file.discard)
        return file


class _PlainFile:
    """A file of a run that is not kept: written in place, without waiting for the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_done = False
        try:
            self._stream: IO[bytes] = path.open("wb", 256 * 1024)
        except OSError as error:
            raise self._failure(error) from None

    def write(self, data: bytes, /) -> int:
        try:
            return self._stream.write(data)
        except OSError as error:
            raise self._failure(error) from None

    def commit(self) -> None:
        try:
            self._stream.close()
        except OSError as error:
            raise self._failure(error) from None
        self._is_done = True

    def discard(self) -> None:
        if self._is_done:
            return
        with suppress_errors(OSError):  # the disk may be full: what is thrown away need not be flushed
            self._stream.close()
        self._path.unlink(missing_ok=True)

    def _failure(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write {printable(str(self._path))}: {error.strerror or error}")


_PartFile = AtomicFile | _PlainFile


def peak_rss_mb() -> float:
    """Return the most memory this process has held so far, in MB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # not on this system
        return 0.0
    import sys

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def deliver_part(report: PartReport, files: Mapping[str, bytes], directory: Path, *, is_durable: bool) -> PartReport:
    """Write the files of a part that was done elsewhere into ``directory``, the report last. Raises ``OutputError``."""
    here = replace(report, directory=str(directory))
    contents = dict(files)
    if is_durable:
        contents[REPORT_SUFFIX] = encode(here)
    for suffix, data in contents.items():
        file: _PartFile = AtomicFile(here.path(suffix)) if is_durable else _PlainFile(here.path(suffix))
        try:
            file.write(data)
            file.commit()
        finally:
            file.discard()
    return here
