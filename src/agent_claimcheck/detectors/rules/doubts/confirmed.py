"""A claim that call and state probe bear out, and a reason to doubt it: what every look for doubts takes and gives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_MOST_SHOWN = 200
"""Calls, and state probes, whose texts are put together."""


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


def shown_text(evidence: Evidence) -> str:
    """Return all that a run shows, case-folded: calls that did not fail with what came back, and state probes. Made once a run."""
    return evidence.shared("shown_text", lambda: _read_shown(evidence))


def _read_shown(evidence: Evidence) -> str:
    parts: list[str] = []
    for pair in evidence.calls[:_MOST_SHOWN]:
        if evidence.receipt(pair).state != "failed":
            parts += _texts_of(pair.call, pair.result)
    for probe in evidence.probes[:_MOST_SHOWN]:
        parts += _texts_of(probe, probe)
    return " ".join(parts).casefold()


def _texts_of(asked: Step, answered: Step | None) -> list[str]:
    """Return name and arguments of one step and the output of another. All that is no text is put into words in one go."""
    shown = [asked.name or "", asked.args]
    if answered is None:
        return [text_of(shown)]
    if isinstance(answered.output, str):
        return [text_of(shown), answered.output]
    shown.append(answered.output)
    return [text_of(shown)]
