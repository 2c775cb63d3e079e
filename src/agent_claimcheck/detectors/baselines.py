"""Two baselines that every real detector must beat: believe the agent, and distrust every error."""

from __future__ import annotations

from agent_claimcheck.detectors.contract import BASE_RATE, DetectorOutput, Reason
from agent_claimcheck.evidence.case import Evidence


class TrustAgent:
    """Believes every claim: p(success) is 1."""

    name = "trust-agent"

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return full trust."""
        reason = Reason(claim=None, outcome="trusted", step=None, detail="the agent said so")
        return DetectorOutput(detector=self.name, p_success=1.0, reasons=(reason,))


class AnyError:
    """Calls every run with a failed tool result a failure, recovered or not."""

    name = "any-error"

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return 0 when any tool result failed, 1 otherwise; abstain when there is no tool result."""
        results = [step for step in evidence.view.steps if step.kind == "tool_result"]
        if not results:
            return DetectorOutput(
                detector=self.name, p_success=BASE_RATE, abstain=True, abstain_reason="no_tool_results"
            )
        failed = next((step for step in results if step.ok is False or step.error is not None), None)
        if failed is None:
            reason = Reason(claim=None, outcome="no_error", step=None, detail="no tool result failed")
            return DetectorOutput(detector=self.name, p_success=1.0, reasons=(reason,))
        reason = Reason(claim=None, outcome="error", step=failed.i, detail=f"the result of {failed.name} failed")
        return DetectorOutput(detector=self.name, p_success=0.0, reasons=(reason,))
