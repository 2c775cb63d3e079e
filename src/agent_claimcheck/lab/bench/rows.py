"""From records to one scored row per detector and trace, the cascades included.

A reader must not miss: rows of every detector are in the order of the predictions file, because the bootstrap draws by
place. A trace that a judge never saw has no row for that judge.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.lab.bench.answers import parse_documented
from agent_claimcheck.lab.bench.records import PREDICTIONS, JudgeRecord, Prediction, RecordedRun
from agent_claimcheck.lab.dataset.names import Split

BASELINES = ("trust-agent", "any-error")
RULES = "rules"
CLASSIFIER = "classifier-lr"
REFIT = "classifier-refit"
CASCADE_OFFLINE = "cascade-offline"
CASCADE_DOCUMENTED = "cascade-documented"
CASCADE = "cascade"
# Scores of refitted copies, recorded beside the detectors: fitted without a domain, or without the scored fold.
LODO = ":lodo:"
LODO_PREFIX = f"{CLASSIFIER}{LODO}"
OUT_OF_FOLD = ":oof"

# Raw scores of the outcomes on which rules decide alone: contradicted, unsupported, probe_supported.
_RULES_DECIDE = frozenset({0.03, 0.05, 0.97})


class TraceFacts(Struct, frozen=True, kw_only=True):
    """The label of one trace and what the tables group by."""

    trace_id: str
    split: Split
    domain: str
    is_failure: bool
    injection: str
    evidence: str


class Row(Struct, frozen=True, kw_only=True):
    """One detector's score of one trace. ``p_raw`` and ``p_cal`` are in [0, 1]; abstentions stand at the base rate.

    ``latency_ms`` and ``cost_usd`` are ``None`` where they were not recorded. ``went_to_judge`` is set by ``cascade``.
    """

    facts: TraceFacts
    p_raw: float
    p_cal: float
    abstain: bool
    abstain_reason: str | None = None
    latency_ms: float | None = None
    cost_usd: float | None = 0.0
    is_cached: bool = False
    went_to_judge: bool = False


Rows = list[Row]


class AnswerReading(Struct, frozen=True, kw_only=True):
    """How judge answers were read: taken from the records, or parsed again from their text (``reread`` of them).

    ``changed`` counts answers whose score or abstention differs from the record.
    """

    mode: str
    reread: int = 0
    changed: int = 0


def trace_facts(predictions: Iterable[Prediction]) -> dict[str, TraceFacts]:
    """Return the label of every trace, in file order. Raises ``InputError`` when two rows disagree on one."""
    facts: dict[str, TraceFacts] = {}
    for row in predictions:
        found = TraceFacts(
            trace_id=row.trace_id,
            split=row.split,
            domain=row.domain,
            is_failure=row.outcome == "failure",
            injection=row.injection,
            evidence=row.evidence,
        )
        if facts.setdefault(row.trace_id, found) != found:
            raise InputError(
                f"{PREDICTIONS}: two rows disagree on the label of {printable(shorten(row.trace_id, 80))}",
                slug="record",
            )
    return facts


def offline_rows(run: RecordedRun, facts: dict[str, TraceFacts]) -> dict[str, Rows]:
    """Return the rows of every offline detector of the run, out-of-fold and leave-one-domain-out scores included."""
    latencies = {(timing.detector, timing.trace_id): timing.latency_ms for timing in run.timings}
    scored: dict[str, Rows] = {}
    for row in run.predictions:
        p_raw = run.base_rate if row.abstain or row.p_raw is None else row.p_raw
        scored.setdefault(row.detector, []).append(
            Row(
                facts=facts[row.trace_id],
                p_raw=p_raw,
                p_cal=p_raw if row.abstain or row.p_cal is None else row.p_cal,
                abstain=row.abstain,
                abstain_reason=row.abstain_reason,
                latency_ms=latencies.get((row.detector, row.trace_id)),
            )
        )
    return {detector: _in_order(rows, facts) for detector, rows in scored.items()}


def judge_rows(run: RecordedRun, facts: dict[str, TraceFacts]) -> dict[str, Rows]:
    """Return the rows of every judge, prompt ablations included, in the order in which they were asked."""
    scored: dict[str, Rows] = {}
    for record in run.judge_records:
        label = facts.get(record.trace_id)
        if label is None:
            shown = printable(shorten(record.trace_id, 80))
            raise InputError(f"a judge was asked about {shown}, which {PREDICTIONS} does not label", slug="record")
        scaling = run.calibrators.get(record.detector)
        silent = record.abstain or record.p_raw is None
        p_raw = run.base_rate if silent or record.p_raw is None else record.p_raw
        scored.setdefault(record.detector, []).append(
            Row(
                facts=label,
                p_raw=p_raw,
                p_cal=p_raw if silent or scaling is None else scaling.apply(p_raw),
                abstain=silent,
                abstain_reason=record.abstain_reason,
                latency_ms=record.latency_ms,
                cost_usd=record.cost_usd,
                is_cached=record.cached,
            )
        )
    return {detector: _in_order(rows, facts) for detector, rows in scored.items()}


def reread_answers(records: list[JudgeRecord], mode: str) -> tuple[list[JudgeRecord], AnswerReading]:
    """Return ``records`` with their answers taken as recorded or, in mode ``documented``, parsed again from the text.

    A call that failed before any text came back keeps its recorded abstention.
    """
    if mode != "documented":
        return records, AnswerReading(mode=mode)
    read: list[JudgeRecord] = []
    changed = texts = 0
    for record in records:
        if record.raw_text is None:
            read.append(record)
            continue
        texts += 1
        answer = parse_documented(record.raw_text)
        if answer is None:
            again = replace(record, abstain=True, abstain_reason="parse_error")
        else:
            again = replace(record, abstain=False, abstain_reason=None, p_raw=answer.p_success)
        changed += again.abstain != record.abstain or (not again.abstain and again.p_raw != record.p_raw)
        read.append(again)
    return read, AnswerReading(mode=mode, reread=texts, changed=changed)


def cascade_rows(rules: Rows, fallback: Rows, *, is_judge: bool) -> Rows:
    """Return the rows of a cascade: rules where they are conclusive, else the other detector's answer, whole.

    Conclusive means that the rules did not abstain and found a contradiction, nothing that could have done it, or an
    agreeing state probe. Otherwise the other detector's abstention counts too. Costs and times add up over the parts
    that ran. A trace that should go to a judge who never saw it becomes an abstention.
    """
    others = {row.facts.trace_id: row for row in fallback}
    cascaded: Rows = []
    for first in rules:
        if not first.abstain and first.p_raw in _RULES_DECIDE:
            cascaded.append(first)
            continue
        second = others.get(first.facts.trace_id)
        if second is None:
            cascaded.append(replace(first, abstain=True, abstain_reason="not_recorded", went_to_judge=is_judge))
            continue
        cascaded.append(
            replace(
                second,
                latency_ms=_sum(first.latency_ms, second.latency_ms),
                cost_usd=_sum(first.cost_usd, second.cost_usd),
                went_to_judge=is_judge,
            )
        )
    return cascaded


def of_split(rows: Rows, split: Split) -> Rows:
    """Return the rows of one split, order kept."""
    return [row for row in rows if row.facts.split == split]


def _in_order(rows: Rows, facts: dict[str, TraceFacts]) -> Rows:
    places = {trace_id: place for place, trace_id in enumerate(facts)}
    return sorted(rows, key=lambda row: places[row.facts.trace_id])


def _sum(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second
