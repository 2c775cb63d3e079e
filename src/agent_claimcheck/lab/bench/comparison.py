"""Which detectors the figures can tell apart, and which cost more and miss more.

A reader must not miss: a winner is named only when its AUROC interval overlaps no other's. Otherwise the detectors are
level, however their printed values differ.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.lab.bench.measure import DetectorReport, is_missed
from agent_claimcheck.lab.bench.rows import BASELINES, Rows
from agent_claimcheck.scoring.intervals import Estimate, bootstrap_auroc_difference, paired_difference, wilson


class Standing(Struct, frozen=True, kw_only=True):
    """One detector's mistakes with Wilson intervals, and its AUROC minus that of the top one on the same traces."""

    missed: Estimate | None
    false_alarms: Estimate | None
    auroc_behind_top: Estimate | None


class CostlierMisses(Struct, frozen=True, kw_only=True):
    """A detector that costs more than another and misses more on the traces both scored.

    ``difference`` is the gap in the missed share of false successes, costlier minus cheaper, with a paired interval.
    """

    costlier: str
    cheaper: str
    usd_per_1k_costlier: float
    usd_per_1k_cheaper: float
    missed_costlier: int
    missed_cheaper: int
    n_failure: int
    difference: Estimate


class Comparison(Struct, frozen=True, kw_only=True):
    """``top`` has the highest AUROC; ``level_with_top`` are those whose intervals overlap its own."""

    top: str | None
    level_with_top: list[str]
    winner: str | None
    standings: dict[str, Standing]
    costlier_misses_more: list[CostlierMisses]


def compare_detectors(rows: dict[str, Rows], reports: dict[str, DetectorReport]) -> Comparison:
    """Compare the detectors, baselines aside, on the test split."""
    names = [name for name in reports if name not in BASELINES]
    intervals = {name: interval for name in names if (interval := reports[name].auroc) is not None}
    top = min(intervals, key=lambda name: (-intervals[name].value, name)) if intervals else None
    level = [name for name in intervals if top and name != top and intervals[name].overlaps(intervals[top])]
    standings: dict[str, Standing] = {}
    for name in names:
        decisions = reports[name].decisions
        standings[name] = Standing(
            missed=wilson(decisions.missed, decisions.n_failure),
            false_alarms=wilson(decisions.false_alarms, decisions.n_success),
            auroc_behind_top=_auroc_gap(rows[name], rows[top]) if top and name != top else None,
        )
    return Comparison(
        top=top,
        level_with_top=level,
        winner=top if top and not level and len(intervals) > 1 else None,
        standings=standings,
        costlier_misses_more=[
            found
            for costlier in names
            for cheaper in names
            if (found := _misses_more(costlier, cheaper, rows, reports))
        ],
    )


def _auroc_gap(first: Rows, second: Rows) -> Estimate | None:
    ours, theirs = _shared(first, second)
    if not ours:
        return None
    return bootstrap_auroc_difference(
        [row.p_cal for row in ours], [row.p_cal for row in theirs], [row.facts.is_failure for row in ours]
    )


def _misses_more(
    costlier: str, cheaper: str, rows: dict[str, Rows], reports: dict[str, DetectorReport]
) -> CostlierMisses | None:
    high, low = reports[costlier].usd_per_1k, reports[cheaper].usd_per_1k
    if high is None or low is None or high <= low:
        return None
    dear, cheap = _shared(rows[costlier], rows[cheaper])
    failed = [index for index, row in enumerate(dear) if row.facts.is_failure]
    missed_dear, missed_cheap = [is_missed(dear[i]) for i in failed], [is_missed(cheap[i]) for i in failed]
    difference = paired_difference(missed_dear, missed_cheap)
    if difference is None or sum(missed_dear) <= sum(missed_cheap):
        return None
    return CostlierMisses(
        costlier=costlier,
        cheaper=cheaper,
        usd_per_1k_costlier=high,
        usd_per_1k_cheaper=low,
        missed_costlier=sum(missed_dear),
        missed_cheaper=sum(missed_cheap),
        n_failure=len(failed),
        difference=difference,
    )


def _shared(first: Rows, second: Rows) -> tuple[Rows, Rows]:
    others = {row.facts.trace_id: row for row in second}
    ours = [row for row in first if row.facts.trace_id in others]
    return ours, [others[row.facts.trace_id] for row in ours]
