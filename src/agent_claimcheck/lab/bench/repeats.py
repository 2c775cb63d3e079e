"""How much a judge varies when it is asked the same again: from answers recorded more than once for a trace.

A reader must not miss: only traces with at least two scores count. An answer that could not be read is not a score, and
is counted apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from agent_claimcheck.lab.bench.measure import THRESHOLDS
from agent_claimcheck.lab.bench.records import JudgeRecord, RecordedRun
from agent_claimcheck.scoring.gate import decide


class RepeatFigures(Struct, frozen=True, kw_only=True):
    """One judge asked ``asked`` times a trace at most.

    ``mean_sd`` and ``largest_sd`` are standard deviations of its raw scores over the repeats of one trace; ``flipped``
    counts the traces whose calibrated verdict is not always the same; ``unread`` counts answers without a score.
    """

    asked: int
    n_traces: int
    mean_sd: float
    largest_sd: float
    flipped: int
    unread: int


def measure_repeats(run: RecordedRun) -> dict[str, RepeatFigures]:
    """Return the figures of every judge that was asked more than once about some trace."""
    grouped: dict[str, dict[str, list[JudgeRecord]]] = {}
    for record in (*run.judge_records, *run.judge_samples):
        grouped.setdefault(record.detector, {}).setdefault(record.trace_id, []).append(record)
    repeated = {
        name: [records for records in by_trace.values() if len(records) > 1] for name, by_trace in grouped.items()
    }
    return {name: _figures(name, groups, run) for name, groups in sorted(repeated.items()) if groups}


def _figures(name: str, groups: list[list[JudgeRecord]], run: RecordedRun) -> RepeatFigures:
    scored = [[record.p_raw for record in group if not record.abstain and record.p_raw is not None] for group in groups]
    spreads = [_deviation(scores) for scores in scored if len(scores) > 1]
    return RepeatFigures(
        asked=max(map(len, groups)),
        n_traces=len(spreads),
        mean_sd=sum(spreads) / len(spreads) if spreads else 0.0,
        largest_sd=max(spreads, default=0.0),
        flipped=sum(len(set(_verdicts(name, scores, run))) > 1 for scores in scored),
        unread=sum(record.abstain for group in groups for record in group),
    )


def _verdicts(name: str, scores: Iterable[float], run: RecordedRun) -> Iterable[str]:
    scaling = run.calibrators.get(name)
    return (decide(p if scaling is None else scaling.apply(p), False, THRESHOLDS).verdict for p in scores)


def _deviation(scores: list[float]) -> float:
    mean = sum(scores) / len(scores)
    return math.sqrt(sum((p - mean) ** 2 for p in scores) / (len(scores) - 1))
