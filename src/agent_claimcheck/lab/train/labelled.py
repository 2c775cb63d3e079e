"""Labelled runs as training sees them: features, label and task of each run; the run itself is not kept.

A reader must not miss which label counts when a run comes more than once, within a file or across files: the newest
review by a person; after an undone review, and where nobody reviewed, the last label that is success or failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.classifier.documented_claims import count_documented_claims
from agent_claimcheck.detectors.classifier.ngrams import term_values
from agent_claimcheck.detectors.classifier.shape import shape_values
from agent_claimcheck.detectors.classifier.table import evidence_features
from agent_claimcheck.detectors.rules.detector import RulesDetector
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.trace.model import Outcome, Trace, TraceProblem
from agent_claimcheck.trace.view import label_free

LEAST_OF_EACH = 5
"""Documented: labelled runs of each outcome below which nothing is trained."""


class Run(Struct, frozen=True, kw_only=True):
    """One labelled run that claims success.

    ``shape`` and ``evidence`` are the values of the two feature tables, ``terms`` those of the text model.
    ``rules`` is the raw score of the rules, ``None`` where they abstain. ``called`` names the tool of each call.
    """

    trace_id: str
    task: str
    domain: str
    source: str
    is_success: bool
    shape: tuple[float, ...]
    evidence: tuple[float, ...]
    terms: dict[int, float]
    length: int
    rules: float | None
    called: tuple[str, ...] = ()


class Labelled(Struct, frozen=True, kw_only=True):
    """Everything that was read. ``skipped`` counts runs left out, by reason; ``problems`` are the invalid lines."""

    runs: tuple[Run, ...]
    skipped: dict[str, int]
    problems: tuple[TraceProblem, ...]

    @property
    def labels(self) -> list[bool]:
        """Whether each run succeeded."""
        return [run.is_success for run in self.runs]

    @property
    def tasks(self) -> list[str]:
        """The task of each run."""
        return [run.task for run in self.runs]


class _Lines:
    """All that was read of one run."""

    def __init__(self) -> None:
        self.reviews: list[tuple[str, int, Outcome]] = []
        self.label: Outcome = "unknown"
        self.run: Run | None = None

    def decide(self) -> Outcome:
        """Return the label that counts."""
        if self.reviews:
            newest = max(self.reviews, key=lambda review: (review[0], review[1]))
            if newest[2] != "unknown":
                return newest[2]
        return self.label


def read_labelled(items: Iterable[Trace | TraceProblem | ImportNote], case: CaseSettings) -> Labelled:
    """Read labelled runs from a stream that may repeat a trace_id."""
    found: dict[tuple[str, str], _Lines] = {}
    problems: list[TraceProblem] = []
    skipped: Counter[str] = Counter()
    for order, item in enumerate(items):
        if isinstance(item, TraceProblem):
            problems.append(item)
        elif isinstance(item, Trace):
            lines = found.setdefault((item.trace_id, item.task.id), _Lines())
            _add_label(lines, item, order)
            if lines.reviews or lines.label != "unknown":
                lines.run = _read_run(item, case)
    runs = []
    for lines in found.values():
        outcome = lines.decide()
        if outcome == "unknown":
            skipped["unlabelled"] += 1
        elif lines.run is None:
            skipped["no success claim"] += 1
        else:
            runs.append(_with_label(lines.run, outcome == "success"))
    return Labelled(runs=tuple(runs), skipped=dict(skipped), problems=tuple(problems))


def _add_label(lines: _Lines, trace: Trace, order: int) -> None:
    truth = trace.ground_truth
    if truth is None:
        return
    details: dict[str, Any] = truth.details or {}
    if truth.checked_by == "human" or "decision" in details:
        when = details.get("reviewed_at")
        lines.reviews.append((when if isinstance(when, str) else "", order, truth.outcome))
    elif truth.outcome != "unknown":
        lines.label = truth.outcome


def _read_run(trace: Trace, case: CaseSettings) -> Run | None:
    evidence = Evidence(label_free(trace), case)
    if not evidence.success_claims and not count_documented_claims(evidence)[0]:
        return None
    rules = RulesDetector().detect(evidence)
    return Run(
        trace_id=trace.trace_id,
        task=trace.task.id or trace.trace_id,
        domain=trace.task.domain,
        source=trace.source,
        is_success=False,
        shape=shape_values(evidence),
        evidence=evidence_features(evidence),
        terms=term_values(evidence),
        length=len(trace.final_claim.text or ""),
        rules=None if rules.abstain else rules.p_success,
        called=tuple(pair.call.name or "" for pair in evidence.calls),
    )


def _with_label(run: Run, is_success: bool) -> Run:
    from msgspec.structs import replace

    return replace(run, is_success=is_success)


def missing_labels(labels: Sequence[bool]) -> str:
    """Say how many labels of which outcome are still needed; '' when there are enough."""
    counts = {"successes": sum(labels), "failures": len(labels) - sum(labels)}
    short = [f"{LEAST_OF_EACH - n} more labelled {name}" for name, n in counts.items() if n < LEAST_OF_EACH]
    return " and ".join(short)
