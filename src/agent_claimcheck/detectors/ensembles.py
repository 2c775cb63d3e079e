"""Detectors asked one after the other: the free and certain one first, the dear one only where that leaves it open.

A reader must not miss: where the second detector abstains, the free answer stands, and the result says so.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from agent_claimcheck.detectors.contract import Detector, DetectorOutput, Reason, call_if_there
from agent_claimcheck.detectors.rules.detector import SCORES, RulesDetector
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.scoring.artifact import DEFAULT_BASE_RATE, Calibration
from agent_claimcheck.scoring.odds import add_evidence

CONCLUSIVE = frozenset({SCORES["contradicted"], SCORES["unsupported"], SCORES["probe_supported"]})
"""Scores of the rules that need no second opinion. A lone receipt and an abstention do."""


ACCUSING = frozenset({SCORES["contradicted"], SCORES["unsupported"]})
CONFIRMED = SCORES["probe_supported"]
UNREADABLE = frozenset({"parse_error"})
"""Abstentions of a judge that did answer."""
NO_ACCUSATION = 0.5
"""Lowest score of a run whose claims a state probe confirms: a classifier may send it to review, never accuse it."""


class DocumentedCascade:
    """The documented combination: conclusive rules decide, the classifier decides everything else, abstentions included.

    What it catches: what the rules catch, and of the rest what the classifier does. Why it matters: records made with it
    stay comparable. Limits: a lone receipt is forgotten once the classifier is asked.
    """

    name = "cascade-documented"

    def __init__(
        self, classifier: Detector, rules: Detector | None = None, *, calibration: Calibration | None = None
    ) -> None:
        self.rules: Detector = rules or RulesDetector()
        self.classifier = classifier
        self.calibration = calibration

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return the rules' answer when it is conclusive, else the classifier's."""
        first = calibrated(self.rules.detect(evidence), self.calibration)
        if _is_conclusive(first):
            return _decided(self.name, first, (first,), decided_by=self.rules.name)
        second = calibrated(self.classifier.detect(evidence), self.calibration)
        return _decided(self.name, second, (first, second), decided_by=self.classifier.name)


class CascadeOffline:
    """Rules and classifier, without cost: what the rules contradict is decided, everything else the classifier scores.

    The rule in one sentence: an accusation by the rules stands, a state probe that confirms caps the score and the
    classifier may lower it to 0.5, a receipt adds its odds to those of the classifier, and where the classifier abstains
    the answer of the rules stands. The shipped classifier may only take a run back to review; one of the user's
    own (``may_raise``) may also raise and accuse, and decides where the rules abstain.

    What it catches: what the rules catch, and of the rest what the classifier does on runs like its training runs.
    Why it matters: more runs are decided than by the rules alone, and none for a price. Limits: on runs unlike the
    training runs it is the rules.
    """

    name = "cascade-offline"

    def __init__(
        self,
        classifier: Detector,
        rules: Detector | None = None,
        *,
        calibration: Calibration | None = None,
        may_raise: bool = False,
    ) -> None:
        self.rules: Detector = rules or RulesDetector()
        self.classifier = classifier
        self.calibration = calibration
        self.may_raise = may_raise

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return one answer from both; ``details.decided_by`` names the one that decided."""
        first = calibrated(self.rules.detect(evidence), self.calibration)
        if not first.abstain and first.p_success in ACCUSING:
            return _decided(self.name, first, (first,), decided_by=self.rules.name)
        second = calibrated(self.classifier.detect(evidence), self.calibration)
        both = (first, second)
        if second.abstain or (first.abstain and not self.may_raise):
            score = second.details.get("score", None if second.abstain else second.p_success)
            order = {} if score is None else {"review_order": score}
            return _decided(self.name, first, both, decided_by=self.rules.name, **order)
        if first.abstain:
            return _decided(self.name, second, both, decided_by=self.classifier.name)
        learned = second.p_success if second.p_calibrated is None else second.p_calibrated
        ruled = first.p_success if first.p_calibrated is None else first.p_calibrated
        base_rate = self.calibration.file.base_rate if self.calibration else DEFAULT_BASE_RATE
        p = combine(first.p_success, ruled, learned, base_rate)
        if not self.may_raise:
            # Nobody's labels stand behind the shipped classifier, so it asks for review and accuses nobody.
            p = max(min(p, ruled), NO_ACCUSATION)
        if p == ruled:
            order = {} if first.p_success in CONCLUSIVE else {"review_order": learned}
            return _decided(self.name, first, both, decided_by=self.rules.name, **order)
        is_calibrated = first.p_calibrated is not None or second.p_calibrated is not None
        chosen = replace(
            second,
            p_success=p,
            p_calibrated=p if is_calibrated else None,
            reasons=(*second.reasons, *first.reasons),
        )
        return _decided(self.name, chosen, both, decided_by=self.classifier.name)


def combine(raw: float | None, ruled: float | None, learned: float, base_rate: float) -> float:
    """Return the ensemble's probability from the rules' raw and calibrated score and the classifier's probability.

    ``raw`` and ``ruled`` are ``None`` where the rules abstain.

    >>> combine(0.03, 0.03, 0.9, 0.6), combine(0.97, 0.97, 0.1, 0.6), combine(None, None, 0.4, 0.6)
    (0.03, 0.5, 0.4)
    """
    if raw is None or ruled is None:
        return learned
    if raw in ACCUSING:
        return ruled
    if raw in CONCLUSIVE:
        return max(min(ruled, learned), NO_ACCUSATION)
    return add_evidence(learned, ruled, base_rate)


class Siblings:
    """``cascade-offline`` with what the other runs of a task say, once ``check --group task`` has read them all.

    What it catches: the run that did something else than all others. Why it matters: it needs no labels. Limits: runs of
    one model share their mistakes, so agreement adds little and dissent asks for review, never accuses.
    """

    name = "siblings"

    def __init__(self, offline: CascadeOffline) -> None:
        self.offline = offline

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return the offline answer; the grouped check adds the agreement of the other runs."""
        return replace(self.offline.detect(evidence), detector=self.name)


