"""A builder of results for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict, FieldResult
from agent_claimcheck.results.model import CheckResult

# p, abstain, record, claim outcome
SHAPES: dict[str, tuple[float | None, bool, str, Any]] = {
    "verified": (0.97, False, "confirmed", "probe_supported"),
    "false_success": (0.03, False, "contradicted", "contradicted"),
    "unverifiable": (0.7, False, "supported", "receipt_only"),
    "skipped": (None, True, "no_claim", None),
}


def build(verdict: str = "false_success", trace_id: str = "run-1", **changes: Any) -> CheckResult:
    p, abstain, record, outcome = SHAPES[verdict]
    detail = changes.pop("detail", "the booking call failed: slot is taken")
    fields: dict[str, Any] = {
        "trace_id": trace_id,
        "domain": "booking",
        "detector": "rules",
        "verdict": verdict,
        "p_success": p,
        "p_success_raw": p,
        "calibrated": False,
        "abstain": abstain,
        "abstain_reason": "no_success_claim" if verdict == "skipped" else None,
        "confidence": {"verified": p, "false_success": 0.97}.get(verdict),
        "record": record,
    }
    if outcome is None:
        reason = Reason(claim=None, outcome="no_success_claim", step=None, detail="no success claim found")
        fields |= {"reasons": (reason,), "claims": (), "claim_verdicts": (), "detectors": ()}
    else:
        reason = Reason(claim="booked", outcome=outcome, step=1, detail=detail)
        claim = SuccessClaim(type="booked", subject={"day": "Friday"}, span=(0, 6), step=4, quote="Booked")
        check = FieldResult(path="event_id", op="exists", expected=True, actual=None, result="fail")
        verdict_of_claim = ClaimVerdict(
            claim=0,
            claim_type="booked",
            outcome=outcome,
            step=1,
            detail=detail,
            steps=(0, 1),
            checks=(check,) if outcome == "contradicted" else (),
        )
        output = DetectorOutput(detector="rules", p_success=0.6 if p is None else p, abstain=abstain, reasons=(reason,))
        fields |= {
            "reasons": (reason,),
            "claims": (claim,),
            "claim_verdicts": (verdict_of_claim,),
            "detectors": (output,),
        }
    return CheckResult(**(fields | changes))


@pytest.fixture(scope="session")
def build_result() -> Callable[..., CheckResult]:
    return build
