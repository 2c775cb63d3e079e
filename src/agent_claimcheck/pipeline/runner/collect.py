"""From finished parts to outputs: repeated ids are found across parts, and bytes that are ready are copied as they are.

A reader must not miss: parts must come in input order. The first trace of an id stays, as when everything is read in one
piece; what comes again is dropped and becomes a problem that names both places.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import IO, Literal, Protocol

import msgspec
from msgspec import Struct

from agent_claimcheck.core.errors import InputError, TraceError
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.pipeline.runner.report import RESULTS_SUFFIX, V1_SUFFIX, PartReport
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.results.v2 import decode_v2
from agent_claimcheck.trace.model import TraceProblem
from agent_claimcheck.trace.read import repeated
from agent_claimcheck.trace.seen import SeenIds

_CHUNK = 1 << 20


class ResultSink(Protocol):
    """Where results go. ``line_format`` tells which encoded lines it takes as they are, if any."""

    @property
    def line_format(self) -> Literal["v1", "v2"] | None: ...

    def write(self, result: CheckResult, /) -> None: ...

    def write_lines(self, data: bytes, /) -> None: ...


class _Id(Struct):
    trace_id: str
    file: str | None = None
    line: int | None = None


_ID = msgspec.json.Decoder(_Id)


class Collector:
    """Takes finished parts in input order."""

    def __init__(
        self,
        sinks: Sequence[ResultSink],
        summary: Summary,
        *,
        is_strict: bool = False,
        on_result: Callable[[CheckResult], None] | None = None,
    ) -> None:
        """``summary`` is added to. ``on_result`` sees every result; without it results need not be decoded."""
        self._sinks = sinks
        self._summary = summary
        self._is_strict = is_strict
        self._on_result = on_result
        self._seen = SeenIds()
        self.probes_used: set[str] = set()
        self.used_builtin_calibrators = False

    def collect(self, report: PartReport, *, is_verified: bool = False) -> Iterator[TraceProblem | ImportNote]:
        """Write the results of one part, then yield its problems and notes.

        With ``is_verified`` the results are held against the checksum first, and damage raises ``InputError``. A strict
        collector raises ``TraceError`` at the first problem, after the results before it.
        """
        if is_verified:
            _verify(report)
        repeats = self._repeats(report)
        is_decoded = self._on_result is not None or any(
            sink.line_format is None or (sink.line_format == "v1" and not report.has_v1) for sink in self._sinks
        )
        if repeats or is_decoded:
            self._write_each(report, repeats)
        else:
            self._copy(report)
        if not repeats:
            self._summary.merge(report.counts.summary())
        else:
            self._summary.add_problems(report.counts.problems + len(repeats))
        self.probes_used.update(report.probes_used)
        self.used_builtin_calibrators |= report.used_builtin_calibrators
        yield from self._told(report, repeats)

    def _told(self, report: PartReport, repeats: dict[int, TraceProblem]) -> Iterator[TraceProblem | ImportNote]:
        for problem in _in_order(report, repeats) if repeats else report.problems():
            if self._is_strict and problem.severity == "error":
                raise TraceError(printable(str(problem)))
            yield problem
        yield from report.notes

    def _repeats(self, report: PartReport) -> dict[int, TraceProblem]:
        """Return a problem for every result, by its place in the part, whose id was seen before."""
        found: dict[int, TraceProblem] = {}
        with report.path(RESULTS_SUFFIX).open("rb") as stream:
            for index, line in enumerate(stream):
                known = _ID.decode(line)
                if known.file is None:
                    continue
                problem = repeated(known.trace_id, known.file, known.line or 0, self._seen)
                if problem is not None:
                    found[index] = problem
        return found

    def _copy(self, report: PartReport) -> None:
        for sink in self._sinks:
            with report.path(RESULTS_SUFFIX if sink.line_format == "v2" else V1_SUFFIX).open("rb") as stream:
                while data := stream.read(_CHUNK):
                    sink.write_lines(data)

    def _write_each(self, report: PartReport, repeats: dict[int, TraceProblem]) -> None:
        with report.path(RESULTS_SUFFIX).open("rb") as stream:
            if not report.has_v1:
                self._write_lines(stream, repeat(b""), repeats)
                return
            with report.path(V1_SUFFIX).open("rb") as old:
                self._write_lines(stream, old, repeats)

    def _write_lines(
        self, lines: IO[bytes], old_lines: IO[bytes] | repeat[bytes], repeats: dict[int, TraceProblem]
    ) -> None:
        for index, (line, old) in enumerate(zip(lines, old_lines, strict=False)):
            if index in repeats:
                if self._is_strict:
                    return
                continue
            result = decode_v2(line)
            if repeats:
                self._summary.add(result)
            if self._on_result is not None:
                self._on_result(result)
            for sink in self._sinks:
                if sink.line_format == "v2":
                    sink.write_lines(line)
                elif sink.line_format == "v1" and old:
                    sink.write_lines(old)
                else:
                    sink.write(result)


def _in_order(report: PartReport, repeats: dict[int, TraceProblem]) -> list[TraceProblem]:
    """Return all problems of a part; by line where they are of one file, as in a run that reads it in one piece."""
    found = [*report.problems(), *repeats.values()]
    if len({problem.file for problem in found}) == 1:
        found.sort(key=lambda problem: problem.line)
    return found


def _verify(report: PartReport) -> None:
    found = hashlib.blake2b(digest_size=16)
    path = report.path(RESULTS_SUFFIX)
    try:
        with path.open("rb") as stream:
            while data := stream.read(_CHUNK):
                found.update(data)
    except OSError as error:
        raise InputError(f"{printable(str(path))}: cannot be read: {error.strerror or error}") from None
    if found.hexdigest() != report.results_hash:
        raise InputError(
            f"{printable(str(path))}: damaged since it was written",
            hint="delete it and run the same command again",
            slug="part_damaged",
        )