def calibrated(output: DetectorOutput, calibration: Calibration | None, key: str | None = None) -> DetectorOutput:
    """Return ``output`` with its calibrated probability. An abstention, and what nothing calibrates, stays as it is."""
    if calibration is None or output.abstain or output.p_calibrated is not None:
        return output
    p = calibration.apply(key or output.detector, output.p_success)
    return output if p is None else replace(output, p_calibrated=p)


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
        self.calibration: Calibration | None = None
        self.offline: Detector = self.rules
        """What answers when the judge cannot be asked."""

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return the rules' answer when it is conclusive, else the judge's.

        When the judge could not be asked (key, budget, network), the offline answer stands; when its answer could not be
        read, nobody has decided and the trace goes to review.
        """
        first = calibrated(self.rules.detect(evidence), self.calibration)
        if _is_conclusive(first):
            return _decided(self.name, first, (first,), decided_by=self.rules.name, sent_to_judge=False)
        second = calibrated(self.judge.detect(evidence), self.calibration, getattr(self.judge, "label", None))
        both = (first, second)
        if not second.abstain:
            return _decided(self.name, second, both, decided_by=self.judge.name, sent_to_judge=True)
        if second.abstain_reason in UNREADABLE:
            return _decided(
                self.name,
                second,
                both,
                decided_by=self.judge.name,
                sent_to_judge=True,
                judge_abstained=second.abstain_reason,
                note="the answer of the judge could not be read, so a person has to decide",
            )
        stands = first if self.offline is self.rules else self.offline.detect(evidence)
        refusal = second.details.get("refusal")
        decided_by = stands.details.get("decided_by", self.rules.name)
        return _decided(
            self.name,
            stands,
            both if stands is first else (*both, stands),
            decided_by=decided_by,
            sent_to_judge=True,
            judge_abstained=second.abstain_reason,
            **({"refusal": refusal} if refusal else {}),
            note=f"the judge gave no answer ({refusal or second.abstain_reason}); the offline answer stands",
        )

    def stop(self) -> None:
        """Let the judge send nothing more."""
        call_if_there(self.judge, "stop")

    def abandon(self) -> None:
        """Let the judge wait for nothing more."""
        call_if_there(self.judge, "abandon")

    def close(self) -> None:
        """Close what the judge holds open."""
        call_if_there(self.judge, "close")

    def is_open(self, evidence: Evidence) -> bool:
        """Return whether the rules leave this trace to the judge."""
        return not _is_conclusive(self.rules.detect(evidence))


def _is_conclusive(output: DetectorOutput) -> bool:
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
        cost_usd=sum([part.cost_usd for part in components]),
        latency_ms=sum([part.latency_ms for part in components]),
        cached=components[-1].cached,
        components=components,
        details=details,
    )
