"""The documented ``claimcheck-result/v1``: the projection of a result that scripts made for that format can read.

A reader must not miss: v1 forbids extra keys, so what it has no place for travels under ``details`` of the one top
detector output, and ``undecided`` is written as the documented word ``unknown``. A skipped trace has no detector
output, so nothing travels with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.contract import BASE_RATE, DetectorOutput, Reason
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict
from agent_claimcheck.results.encoding import encode_sorted
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.versions import DOMAINS

SCHEMA = "claimcheck-result/v1"
DETAIL_LIMIT = 200
"""Characters a reason's detail may have in v1."""

NO_CLAIM_REASON = "no_success_claim"

CARRIED = (
    "record",
    "findings",
    "suppressed",
    "notes",
    "file",
    "line",
    "source",
    "model",
    "task_id",
    "started_at",
    "ended_at",
    "tools",
    "extra",
)
"""Fields that v1 lacks and the top detector's ``details`` carries when they are set."""
_CARRIED_AS = tuple((name, name.removesuffix("_id")) for name in CARRIED)


def encode_v1(result: CheckResult) -> bytes:
    """Return ``result`` as one line of v1: keys sorted, compact, non-ASCII text kept, without a line end."""
    return encode_sorted(project(result))


def project(result: CheckResult) -> dict[str, Any]:
    """Return ``result`` as a ``claimcheck-result/v1`` mapping, valid against the documented schema.

    Values of the trace (subjects, actual values of checks) are referred to, not copied.
    """
    skipped = result.verdict == "skipped"
    reasons = _reasons(result.reasons)
    return {
        "schema": SCHEMA,
        "trace_id": result.trace_id or "-",
        "domain": result.domain if result.domain in DOMAINS else "other",
        "detector": result.detector or "-",
        "verdict": result.verdict,
        "p_success": None if skipped else _number(result.p_success),
        "p_success_raw": None if skipped else _number(result.p_success_raw),
        "calibrated": result.calibrated,
        "abstain": skipped or result.abstain,
        "abstain_reason": NO_CLAIM_REASON if skipped else result.abstain_reason,
        "confidence": None if skipped else _number(result.confidence),
        "reasons": reasons or [_default_reason(result)],
        "claims": [_claim(claim) for claim in result.claims],
        "detectors": [] if skipped else [_top_output(result, reasons)],
        "cost_usd": _number(result.cost_usd) or 0.0,
        "latency_ms": _number(result.latency_ms) or 0.0,
        "cached": result.cached,
    }


def _documented_outcome(outcome: str) -> str:
    """Return the word v1 uses for ``outcome``."""
    return "unknown" if outcome == "undecided" else outcome


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    return [
        {
            "claim": reason.claim,
            "outcome": _documented_outcome(reason.outcome),
            "step": reason.step,
            "detail": shorten(reason.detail, DETAIL_LIMIT),
        }
        for reason in reasons
    ]


def _default_reason(result: CheckResult) -> dict[str, Any]:
    if result.verdict == "skipped":
        return {"claim": None, "outcome": NO_CLAIM_REASON, "step": None, "detail": "no success claim found"}
    outcome = result.abstain_reason or result.record
    return {"claim": None, "outcome": _documented_outcome(outcome), "step": None, "detail": "no reason was given"}


def _claim(claim: SuccessClaim) -> dict[str, Any]:
    return {"type": claim.type, "subject": claim.subject, "source": claim.source, "span": claim.span}


def _top_output(result: CheckResult, reasons: list[dict[str, Any]]) -> dict[str, Any]:
    """Shape the deciding detector's output; ``reasons`` are those of the result, which are mostly its own."""
    top = result.detectors[0] if result.detectors else _absent_output(result)
    shaped = _output(top, result.claim_verdicts, reasons if top.reasons is result.reasons else None)
    details: dict[str, Any] = shaped["details"]
    for name, key in _CARRIED_AS:
        value = getattr(result, name)
        if value is not None and value != () and value != {}:
            details[key] = value
    if result.domain not in DOMAINS:
        details["domain"] = result.domain
    if result.claims:
        details["success_claims"] = result.claims
    if result.claim_verdicts:
        details["claim_verdicts"] = result.claim_verdicts
    return shaped


def _absent_output(result: CheckResult) -> DetectorOutput:
    p = _number(result.p_success)
    return DetectorOutput(
        detector=result.detector or "-",
        p_success=BASE_RATE if p is None else p,
        abstain=result.abstain,
        abstain_reason=result.abstain_reason,
        reasons=result.reasons,
    )


def _output(
    output: DetectorOutput, verdicts: tuple[ClaimVerdict, ...], reasons: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    p = _number(output.p_success)
    details = dict(output.details)
    if output.detector == "rules":
        details["claims"] = [_rule_claim(verdict) for verdict in verdicts]
    return {
        "detector": output.detector or "-",
        "p_success": BASE_RATE if p is None else p,
        "abstain": output.abstain,
        "abstain_reason": output.abstain_reason,
        "p_calibrated": _number(output.p_calibrated),
        "reasons": reasons if reasons is not None else _reasons(output.reasons),
        "cost_usd": _number(output.cost_usd) or 0.0,
        "latency_ms": _number(output.latency_ms) or 0.0,
        "cached": output.cached,
        "components": [_output(part, verdicts) for part in output.components],
        "details": details,
    }


def _rule_claim(verdict: ClaimVerdict) -> dict[str, Any]:
    return {
        "claim": verdict.claim_type,
        "outcome": _documented_outcome(verdict.outcome),
        "step": verdict.step,
        "detail": shorten(verdict.detail, DETAIL_LIMIT),
        "checks": [
            {
                "path": check.path,
                "op": check.op,
                "expected": check.expected,
                "actual": check.actual,
                "result": check.result,
            }
            for check in verdict.checks
        ],
        "missing_subject": verdict.missing_subject,
    }
