"""Counts over any number of results, by source, domain, tool, claim type, finding, model and week, in one pass.

A reader must not miss: memory does not grow with the results, only with the distinct names, and those are capped. A trace
that calls two tools counts under both, so the rows of such a table do not add up to the total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime

from agent_claimcheck.results.model import VERDICTS, CheckResult
from agent_claimcheck.scoring.intervals import Estimate, wilson

MOST_NAMES = 2_000
"""Distinct names kept in one table; what comes later is counted together."""

OTHERS = "(others)"
UNKNOWN = "(not given)"
NOT_KEPT = "(skipped; version 1 does not say)"
"""Stands where a result does not say what its run surely had: version 1 has no place for it where nothing was claimed."""

ABOUT_NOT_KEPT = (
    f"{NOT_KEPT}: results in version 1 (--out, --format jsonl) say of a run that claimed nothing neither source nor tools, "
    "model and week; -o jsonl=PATH and -o parquet=PATH keep them"
)


class Tally:
    """Verdicts of one group of traces."""

    __slots__ = ("counts",)

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, verdict: str, count: int = 1) -> None:
        """Count ``count`` traces."""
        self.counts[verdict] += count

    @property
    def total(self) -> int:
        """All traces."""
        return self.counts.total()

    @property
    def claimed(self) -> int:
        """Traces that claimed a success."""
        return self.total - self.counts["skipped"]

    @property
    def decided(self) -> int:
        """Traces with the verdict ``verified`` or ``false_success``."""
        return self.counts["verified"] + self.counts["false_success"]

    @property
    def false_share(self) -> Estimate | None:
        """``false_success`` among the traces that claimed a success, with its 95 % Wilson interval."""
        return wilson(self.counts["false_success"], self.claimed)

    @property
    def decided_share(self) -> Estimate | None:
        """Decided among the traces that claimed a success, with its 95 % Wilson interval."""
        return wilson(self.decided, self.claimed)


def _name_missing(result: CheckResult) -> str:
    """Return what stands for a name that ``result`` lacks. Every run has a source, so one without was skipped by version 1."""
    return NOT_KEPT if result.verdict == "skipped" and result.source is None else UNKNOWN


def _source(result: CheckResult) -> Iterable[str]:
    return (result.source or _name_missing(result),)


def _domain(result: CheckResult) -> Iterable[str]:
    return (result.domain or UNKNOWN,)


def _tools(result: CheckResult) -> Iterable[str]:
    return result.tools or (_name_missing(result),)


def _claim_types(result: CheckResult) -> Iterable[str]:
    return {claim.type for claim in result.claims}


def _findings(result: CheckResult) -> Iterable[str]:
    return {finding.id for finding in result.findings}


def _model(result: CheckResult) -> Iterable[str]:
    return (result.model or _name_missing(result),)


def _week(result: CheckResult) -> Iterable[str]:
    return (week_of(result.started_at) if result.started_at else _name_missing(result),)


DIMENSIONS: dict[str, Callable[[CheckResult], Iterable[str]]] = {
    "source": _source,
    "domain": _domain,
    "tool": _tools,
    "claim type": _claim_types,
    "finding": _findings,
    "model": _model,
    "week": _week,
}


def week_of(time: str | None) -> str:
    """Return the ISO 8601 week of a date-time as ``2026-W09``, or ``(not given)`` where there is none.

    >>> week_of("2026-03-01T23:59:00Z"), week_of("2026-01-01"), week_of("soon")
    ('2026-W09', '2026-W01', '(not given)')
    """
    try:
        year, week, _ = datetime.fromisoformat(time or "").isocalendar()
    except ValueError:
        return UNKNOWN
    return f"{year}-W{week:02d}"


class Report:
    """All tables of one report. ``files`` and ``problems`` say what it was made from."""

    def __init__(self) -> None:
        self.total = Tally()
        self.tables: dict[str, dict[str, Tally]] = {name: {} for name in DIMENSIONS}
        self.files = 0
        self.problems = 0
        self.cost_usd = 0.0

    def add(self, result: CheckResult) -> None:
        """Count one result."""
        verdict = result.verdict
        self.total.add(verdict)
        if result.cost_usd > 0:
            self.cost_usd += result.cost_usd
        for dimension, names_of in DIMENSIONS.items():
            table = self.tables[dimension]
            for name in names_of(result):
                tally = table.get(name)
                if tally is None:
                    if len(table) >= MOST_NAMES:
                        name = OTHERS
                    tally = table.setdefault(name, Tally())
                tally.add(verdict)


Row = tuple[str, Tally]


def rows_of(report: Report, dimension: str, most: int) -> tuple[list[Row], int]:
    """Return the rows of one table and the number of rows left out.

    Weeks come in order of time, the last ``most`` of them; everything else by number of traces, the largest first.
    """
    table = report.tables[dimension]
    if dimension == "week":
        rows = sorted(table.items(), key=lambda row: (row[0] in (UNKNOWN, NOT_KEPT), row[0]))
        return (rows[-most:], max(0, len(rows) - most))
    rows = sorted(table.items(), key=lambda row: (row[0] == OTHERS, -row[1].total, row[0]))
    return rows[:most], max(0, len(rows) - most)


COLUMNS = ("traces", *VERDICTS, "false-success share", "95 % interval", "decided")


def cells(tally: Tally) -> tuple[str, ...]:
    """Return the cells of a row, in the order of ``COLUMNS``; a share of nothing is shown as a dash."""
    false, decided = tally.false_share, tally.decided_share
    return (
        str(tally.total),
        *(str(tally.counts[verdict]) for verdict in VERDICTS),
        "-" if false is None else f"{false.value:.1%}",
        "-" if false is None else f"{false.ci_low:.1%} to {false.ci_high:.1%}",
        "-" if decided is None else f"{decided.value:.0%}",
    )
