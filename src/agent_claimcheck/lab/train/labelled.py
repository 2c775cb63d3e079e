"""Labelled runs as training sees them: features, label and task of each run; the run itself is not kept.

A reader must not miss that a run may come more than once: ``lab/labels.py`` says which of its labels counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent_claimcheck.detectors.classifier.documented_claims import count_documented_claims
from agent_claimcheck.detectors.classifier.ngrams import term_values
from agent_claimcheck.detectors.classifier.shape import shape_values
from agent_claimcheck.detectors.classifier.table import evidence_features
from agent_claimcheck.detectors.rules.detector import RulesDetector
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.lab.labels import NO_CLAIM, Labels
from agent_claimcheck.trace.model import Trace, TraceProblem
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


def read_labelled(items: Iterable[Trace | TraceProblem | ImportNote], case: CaseSettings) -> Labelled:
    """Read labelled runs from a stream that may repeat a trace_id."""
    found: dict[tuple[str, str, str | None], Labels] = {}
    read: dict[tuple[str, str, str | None], Run | None] = {}
    problems: list[TraceProblem] = []
    skipped: Counter[str] = Counter()
    for order, item in enumerate(items):
        if isinstance(item, TraceProblem):
            problems.append(item)
        elif isinstance(item, Trace):
            # Exports may number their runs anew each night: what was said tells such runs apart.
            key = (item.trace_id, item.task.id, item.final_claim.text)
            labels = found.setdefault(key, Labels())
            labels.add(item, order)
            if labels:
                read[key] = _read_run(item, case)
    runs = []
    for key, labels in found.items():
        label, run = labels.decide(), read.get(key)
        if label is None:
            skipped["unlabelled"] += 1
        elif run is None:
            skipped[NO_CLAIM] += 1
        else:
            runs.append(_with_label(run, label.outcome == "success"))
    return Labelled(runs=tuple(runs), skipped=dict(skipped), problems=tuple(problems))


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
