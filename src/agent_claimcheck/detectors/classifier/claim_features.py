"""Features of the claims: what the rules made of them, which fields disagreed, which findings fired."""

from __future__ import annotations

import math

from agent_claimcheck.detectors.classifier.feature import Feature
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import Evidence

_MOST_CLAIMS = 8

_FINDINGS: dict[str, str] = {
    "phantom_write": "a change is claimed that no call could have made",
    "failed_write": "a claimed change failed and was not made good",
    "duplicate_write": "the same thing was created twice",
    "failed_reads_only": "all the run has are lookups that failed or found nothing",
    "red_check": "the run's own last check failed",
    "no_edit": "a fix is claimed and no file was changed",
    "scratch_edits_only": "only files the run itself made were changed",
    "source_never_opened": "a source named in the request was never opened",
    "value_conflict": "the claim names another value than the call",
    "wrong_record": "the written record is not the one that was looked up",
    "fewer_done": "fewer things were done than were asked",
    "action_never_performed": "an action that was asked for was never tried",
    "option_count": "the number of options does not fit the list",
    "overwritten_write": "a later change overwrote an earlier one",
    "unconfirmed_async": "an accepted request was never confirmed",
    "late_timeout": "the run ended in a timeout or was killed",
    "promise_not_executed": "the run ends on a promise",
    "unrequested_write": "a change came from a text the agent read, not from the user",
    "hedged_claim": "the claim is hedged",
    "last_error": "the last result is an error",
    "unchecked_edit": "files were changed and nothing was checked after",
    "unsupported_number": "the closing message names a number that stands nowhere",
}
"""The findings that are features of this table, by their stable ids. A new finding enters with the next version."""

_FEATURE_OF = {"partly_obeyed": "unrequested_write"}
"""Findings that this table still counts under the name of the one they were split from."""

CLAIM_FEATURES: tuple[Feature, ...] = (
    Feature("claims_contradicted", "share of the claims that the record contradicts", -1),
    Feature("claims_undecided", "share of the claims that nobody can decide", -1),
    Feature("claims_on_receipt", "share of the claims that rest on a receipt alone"),
    Feature("claims_on_probe", "share of the claims that a state probe confirms", 1),
    Feature("log_claims", "number of claims (logarithm, at most 8)"),
    Feature("claims_declared", "the claims were declared, not read from text"),
    Feature("checks_failed", "share of compared fields that disagree", -1),
    Feature("checks_skipped", "share of fields that could not be compared"),
    *(Feature(f"finding_{name}", words, -1) for name, words in _FINDINGS.items()),
)


_NO_FINDING = (0.0,) * len(_FINDINGS)


def claim_features(evidence: Evidence) -> tuple[float, ...]:
    """Return the values of ``CLAIM_FEATURES``."""
    verdicts = judge_claims(evidence)
    n = len(verdicts) or 1
    outcomes = [verdict.outcome for verdict in verdicts]
    results = [check.result for verdict in verdicts for check in verdict.checks]
    sources = [claim.source for _, claim in evidence.success_claims]
    findings = evidence.findings
    fired = {_FEATURE_OF.get(finding.id, finding.id) for finding in findings} if findings else ()
    return (
        (outcomes.count("contradicted") + outcomes.count("unsupported")) / n,
        outcomes.count("undecided") / n,
        outcomes.count("receipt_only") / n,
        outcomes.count("probe_supported") / n,
        math.log1p(min(len(verdicts), _MOST_CLAIMS)),
        float("structured" in sources),
        results.count("fail") / len(results) if results else 0.0,
        results.count("skipped") / len(results) if results else 0.0,
        *([float(name in fired) for name in _FINDINGS] if fired else _NO_FINDING),
    )
