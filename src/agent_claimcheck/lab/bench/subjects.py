"""The labelled traces a bench run scores, each with its split and what the tables group it by.

A reader must not miss: a trace says itself which split it belongs to (``meta.split``). Where the traces of a data set do
not, tasks are divided by a hash of their id, so that no task stands on both sides.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.lab.dataset.names import Split
from agent_claimcheck.lab.labels import NO_CLAIM
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.view import label_free

_TRAIN_SHARE = 0.6


class Subject(Struct, frozen=True, kw_only=True):
    """One labelled trace that claims success. ``evidence`` names its best kind of evidence."""

    trace: Trace
    split: Split
    is_success: bool
    injection: str
    evidence: str
    variant: str | None

    @property
    def domain(self) -> str:
        """The domain of the task."""
        return self.trace.task.domain


class Subjects(Struct, frozen=True, kw_only=True):
    """The traces to score, in file order; ``skipped`` counts those left out by reason, ``problems`` are invalid lines."""

    kept: tuple[Subject, ...]
    skipped: dict[str, int]
    problems: tuple[TraceProblem, ...]

    def of_split(self, split: Split) -> list[Subject]:
        """Return the subjects of one split, in order."""
        return [subject for subject in self.kept if subject.split == split]


_MOST_TOLD = 5
"""Problems of the input that are told when they may be why nothing is left."""


def read_subjects(items: Iterable[Trace | TraceProblem | ImportNote], case: CaseSettings) -> Subjects:
    """Sort labelled traces into splits. Raises ``InputError`` when none is left to test on."""
    traces: list[Trace] = []
    problems: list[TraceProblem] = []
    skipped: Counter[str] = Counter()
    for item in items:
        if isinstance(item, TraceProblem):
            problems.append(item)
        elif isinstance(item, Trace):
            reason = _left_out(item, case)
            if reason:
                skipped[reason] += 1
            else:
                traces.append(item)
    knows_split = all(_named_split(trace) for trace in traces)
    kept = tuple(_subject(trace, knows_split=knows_split) for trace in traces)
    if not any(subject.split == "test" for subject in kept):
        told = [str(problem) for problem in problems[:_MOST_TOLD]]
        raise InputError(
            "\n".join([*told, "no labelled trace that claims success to test on"]),
            hint="traces need ground_truth with the outcome success or failure",
            slug="labels",
        )
    return Subjects(kept=kept, skipped=dict(skipped), problems=tuple(problems))


def _left_out(trace: Trace, case: CaseSettings) -> str:
    if trace.ground_truth is None or trace.ground_truth.outcome == "unknown":
        return "unlabelled"
    return "" if Evidence(label_free(trace), case).success_claims else NO_CLAIM


def _named_split(trace: Trace) -> Split | None:
    named = (trace.meta or {}).get("split")
    return named if named in ("train", "test") else None


def _subject(trace: Trace, *, knows_split: bool) -> Subject:
    truth = trace.ground_truth
    details = (truth.details if truth else None) or {}
    is_success = truth is not None and truth.outcome == "success"
    has_probe = any(step.kind == "state_probe" for step in trace.steps)
    kind = details.get("injection")
    evidence = details.get("evidence")
    variant = details.get("variant")
    named = _named_split(trace) if knows_split else None
    return Subject(
        trace=trace,
        split=named or _split_by_task(trace.task.id or trace.trace_id),
        is_success=is_success,
        injection=kind if isinstance(kind, str) else "none" if is_success else "unnamed",
        evidence=evidence if isinstance(evidence, str) else "state_probe" if has_probe else "receipt_only",
        variant=variant if isinstance(variant, str) else None,
    )


def _split_by_task(task: str) -> Split:
    place = int.from_bytes(hashlib.sha256(task.encode("utf-8", "replace")).digest()[:8], "big") / 2**64
    return "train" if place < _TRAIN_SHARE else "test"
