"""How far a judge agrees with people, claim type by claim type, and with itself from run to run.

A reader must not miss: a label is about a whole trace. A trace counts under each type of claim it makes, so the types
overlap and do not add up.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.scoring.agreement import Agreement, measure_agreement
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

ALL = "all"
_SURE = ("verified", "false_success")


class Labelled(Struct, frozen=True, kw_only=True):
    """What people said about one trace, and the types of success claims in it."""

    is_failure: bool
    claim_types: tuple[str, ...]
    note: str = ""


class TypeRow(Struct, frozen=True, kw_only=True):
    """One claim type: traces with a label and a result, those the judge decided, and the agreement on these."""

    claim_type: str
    traces: int
    decided: int
    agreement: Agreement


class Dispute(Struct, frozen=True, kw_only=True):
    """A trace on which judge and label are both sure and differ."""

    trace_id: str
    verdict: str
    label: str
    p_success: float | None
    said_by_judge: str
    said_by_people: str


class Repeats(Struct, frozen=True, kw_only=True):
    """How steady the judge is. ``flipped`` counts traces that got both sure verdicts or one and an open one.

    ``mean_sd`` is the mean over traces of the standard deviation of ``p_success``; ``None`` without repeats.
    """

    traces: int
    mean_sd: float | None
    largest_sd: float | None
    flipped: int


class AgreementReport(Struct, frozen=True, kw_only=True):
    """All of it. ``rows`` starts with all types together; ``unlabelled`` and ``unscored`` count what has no partner."""

    rows: list[TypeRow]
    repeats: Repeats
    disputes: list[Dispute]
    unlabelled: int
    unscored: int


def read_labels(traces: Iterable[Trace], case: CaseSettings) -> dict[str, Labelled]:
    """Return the labels of ``traces`` by trace id; traces without a label or a success claim are left out."""
    labels: dict[str, Labelled] = {}
    for trace in traces:
        truth = trace.ground_truth
        if truth is None or truth.outcome == "unknown":
            continue
        claims = Evidence(label_free(trace), case).success_claims
        if not claims:
            continue
        note = (truth.details or {}).get("note")
        labels[trace.trace_id] = Labelled(
            is_failure=truth.outcome == "failure",
            claim_types=tuple(dict.fromkeys(claim.type for _, claim in claims)),
            note=note if isinstance(note, str) else "",
        )
    return labels


def compare(labels: Mapping[str, Labelled], results: Iterable[CheckResult]) -> AgreementReport:
    """Hold results against labels. Several results of one trace are repeats; the first one is the one that counts."""
    runs: dict[str, list[CheckResult]] = {}
    unlabelled: set[str] = set()
    for result in results:
        if result.verdict == "skipped":
            continue
        if result.trace_id in labels:
            runs.setdefault(result.trace_id, []).append(result)
        else:
            unlabelled.add(result.trace_id)
    types = Counter(kind for trace_id in runs for kind in labels[trace_id].claim_types)
    firsts = {trace_id: found[0] for trace_id, found in runs.items()}
    names = [ALL, *sorted(types, key=lambda kind: (-types[kind], kind))]
    return AgreementReport(
        rows=[_row(name, labels, firsts) for name in names],
        repeats=_repeats(runs),
        disputes=[
            _dispute(result, labels[trace_id])
            for trace_id, result in firsts.items()
            if result.verdict in _SURE and (result.verdict == "false_success") != labels[trace_id].is_failure
        ],
        unlabelled=len(unlabelled),
        unscored=len(labels.keys() - runs.keys()),
    )


def _row(name: str, labels: Mapping[str, Labelled], results: Mapping[str, CheckResult]) -> TypeRow:
    chosen = {i: result for i, result in results.items() if name == ALL or name in labels[i].claim_types}
    cells = Counter(
        (result.verdict == "false_success", labels[i].is_failure)
        for i, result in chosen.items()
        if result.verdict in _SURE
    )
    agreement = measure_agreement(cells[True, True], cells[True, False], cells[False, True], cells[False, False])
    return TypeRow(claim_type=name, traces=len(chosen), decided=agreement.n, agreement=agreement)


def _figures(runs: Sequence[CheckResult]) -> list[float]:
    """Return the raw figures of one trace: of its repeated runs, or of the samples within its only run."""
    if len(runs) > 1:
        return [run.p_success_raw for run in runs if run.p_success_raw is not None and not run.abstain]
    for output in runs[0].detectors:
        for part in (output, *output.components):
            samples = part.details.get("samples")
            figures = samples.get("p_success") if isinstance(samples, dict) else None
            if isinstance(figures, list):
                return [float(p) for p in figures if isinstance(p, int | float) and not isinstance(p, bool)]
    return []


def _repeats(runs: Mapping[str, Sequence[CheckResult]]) -> Repeats:
    figures = [found for repeated in runs.values() if len(found := _figures(repeated)) > 1]
    deviations = [statistics.stdev(found) for found in figures]
    flipped = sum(
        len({run.verdict for run in repeated}) > 1 and any(run.verdict in _SURE for run in repeated)
        for repeated in runs.values()
    )
    return Repeats(
        traces=len(figures),
        mean_sd=statistics.fmean(deviations) if deviations else None,
        largest_sd=max(deviations, default=None),
        flipped=flipped,
    )


def _dispute(result: CheckResult, label: Labelled) -> Dispute:
    return Dispute(
        trace_id=result.trace_id,
        verdict=result.verdict,
        label="failure" if label.is_failure else "success",
        p_success=result.p_success,
        said_by_judge=result.reasons[0].detail if result.reasons else "",
        said_by_people=label.note,
    )
