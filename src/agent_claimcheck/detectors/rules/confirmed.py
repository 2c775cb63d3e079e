"""A claim that call and state probe bear out, and a reason to doubt it: what every look for doubts takes and gives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair


class Confirmed(Struct, frozen=True):
    """One claim with the call and the state probe that bear it out. ``probe_step`` is the ``i`` of that probe."""

    claim: SuccessClaim
    plan: RulePlan
    pair: CallPair
    probe_step: int | None
    evidence: Evidence

    @property
    def probe(self) -> Step | None:
        """The state probe itself."""
        return next((step for step in self.evidence.probes if step.i == self.probe_step), None)


class Doubt(Struct, frozen=True):
    """What remains of a confirmed claim, as a claim outcome, and the reason in words."""

    outcome: Literal["receipt_only", "undecided"]
    reason: str
