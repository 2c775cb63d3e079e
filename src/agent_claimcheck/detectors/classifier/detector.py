"""A learned score as a detector: p(success) from a fitted file, or an abstention where it would be a guess.

A reader must not miss: on runs unlike the ones it was fitted on it abstains. Its score is kept in ``details`` so that
the review queue can be put in order; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import itemgetter
from typing import Any

from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.classifier.artifact import Classifier
from agent_claimcheck.detectors.classifier.evidence_and_text import EvidenceAndText, averaged
from agent_claimcheck.detectors.classifier.likeness import MOST_UNKNOWN, Likeness, unknown_share
from agent_claimcheck.detectors.classifier.ngrams import TextModel, read_text
from agent_claimcheck.detectors.classifier.scorer import Added, scorer_of, weighed_by
from agent_claimcheck.detectors.classifier.table import in_words, table_of
from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.patterns import GENERIC_PACK
from agent_claimcheck.scoring.odds import probability

_DETAIL = 200
_EVEN = 0.5
Reading = tuple[tuple[float, ...], float, Added]
"""Feature values (none for the text model), the log-odds of success, the largest contributions."""
_UNLISTED_DOMAIN = "other"


class ClassifierDetector:
    """Scores a run with a fitted classifier.

    ``is_own`` says that the file was chosen by the user. The shipped one decides nothing on traces of domain ``other``
    and where no rule pack maps the tools. The documented artifact keeps its documented abstention instead: domains it was
    not trained on.
    """

    def __init__(self, classifier: Classifier, *, is_own: bool = False) -> None:
        self.classifier = classifier
        self.name = classifier.name
        self.is_own = is_own

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return table_of(self.classifier.table).names

    @cached_property
    def _read(self) -> Callable[[Evidence, bool], Reading]:
        return _reader_of(self.classifier)

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Return p(success), or abstain where a score would be a guess; ``abstain_reason`` says why."""
        if "tool_result" not in [step.kind for step in evidence.view.steps]:
            # The documented artifact has one word for both reasons to abstain.
            code = "out_of_distribution" if self.classifier.domains is not None else "no_tool_results"
            return self._abstain(code, "the run has no tool result", None, {})
        refusal = self._refusal_of_kind(evidence)
        likeness = None if refusal is not None else self.classifier.likeness
        x, z, added = self._read(evidence, likeness is None)
        score = probability(z)
        if likeness is not None and x:
            refusal = self._refusal_of_values(likeness, x)
        contributions: dict[str, Any] = {"contributions": [{"feature": name, "value": value} for name, value in added]}
        if refusal is not None:
            return self._abstain(*refusal, score, contributions)
        return DetectorOutput(
            detector=self.name,
            p_success=score,
            reasons=(self._reason(score, added, x),),
            details=contributions,
        )

    def _refusal_of_kind(self, evidence: Evidence) -> tuple[str, str] | None:
        """Return why runs of this kind get no answer, whatever their values."""
        if not self.classifier.training.knows_confirmed and _is_confirmed(evidence):
            return "out_of_distribution", "a state probe confirms this run, and the model was fitted on hardly any such"
        tools = self.classifier.tools
        if tools is not None:
            share = unknown_share([pair.call.name or "" for pair in evidence.calls], tools)
            if share > MOST_UNKNOWN:
                return "out_of_distribution", f"{share:.0%} of the calls go to tools that no training run used"
        known = self.classifier.domains
        domain = evidence.view.task.domain
        if known is not None:
            if domain not in known:
                return "out_of_distribution", f"the model was not fitted on traces of domain {domain}"
            return None
        if domain == _UNLISTED_DOMAIN and not self.is_own:
            return "domain_other", "domain other: the shipped model decides nothing, its score orders the queue"
        if not self.is_own and not any(pack.name != GENERIC_PACK for pack in evidence.packs):
            return "unmapped_tools", "no rule pack maps the tools of this run; the shipped model decides nothing there"
        return None

    def _refusal_of_values(self, likeness: Likeness, x: tuple[float, ...]) -> tuple[str, str] | None:
        """Return why these values get no answer: they lie too far from those the model was fitted on."""
        outside = likeness.outside(x)
        far = sum([spreads for _, spreads in outside])
        if far <= likeness.limit:
            return None
        # The largest excess; the first of equals.
        oddest = self._names[max(outside, key=itemgetter(1))[0]]
        words = in_words(self.classifier.table, oddest)
        return (
            "out_of_distribution",
            f"unlike the training runs ({far:.1f} spreads, limit {likeness.limit:.1f}): {words}",
        )

    def _abstain(self, code: str, detail: str, score: float | None, details: dict[str, Any]) -> DetectorOutput:
        reason = Reason(claim=None, outcome=self.name, step=None, detail=shorten(detail, _DETAIL))
        kept = {} if score is None or self.classifier.domains is not None else {"score": score}
        return DetectorOutput(
            detector=self.name,
            p_success=self.classifier.base_rate,
            abstain=True,
            abstain_reason=code,
            reasons=(reason,),
            details={**details, **kept},
        )

    def _reason(self, score: float, added: Added, x: tuple[float, ...]) -> Reason:
        """Return what moved the score most to the side on which it stands, and what it is here."""
        if not added:
            return Reason(claim=None, outcome=self.name, step=None, detail="nothing in this run moves the score")
        name, value = next((pair for pair in added if (pair[1] > 0) == (score > _EVEN)), added[0])
        here = x[self._names.index(name)] if x and name in self._names else None
        sign = describe(self.classifier.table, name, value, here)
        detail = shorten(f"a learned score; strongest sign {sign}", _DETAIL)
        return Reason(claim=None, outcome=self.name, step=None, detail=detail)


def _reader_of(classifier: Classifier) -> Callable[[Evidence, bool], Reading]:
    """Return what reads a run; its second argument says that only the score is looked at, not the values themselves."""
    model = classifier.model
    if isinstance(model, TextModel):
        return lambda evidence, _: ((), *read_text(model, evidence))
    weighing = model.evidence if isinstance(model, EvidenceAndText) else model
    table = table_of(classifier.table)
    compute, names = table.compute, table.names
    score, weighed = scorer_of(weighing, names), weighed_by(weighing, names)

    def read(evidence: Evidence, only_score: bool) -> Reading:
        x = compute(evidence, weighed if only_score else None)
        return x, *score(x)

    if not isinstance(model, EvidenceAndText):
        return read
    text = model.text

    def read_both(evidence: Evidence, only_score: bool) -> Reading:
        x, z, added = read(evidence, only_score)
        return x, *averaged((z, added), read_text(text, evidence))

    return read_both


def _is_confirmed(evidence: Evidence) -> bool:
    """True when a state probe confirms every claim of the run."""
    verdicts = judge_claims(evidence)
    return bool(verdicts) and all(verdict.outcome == "probe_supported" for verdict in verdicts)


def describe(table: str, name: str, contribution: float, here: float | None = None) -> str:
    """Return one contribution in words: ``against success: share of calls that failed, here 0.5 (-1.20)``."""
    side = "for" if contribution > 0 else "against"
    value = "" if here is None else f", here {here:.3g}"
    return f"{side} success: {in_words(table, name)}{value} ({contribution:+.2f})"
