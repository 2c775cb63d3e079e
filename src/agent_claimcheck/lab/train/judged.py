"""Raw scores of the judge on labelled runs, for its calibrator. Each run is asked about once, whatever its label."""

from __future__ import annotations

from collections.abc import Iterable

from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.lab.train.labelled import Labelled
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.trace.model import Trace, TraceProblem


def judge_scores(
    items: Iterable[Trace | TraceProblem | ImportNote], labelled: Labelled, spec: CheckerSpec
) -> dict[str, list[float | None]]:
    """Return the judge's raw p(success) by calibration key, one a run of ``labelled``, ``None`` where it gave none.

    Costs money within the budget of the settings. Raises ``UsageError`` without a model or a price.
    """
    wanted = {(run.trace_id, run.task) for run in labelled.runs}
    found: dict[tuple[str, str], float | None] = {}
    traces = (
        item for item in items if isinstance(item, Trace) and (item.trace_id, item.task.id or item.trace_id) in wanted
    )
    with Checker("judge", spec=spec) as checker:
        key = str(getattr(checker.detector, "label", checker.detector.name))
        for trace, result in checker.check_pairs(_once(traces)):
            answered = result.detectors and not result.abstain
            found[trace.trace_id, trace.task.id or trace.trace_id] = result.p_success_raw if answered else None
    return {key: [found.get((run.trace_id, run.task)) for run in labelled.runs]}


def _once(traces: Iterable[Trace]) -> Iterable[Trace]:
    seen: set[tuple[str, str]] = set()
    for trace in traces:
        key = (trace.trace_id, trace.task.id)
        if key not in seen:
            seen.add(key)
            yield trace
