"""Which label of a run counts when the run comes more than once, within a file or across files.

A reader must not miss the order: the newest review by a person; after an undone review, and where nobody reviewed, the last
label that is success or failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.importers.contract import Imported
from agent_claimcheck.trace.model import GroundTruth, Trace, TraceProblem, Where
from agent_claimcheck.trace.schema import show

NO_CLAIM = "no success claim"
"""Why a labelled run is left out in which no success claim was read."""
WHAT_CHECK_SAYS = "`check` says skipped of such a run where nothing was claimed, and unverifiable where it could not read what was said"


class Labels:
    """The labels that were read of one run."""

    def __init__(self) -> None:
        self._reviews: list[tuple[str, int, GroundTruth]] = []
        self._label: GroundTruth | None = None

    def add(self, trace: Trace, order: int) -> None:
        """Take the label of ``trace``; ``order`` rises with what is read."""
        truth = trace.ground_truth
        if truth is None:
            return
        details: dict[str, Any] = truth.details or {}
        if truth.checked_by == "human" or "decision" in details:
            when = details.get("reviewed_at")
            self._reviews.append((when if isinstance(when, str) else "", order, truth))
        elif truth.outcome != "unknown":
            self._label = truth

    def __bool__(self) -> bool:
        return bool(self._reviews) or self._label is not None

    def decide(self) -> GroundTruth | None:
        """Return the label that counts; ``None`` when there is none."""
        if self._reviews:
            newest = max(self._reviews, key=lambda review: review[:2])[2]
            if newest.outcome != "unknown":
                return newest
        return self._label


def one_label_each(items: Iterable[Imported]) -> Iterator[Imported]:
    """Yield each run once, with the label that counts, after what else ``items`` held. All runs are kept in memory.

    ``items`` are read so that a trace_id may come again (``SourceOptions.keeps_repeats``). Another run under an id that was
    there already is a problem, as everywhere.
    """
    found: dict[str, tuple[Trace, Labels]] = {}
    for order, item in enumerate(items):
        if not isinstance(item, Trace):
            yield item
            continue
        first, labels = found.setdefault(item.trace_id, (item, Labels()))
        if _is_same_run(first, item):
            labels.add(item, order)
        else:
            where = item.where or Where(file="", line=0)
            message = f"trace_id {show(item.trace_id)} was used before, by another run"
            yield TraceProblem(file=where.file, line=where.line, path="$.trace_id", message=message)
    for trace, labels in found.values():
        yield replace(trace, ground_truth=labels.decide())


def _is_same_run(a: Trace, b: Trace) -> bool:
    """True for copies of one run. A review may hold more steps of it: the state probes that were read for the page."""
    return a.task.id == b.task.id and a.final_claim.text == b.final_claim.text
