"""Which of a result's reasons decided it, and in what words a person is told why nothing was decided.

A reader must not miss: reasons stand in the order of the claims, so the first is often not the one that counts.
"""

from __future__ import annotations

from agent_claimcheck.detectors.contract import Reason
from agent_claimcheck.evidence.contract import OUTCOME_ORDER
from agent_claimcheck.results.model import CheckResult

_RANK: dict[str, int] = {outcome: rank for rank, outcome in enumerate(OUTCOME_ORDER)}
_RANK["unknown"] = _RANK["undecided"]
_RANK["corroborated"] = -1  # given only where other runs decided the verdict
_UNRANKED = len(OUTCOME_ORDER)
_CONFIRMING = frozenset({"confirmed", "corroborated"})
"""Records that say by themselves that a run did what it claims."""

PHRASES: dict[str, str] = {
    "receipt_only": "the right call succeeded, nothing independent read it back",
    "undecided": "the record does not settle it",
    "unknown": "the record does not settle it",
    "no_rule": "no rule covers the claim, and the calls do not settle it",
    "missing_result": "a tool call has no result",
    "no_tool_results": "no tool returned anything",
    "detector_error": "the detector failed",
    "unread": "the text was not understood",
    "suppressed": "the findings are suppressed",
    "out_of_distribution": "unlike the traces the score was fitted on",
    "no_api_key": "no API key for the judge",
    "unknown_price": "no price is known for the judge",
    "budget_exhausted": "the budget is used up",
    "ledger_cap": "the ledger's cap is reached",
    "parse_error": "the judge's answer could not be read",
    "timeout": "the judge did not answer in time",
    "network": "the judge could not be reached",
    "invalid_response": "the judge's answer was not valid",
    "http_429": "the judge was asked too often",
    "http_4xx": "the judge's server refused the request",
    "http_5xx": "the judge's server failed",
    "cannot_tell": "the judge cannot tell from the evidence",
    "not_recorded": "the recording holds no answer to this question",
    "stopped": "the run was stopped before the judge was asked",
    "between_thresholds": "the score lies between the thresholds",
    "no_success_claim": "nothing was claimed",
}
"""Reason code -> words for a person. A code without an entry is shown as it is."""

ACCUSING = frozenset({"contradicted", "unsupported"})
"""Claim outcomes that accuse."""


def is_scored(result: CheckResult) -> bool:
    """Return whether a score decided what the record alone does not show: a learned one, a judge's, a baseline's."""
    if result.verdict == "verified":
        return result.record not in _CONFIRMING
    return result.verdict == "false_success" and result.record != "contradicted"


def deciding_reason(result: CheckResult) -> Reason | None:
    """Return the reason that decided ``result``: the one with the worst outcome, the first of equals.

    Where a score decided, its own reason comes before those of the record, which did not.
    """
    if is_scored(result):
        own = next((reason for reason in result.reasons if reason.outcome not in _RANK), None)
        if own is not None:
            return own
    best: Reason | None = None
    best_rank = _UNRANKED + 1
    for reason in result.reasons:
        rank = _RANK.get(reason.outcome, _UNRANKED)
        if rank < best_rank:
            best, best_rank = reason, rank
    return best


def words_of(result: CheckResult, reason: Reason) -> str:
    """Return the words of the claim that ``reason`` is about; '' where none were quoted."""
    return next((claim.quote for claim in result.claims if claim.type == reason.claim and claim.quote), "")


def why_undecided(result: CheckResult) -> str:
    """Return the code that says why an ``unverifiable`` result was not decided.

    An abstention names its own reason; an unread text and a lone receipt are named by their record; a score that the
    gate left open is ``between_thresholds``.
    """
    if result.abstain:
        if result.abstain_reason:
            return result.abstain_reason
        return "unread" if result.record == "unread" else "undecided"
    reason = deciding_reason(result)
    if reason is not None and reason.outcome in ("receipt_only", "undecided", "unknown"):
        return reason.outcome
    return "between_thresholds"


def in_words(code: str) -> str:
    """Return the words for a reason code; an unknown code is returned with its underscores as spaces."""
    return PHRASES.get(code) or code.replace("_", " ")
