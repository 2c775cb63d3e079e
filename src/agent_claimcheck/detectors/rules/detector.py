"""The rules as a detector: the worst claim outcome decides, and the documented scores stand for the outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.detectors.contract import BASE_RATE, DetectorOutput, Reason
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import OUTCOME_ORDER, ClaimOutcome, ClaimVerdict

SCORES: dict[ClaimOutcome, float] = {
    "contradicted": 0.03,
    "unsupported": 0.05,
    "receipt_only": 0.70,
    "probe_supported": 0.97,
}
"""Raw p(success) per outcome (documented); ``undecided`` abstains."""

_RANKS = {outcome: rank for rank, outcome in enumerate(OUTCOME_ORDER)}
_DOCUMENTED_WORD: dict[str, str] = {"undecided": "unknown"}


class RulesDetector:
    """Checks every success claim against tool receipts and state probes with declarative rules."""

    name = "rules"

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return the score of the worst claim outcome, or abstain when the worst is undecided."""
        verdicts = judge_claims(evidence)
        if not verdicts:
            return DetectorOutput(
                detector=self.name, p_success=BASE_RATE, abstain=True, abstain_reason="no_success_claim"
            )
        ranked = sorted(verdicts, key=_rank) if len(verdicts) > 1 else verdicts
        worst = ranked[0]
        return DetectorOutput(
            detector=self.name,
            p_success=SCORES.get(worst.outcome, BASE_RATE),
            abstain=worst.outcome == "undecided",
            abstain_reason=_abstain_reason(worst),
            reasons=_reasons(ranked),
            details={"outcome": worst.outcome},
        )


def _abstain_reason(worst: ClaimVerdict) -> str | None:
    if worst.outcome != "undecided":
        return None
    return "no_rule" if worst.rule is None else "undecided"


def _rank(verdict: ClaimVerdict) -> int:
    return _RANKS[verdict.outcome]


def _reasons(ranked: Sequence[ClaimVerdict]) -> tuple[Reason, ...]:
    """Return one reason a claim, the deciding one first."""
    return tuple(
        [
            Reason(
                claim=verdict.claim_type,
                outcome=_DOCUMENTED_WORD.get(verdict.outcome, verdict.outcome),
                step=verdict.step,
                detail=verdict.detail,
            )
            for verdict in ranked
        ]
    )
