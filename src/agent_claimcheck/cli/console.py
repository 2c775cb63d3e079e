"""Where output goes: results on standard output, everything else on standard error, nothing of a trace interpreted."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time

import click

from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.results.writers.contract import Destination
from agent_claimcheck.trace.model import TraceProblem

_PROGRESS_EVERY_S = 0.5
_FILES_TOLD = 10
_KINDS_TOLD = 10
_RECORD = re.compile(r"\$\[\d+\]")
_AT = re.compile(r"\[\d+\]")


def stdout_destination() -> Destination:
    """Describe standard output: whether it is a terminal, how wide, and whether colours are wanted."""
    sys.stdout.flush()
    return Destination(
        sink=sys.stdout.buffer,
        is_terminal=sys.stdout.isatty() and os.environ.get("TERM") != "dumb",
        width=shutil.get_terminal_size().columns,
        no_color="NO_COLOR" in os.environ,
        annotations=sys.stderr.buffer,
    )


def note(text: str) -> None:
    """Print one line of diagnostics to standard error."""
    click.echo(printable(text), err=True)


def note_import(item: ImportNote, *, is_full: bool) -> None:
    """Say what was read and lost in a file of a foreign format; of one that is not known its problem says all."""
    if item.report.format == "unknown" and not is_full:
        return
    for line in (item.report.full() if is_full else item.report.line()).splitlines():
        note(line)


class ImportNotes:
    """``note_import`` for the files of one command: the first ones a line each, the others summed up when it ends.

    With ``is_full`` every file is told of, at length. Files of which nothing can be decided, or
    of which records were left behind unknown, are counted apart.
    """

    def __init__(self, *, is_full: bool) -> None:
        self._is_full = is_full
        self._told = self._more = self._runs = self._undecidable = self._lossy = 0

    def tell(self, item: ImportNote) -> None:
        """Say, or keep for the end, what was read in one file."""
        if self._is_full or item.report.format == "unknown" or self._told < _FILES_TOLD:
            self._told += item.report.format != "unknown"
            note_import(item, is_full=self._is_full)
            return
        self._more += 1
        self._runs += item.report.runs
        self._undecidable += item.report.is_undecidable
        self._lossy += item.report.lost > 0

    def end(self) -> None:
        """Sum up the files that were not told of."""
        if not self._more:
            return
        files = "1 more file" if self._more == 1 else f"{self._more} more files"
        runs = "1 run" if self._runs == 1 else f"{self._runs} runs"
        without = f", {self._undecidable} of the files without a tool result" if self._undecidable else ""
        lossy = f", {self._lossy} of them with records of no known kind" if self._lossy else ""
        note(f"... and {files} with {runs}{without}{lossy}; --report tells of each")


def problem_as_json(problem: TraceProblem) -> bytes:
    """Return a problem as one JSON line for machines."""
    from agent_claimcheck.results.encoding import encode

    return encode(
        {
            "file": problem.file,
            "line": problem.line,
            "path": problem.path,
            "message": problem.message,
            "severity": problem.severity,
        }
    )


class ProblemNotes:
    """The faults of the records of one command: of each record one of every kind, the others counted.

    A fault that stands at every step of a record would otherwise bury what else is wrong; ``validate`` names them all.
    """

    def __init__(self) -> None:
        self._record: tuple[str, int, str] | None = None
        self._kinds: set[tuple[str, str]] = set()
        self._hidden = 0

    def tell(self, problem: TraceProblem) -> None:
        """Say what is wrong, or keep it for the count when the record has told of enough like it."""
        start = _RECORD.match(problem.path)
        record = (problem.file, problem.line, start[0] if start else "")
        if record != self._record:
            self.end()
            self._record, self._kinds = record, set()
        kind = (_AT.sub("[]", problem.path), problem.message)
        if kind in self._kinds or len(self._kinds) >= _KINDS_TOLD:
            self._hidden += 1
            return
        self._kinds.add(kind)
        note(str(problem))

    def end(self) -> None:
        """Say how many faults of the last record were kept back."""
        if self._record is not None and self._hidden:
            file, line, _ = self._record
            place = f"{file}:{line}" if line else file
            note(f"{place}: ... and {self._hidden} more like these; `agent-claimcheck validate` names the places")
        self._record, self._hidden = None, 0


class ByteProgress:
    """How much of the input is done, the rate and the time left, on standard error when that is a terminal."""

    def __init__(self, total_bytes: int, *, is_shown: bool) -> None:
        self._is_shown = is_shown and sys.stderr.isatty()
        self._total = total_bytes
        self._bytes = self._traces = 0
        self._started = time.monotonic()

    def step(self, size: int, traces: int) -> None:
        """Count ``traces`` traces out of ``size`` bytes of input as done."""
        self._bytes += size
        self._traces += traces
        if self._is_shown:
            click.echo("\r" + self.line(time.monotonic() - self._started).ljust(70), nl=False, err=True)

    def line(self, elapsed_s: float) -> str:
        """Return what is shown after ``elapsed_s`` seconds."""
        rate = self._traces / max(elapsed_s, 1e-9)
        share = min(1.0, self._bytes / self._total) if self._total else 0.0
        left = f", {_duration(elapsed_s * (1 - share) / share)} left" if share else ""
        return f"{self._traces} traces, {rate:.0f}/s, {share:.0%}{left}"

    def done(self) -> None:
        """Clear the line."""
        if self._is_shown:
            click.echo("\r" + " " * 70 + "\r", nl=False, err=True)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    return f"{minutes} min {whole % 60} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


class Progress:
    """A counter on standard error, shown only when that is a terminal and the table is not being written there."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown and sys.stderr.isatty()
        self._count = 0
        self._started = self._last = time.monotonic()

    def step(self) -> None:
        """Count one trace."""
        self._count += 1
        if not self._is_shown:
            return
        now = time.monotonic()
        if now - self._last >= _PROGRESS_EVERY_S:
            self._last = now
            rate = self._count / max(now - self._started, 1e-9)
            click.echo(f"\r{self._count} traces, {rate:.0f}/s", nl=False, err=True)

    def done(self) -> None:
        """Clear the counter's line."""
        if self._is_shown and self._last > self._started:
            click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
