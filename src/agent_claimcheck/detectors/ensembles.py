"""Detectors asked one after the other: the free and certain one first, the dear one only where that leaves it open.

A reader must not miss: when the second detector abstains, the answer of the rules stands, and the result says so.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.detectors.contract import Detector, DetectorOutput, Reason
from agent_claimcheck.detectors.rules.detector import SCORES, RulesDetector
from agent_claimcheck.evidence.case import Evidence

CONCLUSIVE = frozenset({SCORES["contradicted"], SCORES["unsupported"], SCORES["probe_supported"]})
"""Scores of the rules that need no second opinion. A lone receipt and an abstention do."""


class Cascade:
    """Rules first; the judge only on what they leave open.

    What it catches: what the rules catch, and of the rest what the judge does. Why it matters: most traces cost nothing.
    Limits: those of the judge, on the traces that reach it.
    """

    name = "cascade"
    is_remote = True

    def __init__(self, judge: Detector, rules: Detector | None = None) -> None:
        self.rules: Detector = rules or RulesDetector()
        self.judge = judge

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return the rules' answer when it is conclusive, else the judge's; the rules' again when the judge abstains."""
        first = self.rules.detect(evidence)
        if is_conclusive(first):
            return _decided(self.name, first, (first,), decided_by=self.rules.name, sent_to_judge=False)
        second = self.judge.detect(evidence)
        both = (first, second)
        if not second.abstain:
            return _decided(self.name, second, both, decided_by=self.judge.name, sent_to_judge=True)
        return _decided(
            self.name,
            first,
            both,
            decided_by=self.rules.name,
            sent_to_judge=True,
            judge_abstained=second.abstain_reason,
            note=f"the judge gave no answer ({second.abstain_reason}); the answer of the rules stands",
        )

    def stop(self) -> None:
        """Let the judge send nothing more."""
        _call(self.judge, "stop")

    def abandon(self) -> None:
        """Let the judge wait for nothing more."""
        _call(self.judge, "abandon")

    def close(self) -> None:
        """Close what the judge holds open."""
        _call(self.judge, "close")

    def is_open(self, evidence: Evidence) -> bool:
        """Return whether the rules leave this trace to the judge."""
        return not is_conclusive(self.rules.detect(evidence))


def _call(detector: Detector, method: str) -> None:
    found = getattr(detector, method, None)
    if callable(found):
        found()


def is_conclusive(output: DetectorOutput) -> bool:
    """Return whether a raw answer of the rules needs no second opinion."""
    return not output.abstain and output.p_success in CONCLUSIVE


def _decided(
    name: str, chosen: DetectorOutput, components: tuple[DetectorOutput, ...], *, note: str = "", **details: Any
) -> DetectorOutput:
    added = (Reason(claim=None, outcome="judge_abstained", step=None, detail=note),) if note else ()
    return DetectorOutput(
        detector=name,
        p_success=chosen.p_success,
        p_calibrated=chosen.p_calibrated,
        abstain=chosen.abstain,
        abstain_reason=chosen.abstain_reason,
        reasons=(*chosen.reasons, *added),
        cost_usd=sum(part.cost_usd for part in components),
        latency_ms=sum(part.latency_ms for part in components),
        cached=components[-1].cached,
        components=components,
        details=details,
    )
