"""What the other runs of a task do to a score, for the ensemble ``siblings``.

A reader must not miss: agreement alone verifies nothing and dissent alone accuses nobody. Agreement moves a run up within
the review queue, dissent moves it down and can take a learned ``verified`` back to review.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from agent_claimcheck.detectors.contract import Reason
from agent_claimcheck.detectors.ensembles import NO_ACCUSATION, Siblings
from agent_claimcheck.pipeline.groups import AGREEMENT, SiblingReading
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.scoring.gate import Thresholds, decide
from agent_claimcheck.scoring.odds import add_evidence

ALONE, AGREED = 0.38, 0.91
"""Share of runs that succeeded where under a tenth, and where two thirds or more, of the other runs did the same: measured
on real runs of three sources."""
BASE_RATE = 0.6
_OUT_OF_REACH = frozenset({"contradicted", "confirmed", "corroborated"})
"""Records that other runs do not move: something in this run has decided."""


def _p_of_agreement(agreement: float) -> float:
    """Return p(success) of a run from its mean overlap with the others, both in [0, 1].

    >>> _p_of_agreement(0.0), _p_of_agreement(1.0)
    (0.38, 0.91)
    """
    return ALONE + (AGREED - ALONE) * min(1.0, agreement / AGREEMENT)


def heed_siblings(result: CheckResult, reading: SiblingReading, thresholds: Thresholds) -> CheckResult:
    """Return ``result`` of the ensemble ``siblings`` with the agreement of the other runs added to its score."""
    if result.detector != Siblings.name or result.p_success is None or result.abstain or result.record in _OUT_OF_REACH:
        return result
    moved = add_evidence(result.p_success, _p_of_agreement(reading.agreement), BASE_RATE)
    if moved >= result.p_success:
        # Up to the threshold and not over it, unless the run stood there already.
        moved = max(result.p_success, min(moved, math.nextafter(thresholds.verified, 0.0)))
    else:
        moved = max(moved, min(NO_ACCUSATION, result.p_success))
    decision = decide(moved, False, thresholds)
    said = Reason(
        claim=None,
        outcome="siblings",
        step=None,
        detail=f"{reading.agreeing} of {reading.others} other runs of this task made the same changes",
    )
    return replace(
        result,
        p_success=moved,
        verdict=decision.verdict,
        confidence=decision.confidence,
        reasons=(*result.reasons, said),
    )
