"""What one detector's rows are worth: the figures of one line of the tables.

A reader must not miss: AUROC, calibration error and Brier score are taken after calibration, with abstentions at the
base rate; ``ece_raw`` and ``extremes_raw`` are taken before it.
"""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.lab.bench.rows import Row, Rows
from agent_claimcheck.scoring.decisions import Decisions, count_decisions
from agent_claimcheck.scoring.gate import Thresholds, decide
from agent_claimcheck.scoring.intervals import Estimate, bootstrap_auroc, percentile
from agent_claimcheck.scoring.probability import brier_score, expected_calibration_error, extremes_share
from agent_claimcheck.scoring.ranking import auroc

# Recorded runs are compared under the documented thresholds, whatever the user's settings say.
THRESHOLDS = Thresholds()


class DetectorReport(Struct, frozen=True, kw_only=True):
    """One detector on the test split. Shares and errors are in [0, 1]; ``None`` means not measured or not defined.

    ``usd_per_1k`` and ``wall_s_per_1k`` are dollars and wall-clock seconds for 1,000 traces.
    """

    n: int
    auroc: Estimate | None
    ece_raw: float
    ece_calibrated: float
    brier_calibrated: float
    extremes_raw: float
    decisions: Decisions
    usd_per_1k: float | None
    wall_s_per_1k: float | None
    p50_ms: float | None
    p95_ms: float | None


class Recall(Struct, frozen=True, kw_only=True):
    """How many of ``total`` false successes were called one."""

    caught: int
    total: int


def measure_detector(rows: Rows, wall_s_per_1k: float | None) -> DetectorReport:
    """Measure one detector on its (non-empty) rows. Cost and latency leave out answers that came from a cache."""
    won = [not row.facts.is_failure for row in rows]
    raw, calibrated = [row.p_raw for row in rows], [row.p_cal for row in rows]
    fresh = [row for row in rows if not row.is_cached]
    latencies = [row.latency_ms for row in fresh if row.latency_ms is not None]
    costs = [row.cost_usd for row in fresh if row.cost_usd is not None]
    return DetectorReport(
        n=len(rows),
        auroc=interval_of(rows),
        ece_raw=expected_calibration_error(raw, won),
        ece_calibrated=expected_calibration_error(calibrated, won),
        brier_calibrated=brier_score(calibrated, won),
        extremes_raw=extremes_share(raw),
        decisions=decisions_of(rows),
        usd_per_1k=sum(costs) / len(costs) * 1000 if costs else None,
        wall_s_per_1k=wall_s_per_1k,
        p50_ms=percentile(latencies, 50) if latencies else None,
        p95_ms=percentile(latencies, 95) if latencies else None,
    )


def mean_latency(rows: Rows) -> float | None:
    """Return the mean milliseconds a trace, which is also seconds for 1,000 traces one after another."""
    latencies = [row.latency_ms for row in rows if row.latency_ms is not None and not row.is_cached]
    return sum(latencies) / len(latencies) if latencies else None


def interval_of(rows: Rows) -> Estimate | None:
    """Return AUROC of the calibrated scores with its bootstrap interval, ``None`` when one class is absent."""
    return bootstrap_auroc([row.p_cal for row in rows], [row.facts.is_failure for row in rows]) if rows else None


def auroc_of(rows: Rows) -> float | None:
    """Return AUROC of the calibrated scores, ``None`` when one class is absent."""
    return auroc([row.p_cal for row in rows], [row.facts.is_failure for row in rows]) if rows else None


def decisions_of(rows: Rows) -> Decisions:
    """Return what the gate makes of the calibrated scores."""
    verdicts = [decide(row.p_cal, row.abstain, THRESHOLDS).verdict for row in rows]
    return count_decisions(verdicts, [row.facts.is_failure for row in rows])


def is_missed(row: Row) -> bool:
    """Say whether a false success was marked verified."""
    return row.facts.is_failure and decide(row.p_cal, row.abstain, THRESHOLDS).verdict == "verified"


def recall_by_kind(rows: Rows, *, raw: bool = False) -> dict[str, Recall]:
    """Return recall for every kind of false success among ``rows``; ``raw`` puts uncalibrated scores to the gate."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        if not row.facts.is_failure:
            continue
        count = counts.setdefault(row.facts.injection, [0, 0])
        count[0] += decide(row.p_raw if raw else row.p_cal, row.abstain, THRESHOLDS).verdict == "false_success"
        count[1] += 1
    return {kind: Recall(caught=caught, total=total) for kind, (caught, total) in counts.items()}
