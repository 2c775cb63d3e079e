"""What a worker says about a part it finished. The results themselves lie in a file beside this record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.trace.model import TraceProblem

RESULTS_SUFFIX = ".jsonl"
V1_SUFFIX = ".v1.jsonl"
PROBLEMS_SUFFIX = ".problems.jsonl"
REPORT_SUFFIX = ".report.json"


class Counts(Struct, frozen=True, kw_only=True):
    """A ``Summary`` as plain data."""

    total: int = 0
    problems: int = 0
    verdicts: dict[str, int] = {}
    records: dict[str, int] = {}
    undecided: dict[str, int] = {}
    findings: dict[str, int] = {}
    refusals: dict[str, int] = {}
    still_accusing: dict[str, int] = {}

    @classmethod
    def of(cls, summary: Summary) -> Counts:
        """Copy the counts of ``summary``."""
        return cls(
            total=summary.total,
            problems=summary.problems,
            verdicts=dict(summary.verdicts),
            records=dict(summary.records),
            undecided=dict(summary.undecided),
            findings=dict(summary.findings),
            refusals=dict(summary.refusals),
            still_accusing=dict(summary.still_accusing),
        )

    def summary(self) -> Summary:
        """Return the counts as a ``Summary``."""
        summary = Summary()
        summary.total, summary.problems = self.total, self.problems
        summary.verdicts, summary.records = Counter(self.verdicts), Counter(self.records)
        summary.undecided, summary.findings = Counter(self.undecided), Counter(self.findings)
        summary.refusals, summary.still_accusing = Counter(self.refusals), Counter(self.still_accusing)
        return summary


class PartReport(Struct, frozen=True, kw_only=True):
    """A finished part: what was counted, what was told, and what the results file must look like.

    ``directory`` holds the part's files, named ``stem`` plus one of the suffixes above. ``results_bytes`` is the size of
    the results file, ``results_hash`` its BLAKE2b-128 where files are kept. ``probes_used`` are ids of traces that had a probe in the side
    file. ``peak_rss_mb`` is of the worker process so far.
    """

    index: int
    directory: str
    stem: str
    counts: Counts
    notes: tuple[ImportNote, ...] = ()
    probes_used: tuple[str, ...] = ()
    results_bytes: int = 0
    results_hash: str = ""
    used_builtin_calibrators: bool = False
    has_v1: bool = False
    has_problems: bool = False
    cpu_s: float = 0.0
    peak_rss_mb: float = 0.0

    def path(self, suffix: str) -> Path:
        """Return the path of one of the part's files."""
        return Path(self.directory) / (self.stem + suffix)

    def problems(self) -> Iterator[TraceProblem]:
        """Yield the problems of the part, in input order."""
        if not self.has_problems:
            return
        with self.path(PROBLEMS_SUFFIX).open("rb") as stream:
            for line in stream:
                yield _PROBLEM.decode(line)

    def discard(self) -> None:
        """Delete the part's files."""
        for suffix in (RESULTS_SUFFIX, V1_SUFFIX, PROBLEMS_SUFFIX, REPORT_SUFFIX):
            self.path(suffix).unlink(missing_ok=True)


_PROBLEM = msgspec.json.Decoder(TraceProblem)


def part_stem(index: int) -> str:
    """Return the name, without suffix, of the files of part ``index``; names sort in part order."""
    return f"part-{index:08d}"
