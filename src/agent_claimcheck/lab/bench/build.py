"""Builds the report of a recorded run: which detectors there are, which judge is best, and every table's figures.

A reader must not miss: the best judge is chosen on the train split. Choosing it on the split that is reported would
flatter the cascade.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.bench.comparison import compare_detectors
from agent_claimcheck.lab.bench.datasets import TEXT_ONLY, facts_of
from agent_claimcheck.lab.bench.hypotheses import Hypotheses, judge_h1, judge_h2, judge_h3, judge_h4
from agent_claimcheck.lab.bench.measure import (
    DetectorReport,
    auroc_of,
    decisions_of,
    interval_of,
    mean_latency,
    measure_detector,
    recall_by_kind,
)
from agent_claimcheck.lab.bench.records import RecordedRun
from agent_claimcheck.lab.bench.repeats import measure_repeats
from agent_claimcheck.lab.bench.report import (
    BenchReport,
    Charts,
    DatasetSummary,
    DomainSlice,
    EvidenceSlice,
    ParseRates,
    PromptReport,
    RunSummary,
)
from agent_claimcheck.lab.bench.requests import Rerender, check_requests
from agent_claimcheck.lab.bench.rows import (
    BASELINES,
    CASCADE,
    CASCADE_OFFLINE,
    CLASSIFIER,
    LODO,
    LODO_PREFIX,
    OUT_OF_FOLD,
    RULES,
    Rows,
    TraceFacts,
    cascade_rows,
    judge_rows,
    of_split,
    offline_rows,
    reread_answers,
    trace_facts,
)
from agent_claimcheck.scoring.probability import BINS, bin_of, brier_score, expected_calibration_error, reliability_bins
from agent_claimcheck.scoring.risk import risk_coverage


class _Scored:
    """Rows of all detectors of a run, sorted by what they are."""

    def __init__(self, run: RecordedRun, facts: dict[str, TraceFacts]) -> None:
        every = offline_rows(run, facts)
        self.offline = {
            name: rows for name, rows in every.items() if not name.endswith(OUT_OF_FOLD) and LODO not in name
        }
        self.lodo = {name[len(LODO_PREFIX) :]: rows for name, rows in every.items() if name.startswith(LODO_PREFIX)}
        self.judges: dict[str, Rows] = {}
        self.ablations: dict[str, Rows] = {}
        ablated = {record.detector for record in run.judge_records if record.is_ablation}
        for name, rows in judge_rows(run, facts).items():
            (self.ablations if name in ablated else self.judges)[name] = rows
        self.best_judge = _best_judge(self.judges)
        rules = self.offline.get(RULES)
        if rules and CLASSIFIER in self.offline and CASCADE_OFFLINE not in self.offline:
            self.offline[CASCADE_OFFLINE] = cascade_rows(rules, self.offline[CLASSIFIER], is_judge=False)
        self.cascade = (
            cascade_rows(rules, self.judges[self.best_judge], is_judge=True) if rules and self.best_judge else []
        )

    def in_table_order(self) -> dict[str, Rows]:
        """Return the test rows of every compared detector, cheap ones first; detectors without any are left out."""
        leading = [*BASELINES, RULES, CLASSIFIER]
        others = [name for name in self.offline if name not in (*leading, CASCADE_OFFLINE)]
        ordered = {name: self.offline.get(name, []) for name in (*leading, *others, CASCADE_OFFLINE)}
        ordered.update({name: self.judges[name] for name in sorted(self.judges)})
        ordered[CASCADE] = self.cascade
        tested = {name: of_split(rows, "test") for name, rows in ordered.items()}
        return {name: rows for name, rows in tested.items() if rows}


def build_report(
    run: RecordedRun, *, answers: str = "recorded", shipped: Mapping[str, Rerender] | None = None
) -> BenchReport:
    """Build the report of ``run``.

    ``answers`` is ``recorded`` or ``documented`` (parse the judges' texts again). ``shipped`` maps the SHA-256 of
    prompts that can be rendered again to their renderer. Raises ``InputError`` for records that contradict each other
    and for request hashes that do not hold.
    """
    requests = check_requests(run.judge_records, shipped or {})
    records, reading = reread_answers(run.judge_records, answers)
    run = replace(run, judge_records=records)
    facts = trace_facts(run.predictions)
    scored = _Scored(run, facts)
    tested = scored.in_table_order()
    if not tested:
        raise InputError("the recorded run has no scores on a test split", slug="recorded_run")
    detectors = _detector_reports(run, scored, tested)
    data = facts_of(run.info)
    lodo = _lodo(scored, tested)
    compared = {name: rows for name, rows in tested.items() if name not in BASELINES}
    asked = {**scored.judges, **scored.ablations}
    return BenchReport(
        dataset=_dataset_summary(run, facts),
        recorded_run=_run_summary(run),
        detectors=detectors,
        judge_coverage_note=_coverage_note(scored, facts),
        recall_by_kind={name: recall_by_kind(rows) for name, rows in compared.items()},
        evidence_breakdown={name: _by_evidence(rows) for name, rows in compared.items()},
        lodo=lodo,
        leakage_test_auroc=data.leakage.get(TEXT_ONLY),
        ablation=_ablation(run, scored),
        parse_error_rates={name: _parse_rates(asked[name]) for name in sorted(asked)},
        sent_to_judge_share=_sent_share(tested.get(CASCADE, [])),
        hypotheses=_hypotheses(scored, detectors, lodo),
        images=_images(run),
        run=run.run_fields,
        leakage_baselines=data.leakage,
        judge_order=list(scored.judges),
        best_judge=scored.best_judge,
        comparison=compare_detectors(tested, detectors),
        charts={name: _charts(rows) for name, rows in compared.items()},
        answers=reading,
        answer_parser=None if run.info.answer_parser is UNSET else run.info.answer_parser,
        requests=requests,
        repeats=measure_repeats(run),
    )


def _hypotheses(scored: _Scored, detectors: dict[str, DetectorReport], lodo: dict[str, DomainSlice]) -> Hypotheses:
    judges = sorted(scored.judges)
    return Hypotheses(
        h1=judge_h1(detectors),
        h2=judge_h2({name: detectors[name] for name in judges if name in detectors}),
        h3=judge_h3({domain: (found.lodo_auroc, found.shipped_auroc) for domain, found in lodo.items()}),
        h4=judge_h4({name: scored.judges[name] for name in judges}),
    )


def _best_judge(judges: dict[str, Rows]) -> str | None:
    ranked: list[tuple[float, float, str]] = []
    for name, rows in judges.items():
        train = of_split(rows, "train")
        area = auroc_of(train)
        brier = brier_score([row.p_cal for row in train], [not row.facts.is_failure for row in train]) if train else 1.0
        ranked.append((-area if area is not None else 1.0, brier, name))
    return min(ranked)[2] if ranked else None


def _detector_reports(run: RecordedRun, scored: _Scored, tested: dict[str, Rows]) -> dict[str, DetectorReport]:
    walls: dict[str, float | None] = {}
    for name in tested:
        if name in scored.judges:
            walls[name] = _judge_wall(run, name)
        elif name == CASCADE and scored.best_judge:
            share, judge = _sent_share(tested[CASCADE]), _judge_wall(run, scored.best_judge)
            rules = mean_latency(tested.get(RULES, []))
            walls[name] = None if share is None or judge is None or rules is None else rules + share * judge
        else:
            walls[name] = mean_latency(tested[name])
    return {name: measure_detector(rows, walls[name]) for name, rows in tested.items()}


def _judge_wall(run: RecordedRun, judge: str) -> float | None:
    seconds = (run.info.judge_wall_clock_s or {}).get(judge)
    calls = sum(record.detector == judge and not record.cached for record in run.judge_records)
    return seconds / calls * 1000 if seconds is not None and calls else None


def _dataset_summary(run: RecordedRun, facts: dict[str, TraceFacts]) -> DatasetSummary:
    data = facts_of(run.info)
    every = list(facts.values())
    return DatasetSummary(
        n_total=len(every),
        n_train=sum(label.split == "train" for label in every),
        n_test=sum(label.split == "test" for label in every),
        n_false_total=sum(label.is_failure for label in every),
        n_false_test=sum(label.is_failure and label.split == "test" for label in every),
        n_domains=len({label.domain for label in every}),
        n_false_kinds=len({label.injection for label in every if label.is_failure}),
        seed=data.seed,
        test_sha256_short=run.info.dataset_sha256[:12] if run.info.dataset_sha256 else None,
        licence=data.licence,
    )


def _run_summary(run: RecordedRun) -> RunSummary:
    info = run.info
    return RunSummary(
        command=info.command,
        date=info.date,
        hardware=info.hardware,
        concurrency=info.concurrency,
        judge_calls=len(run.judge_records),
        total_spend_usd=info.total_spend_usd,
        judges=sorted(info.judges or [], key=lambda judge: str(judge.get("id"))),
    )


def _coverage_note(scored: _Scored, facts: dict[str, TraceFacts]) -> str | None:
    n_test = sum(label.split == "test" for label in facts.values())
    partial = {name: len(of_split(rows, "test")) for name, rows in scored.judges.items()}
    gaps = [f"{name} {count} of {n_test}" for name, count in sorted(partial.items()) if count < n_test]
    return (
        f"Test traces scored: {'; '.join(gaps)}. Such a judge's figures are over those traces only." if gaps else None
    )


def _by_evidence(rows: Rows) -> dict[str, EvidenceSlice]:
    slices: dict[str, EvidenceSlice] = {}
    for evidence in sorted({row.facts.evidence for row in rows}):
        part = [row for row in rows if row.facts.evidence == evidence]
        slices[evidence] = EvidenceSlice(n=len(part), auroc=interval_of(part), missed=decisions_of(part).missed)
    return slices


def _lodo(scored: _Scored, tested: dict[str, Rows]) -> dict[str, DomainSlice]:
    found: dict[str, DomainSlice] = {}
    for domain, rows in scored.lodo.items():
        unseen = of_split(rows, "test")
        if not unseen:
            continue
        shipped = [row for row in tested.get(CLASSIFIER, []) if row.facts.domain == domain]
        found[domain] = DomainSlice(
            n=len(unseen),
            lodo_auroc=interval_of(unseen),
            lodo_ece=expected_calibration_error(
                [row.p_cal for row in unseen], [not row.facts.is_failure for row in unseen]
            ),
            shipped_auroc=interval_of(shipped),
        )
    return found


def _ablation(run: RecordedRun, scored: _Scored) -> dict[str, Any] | None:
    if not scored.ablations:
        return None
    model = next(record.model for record in run.judge_records if record.is_ablation)
    prompts: dict[str, Any] = {"model": model}
    for record in run.judge_records:
        if record.model != model or record.prompt_name in prompts:
            continue
        rows = of_split((scored.judges | scored.ablations)[record.detector], "test")
        if rows:
            prompts[record.prompt_name] = _prompt_report(rows)
    return prompts


def _prompt_report(rows: Rows) -> PromptReport:
    figures = measure_detector(rows, None)
    return PromptReport(
        auroc=figures.auroc,
        ece_calibrated=figures.ece_calibrated,
        coverage=figures.decisions.coverage,
        caught=figures.decisions.caught,
        missed=figures.decisions.missed,
        n_failure=figures.decisions.n_failure,
        usd_per_1k=figures.usd_per_1k,
    )


def _parse_rates(rows: Rows) -> ParseRates:
    test = of_split(rows, "test")

    def unread(part: Rows) -> int:
        return sum(row.abstain and row.abstain_reason == "parse_error" for row in part)

    def silent(part: Rows) -> int:
        return sum(row.abstain for row in part)

    return ParseRates(
        parse_error_rate=unread(test) / len(test) if test else 0.0,
        abstain_rate=silent(test) / len(test) if test else 0.0,
        parse_errors_all=unread(rows),
        abstained_all=silent(rows),
        calls_all=len(rows),
    )


def _sent_share(cascade: Rows) -> float | None:
    return sum(row.went_to_judge for row in cascade) / len(cascade) if cascade else None


def _images(run: RecordedRun) -> dict[str, str]:
    place = f"results/{run.info.run_name or run.directory.name}"
    return {name: f"{place}/{name.replace('_', '-')}.svg" for name in ("reliability", "histogram", "risk_coverage")}


def _charts(rows: Rows) -> Charts:
    won = [not row.facts.is_failure for row in rows]
    calibrated = [row.p_cal for row in rows]
    counts = {True: [0] * BINS, False: [0] * BINS}
    for row in rows:
        counts[row.facts.is_failure][bin_of(row.p_cal)] += 1
    return Charts(
        reliability_raw=reliability_bins([row.p_raw for row in rows], won),
        reliability_calibrated=reliability_bins(calibrated, won),
        histogram_success=counts[False],
        histogram_failure=counts[True],
        risk_coverage=risk_coverage(calibrated, won, [row.abstain for row in rows]),
    )
