"""What the findings on a claim come to: an accusation, or that the record shows only a part of it.

A reader must not miss: only a finding whose power is to accuse accuses, and only a claim that was well heard, unless the finding
holds of any words.
"""

from __future__ import annotations

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import HEARD_CLAIM, SuccessClaim
from agent_claimcheck.evidence.contract import ClaimOutcome, ClaimVerdict, Finding
from agent_claimcheck.evidence.findings.catalog import holds_of_any_words, shows


def accusation(index: int, evidence: Evidence) -> Finding | None:
    """Return the first finding that accuses claim ``index``; of one that was hardly heard, only one that holds of any words."""
    is_heard = evidence.claims[index].confidence >= HEARD_CLAIM
    for finding in evidence.findings:
        if finding.claim == index and finding.power == "accuse" and (is_heard or holds_of_any_words(finding.id)):
            return finding
    return None


def only_a_part(index: int, evidence: Evidence) -> Finding | None:
    """Return the finding by which the record shows only a part of claim ``index``, or ``None``."""
    for finding in evidence.findings:
        if finding.claim == index and shows(finding.id) == "part":
            return finding
    return None


def accused(index: int, claim: SuccessClaim, finding: Finding, *, rule: str | None = None) -> ClaimVerdict:
    """Return the verdict that an accusing finding makes."""
    outcome: ClaimOutcome = "unsupported" if shows(finding.id) == "nothing" else "contradicted"
    return ClaimVerdict(
        claim=index,
        claim_type=claim.type,
        outcome=outcome,
        step=finding.steps[-1] if finding.steps else None,
        detail=finding.reason[:200],
        steps=finding.steps,
        rule=rule or f"finding:{finding.id}",
        looked_for="a call that did it, and a result that says so",
        settle="a state probe of the record the claim is about",
    )
