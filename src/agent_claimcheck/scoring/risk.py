"""Risk against coverage: how wrong a detector is on the share of traces it is surest about.

A reader must not miss: an abstention is the last trace to be kept, however its number reads.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.samples import check_probabilities


class RiskPoint(Struct, frozen=True, kw_only=True):
    """Keeping the surest ``coverage`` of traces, ``risk`` of the kept ones are called wrongly; both in [0, 1]."""

    coverage: float
    risk: float


def risk_coverage(
    p_success: Sequence[float], is_success: Sequence[bool], abstains: Sequence[bool] | None = None
) -> list[RiskPoint]:
    """Return the risk-coverage curve, from the surest traces to all of them.

    Sureness is the distance of p(success) from 0.5, and a trace is called a success when p is at least 0.5. Equally
    sure traces enter together, so the curve does not depend on their order (El-Yaniv and Wiener 2010, JMLR 11;
    Geifman and El-Yaniv 2017, NeurIPS). ``abstains`` marks the scores that stand for no answer.

    >>> [(p.coverage, p.risk) for p in risk_coverage([0.99, 0.01, 0.6, 0.6], [True, False, True, False])]
    [(0.5, 0.0), (1.0, 0.25)]
    """
    check_probabilities(p_success, is_success)
    silent = [False] * len(p_success) if abstains is None else abstains
    if len(silent) != len(p_success):
        raise InputError(f"{len(p_success)} scores but {len(silent)} abstentions", slug="scores")
    # Rounded, because 0.9 - 0.5 and 0.5 - 0.1 are equally sure and differ in the last bit.
    kept: dict[float, list[int]] = {}
    for p, won, abstains_here in zip(p_success, is_success, silent, strict=True):
        group = kept.setdefault(-1.0 if abstains_here else round(abs(p - 0.5), 12), [0, 0])
        group[0] += 1
        group[1] += (p >= 0.5) != bool(won)
    points: list[RiskPoint] = []
    n = wrong = 0
    for sureness in sorted(kept, reverse=True):
        n += kept[sureness][0]
        wrong += kept[sureness][1]
        points.append(RiskPoint(coverage=n / len(p_success), risk=wrong / n))
    return points


def risk_at(points: Sequence[RiskPoint], coverage: float) -> float:
    """Return the risk at the first point that keeps at least ``coverage`` of the traces.

    >>> risk_at([RiskPoint(coverage=0.5, risk=0.0), RiskPoint(coverage=1.0, risk=0.25)], 0.75)
    0.25
    """
    for point in points:
        if point.coverage >= coverage:
            return point.risk
    raise InputError(f"the curve ends before a coverage of {coverage!r}", slug="scores")


def area_under_risk(points: Sequence[RiskPoint]) -> float:
    """Return the mean risk over all coverages, in [0, 1]; lower is better. Each point holds back to the one before.

    >>> area_under_risk([RiskPoint(coverage=0.5, risk=0.0), RiskPoint(coverage=1.0, risk=0.25)])
    0.125
    """
    area = before = 0.0
    for point in points:
        area += point.risk * (point.coverage - before)
        before = point.coverage
    return area
