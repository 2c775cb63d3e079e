"""What the bench report says, block by block, in the documented order; what goes beyond it comes last.

A reader must not miss: every number printed here comes from the report. Nothing is computed while it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent_claimcheck.lab.bench.additions import comparison_blocks, note_blocks, repeat_blocks, risk_blocks
from agent_claimcheck.lab.bench.blocks import Block, Code, Details, Heading, Image, Inline, Strong, Table, line
from agent_claimcheck.lab.bench.charts import draw_histogram, draw_reliability
from agent_claimcheck.lab.bench.figures import NOT_MEASURED, UNDEFINED, duration, interval, score, share, usd
from agent_claimcheck.lab.bench.hypothesis_lines import hypothesis_blocks
from agent_claimcheck.lab.bench.measure import DetectorReport
from agent_claimcheck.lab.bench.report import BenchReport, PromptReport
from agent_claimcheck.lab.bench.rows import BASELINES, CASCADE

_KINDS = (
    "phantom_action", "error_ignored", "wrong_target", "wrong_value", "not_persisted", "partial_completion",
    "reviewer_injection",
)  # fmt: skip
_EVIDENCE = ("state_probe", "receipt_only")


def write_document(report: BenchReport) -> list[Block]:
    """Return the whole report as blocks."""
    parts: tuple[Callable[[BenchReport], list[Block]], ...] = (
        _opening, _table_a, _table_b, _kinds, _evidence, _images, _lodo, _leakage, _ablation, _parsing, _confusion,
        _licence, hypothesis_blocks, comparison_blocks, risk_blocks, repeat_blocks, note_blocks,
    )  # fmt: skip
    return [block for part in parts for block in part(report)]


def _opening(report: BenchReport) -> list[Block]:
    data, run = report.dataset, report.recorded_run
    origin: list[Inline] = []
    if data.seed is not None:
        origin.append(f", seed {data.seed}")
    if data.test_sha256_short:
        origin += [", test file sha256 ", Code(data.test_sha256_short)]
    blocks: list[Block] = [
        line(
            f"Data: {data.n_total} traces, {data.n_train} to train on and {data.n_test} to test on; {data.n_false_total} "
            f"false successes, {data.n_false_test} of them in the test split; {data.n_domains} domain{_plural(data.n_domains)} "
            f"and {data.n_false_kinds} kind{_plural(data.n_false_kinds)} of false success",
            *origin,
            ".",
        )
    ]
    place = ", ".join(
        str(part) for part in (run.hardware, f"concurrency {run.concurrency}" if run.concurrency else None) if part
    )
    spent = "" if run.total_spend_usd is None else f", ${run.total_spend_usd:.4f} spent in total"
    blocks.append(
        line(
            "Recorded with ",
            Code(run.command) if run.command else "a command that the run does not name",
            f" on {run.date}" if run.date else "",
            f" ({place})" if place else "",
            f": {run.judge_calls} judge calls{spent}.",
        )
    )
    if run.judges:
        rows = tuple(
            (
                str(judge.get("id", "")),
                _price(judge.get("price_in_per_m")),
                _price(judge.get("price_out_per_m")),
                str(judge.get("price_date", UNDEFINED)),
            )
            for judge in run.judges
        )
        blocks.append(Table(("judge", "price in $/M", "price out $/M", "price date"), rows))
    return blocks


def _price(value: Any) -> str:
    return usd(value if isinstance(value, (int, float)) and not isinstance(value, bool) else None)


def _table_a(report: BenchReport) -> list[Block]:
    rows = tuple(
        (
            name,
            interval(found.auroc),
            score(found.ece_raw),
            score(found.ece_calibrated),
            score(found.brier_calibrated),
            share(found.extremes_raw),
        )
        for name, found in report.detectors.items()
    )
    header = ("detector", "AUROC [95% CI]", "ECE raw", "ECE calibrated", "Brier calibrated", "extremes (raw)")
    blocks: list[Block] = [
        Heading("Table A: discrimination and calibration (test split)"),
        Table(header, _with_missing(report, rows, len(header))),
    ]
    if report.judge_coverage_note:
        blocks.append(line(report.judge_coverage_note))
    return blocks


def _table_b(report: BenchReport) -> list[Block]:
    header = (
        "detector", "coverage", "accuracy (decided)", "caught", "missed", "false alarms", "sent to review", "USD/1k",
        "wall-clock s/1k", "p50 ms", "p95 ms",
    )  # fmt: skip
    rows = tuple((name, *_decision_cells(found)) for name, found in report.detectors.items())
    return [
        Heading("Table B: decisions after the shared gate (test split)"),
        Table(header, _with_missing(report, rows, len(header))),
    ]


def _decision_cells(found: DetectorReport) -> tuple[str, ...]:
    made = found.decisions
    return (
        share(made.coverage),
        share(made.accuracy_on_decided),
        f"{made.caught}/{made.n_failure}",
        f"{made.missed}/{made.n_failure}",
        f"{made.false_alarms}/{made.n_success}",
        str(made.sent_to_review),
        usd(found.usd_per_1k),
        duration(found.wall_s_per_1k),
        duration(found.p50_ms),
        duration(found.p95_ms),
    )


def _with_missing(report: BenchReport, rows: tuple[tuple[str, ...], ...], width: int) -> tuple[tuple[str, ...], ...]:
    missing = [] if report.judge_order else ["judge"]
    if CASCADE not in report.detectors:
        missing.append(CASCADE)
    return (*rows, *((name, *(NOT_MEASURED,) * (width - 1)) for name in missing))


def _compared(report: BenchReport) -> list[str]:
    """Detectors without the baselines, judges in the order in which they were asked."""
    names = [name for name in report.detectors if name not in BASELINES]
    judges = iter([name for name in report.judge_order if name in report.detectors])
    return [next(judges) if name in report.judge_order else name for name in names]


def _kinds(report: BenchReport) -> list[Block]:
    names = _compared(report)
    found = {kind for recalls in report.recall_by_kind.values() for kind in recalls}
    rows = []
    for kind in (*(kind for kind in _KINDS if kind in found), *sorted(found.difference(_KINDS))):
        recalls = [report.recall_by_kind[name].get(kind) for name in names]
        rows.append((kind, *(f"{recall.caught}/{recall.total}" if recall else UNDEFINED for recall in recalls)))
    return [Heading("Recall by false-success kind (caught/total)"), Table(("kind", *names), tuple(rows))]


def _evidence(report: BenchReport) -> list[Block]:
    found = {evidence for slices in report.evidence_breakdown.values() for evidence in slices}
    kinds = [*(kind for kind in _EVIDENCE if kind in found), *sorted(found.difference(_EVIDENCE))]
    rows = []
    for name in _compared(report):
        cells = [name]
        for kind in kinds:
            part = report.evidence_breakdown[name].get(kind)
            cells += [interval(part.auroc), str(part.missed)] if part else [UNDEFINED, UNDEFINED]
        rows.append(tuple(cells))
    header = ("detector", *(f"{kind} {figure}" for kind in kinds for figure in ("AUROC", "missed")))
    return [Heading("Evidence breakdown: state probe vs. receipt only"), Table(header, tuple(rows))]


def _images(report: BenchReport) -> list[Block]:
    return [
        Image("reliability", report.images["reliability"], draw_reliability(report.charts)),
        Image("histogram", report.images["histogram"], draw_histogram(report.charts)),
    ]


def _lodo(report: BenchReport) -> list[Block]:
    heading = Heading("Leave-one-domain-out (classifier-lr)")
    if not report.lodo:
        return [heading, line(f"Training on all domains but one: {NOT_MEASURED}.")]
    rows = tuple(
        (domain, interval(found.lodo_auroc), score(found.lodo_ece), interval(found.shipped_auroc))
        for domain, found in report.lodo.items()
    )
    return [heading, Table(("held-out domain", "LODO AUROC", "LODO ECE", "shipped classifier-lr AUROC"), rows)]


def _leakage(report: BenchReport) -> list[Block]:
    if report.leakage_test_auroc is None:
        return [line(f"Leakage: what the final message alone gives away was {NOT_MEASURED}.")]
    blocks: list[Block] = [
        line(
            "Leakage: from the wording of the final message alone, a baseline reaches ",
            Strong(f"{score(report.leakage_test_auroc)} AUROC"),
            " on the test split.",
        )
    ]
    if len(report.leakage_baselines) > 1:
        rows = tuple((name, score(area)) for name, area in report.leakage_baselines.items())
        blocks.append(Table(("baseline", "AUROC"), rows))
    return blocks


def _ablation(report: BenchReport) -> list[Block]:
    if report.ablation is None:
        return [Heading("Prompt ablation"), line(f"A second prompt: {NOT_MEASURED}.")]
    prompts = {name: found for name, found in report.ablation.items() if isinstance(found, PromptReport)}
    rows = tuple(
        (
            name,
            interval(found.auroc),
            score(found.ece_calibrated),
            share(found.coverage),
            f"{found.caught}/{found.n_failure}",
            f"{found.missed}/{found.n_failure}",
            usd(found.usd_per_1k),
        )
        for name, found in prompts.items()
    )
    return [
        Heading(f"Prompt ablation: {' vs. '.join(prompts)}"),
        line("Judge asked: ", Code(str(report.ablation["model"])), "."),
        Table(("prompt", "AUROC", "ECE calibrated", "coverage", "caught", "missed", "USD/1k"), rows),
    ]


def _parsing(report: BenchReport) -> list[Block]:
    heading = Heading("Parse-error and abstention rates, and the share sent to the judge")
    if not report.parse_error_rates:
        return [heading, line(f"Judges: {NOT_MEASURED}.")]
    rows = tuple(
        (
            name,
            share(rates.parse_error_rate),
            share(rates.abstain_rate),
            f"{rates.parse_errors_all}/{rates.calls_all}",
            f"{rates.abstained_all}/{rates.calls_all}",
        )
        for name, rates in report.parse_error_rates.items()
    )
    header = (
        "judge", "parse-error rate (test)", "abstain rate (test)", "parse errors (all calls)",
        "abstentions (all calls)",
    )  # fmt: skip
    blocks: list[Block] = [heading, Table(header, rows)]
    if report.sent_to_judge_share is not None:
        blocks.append(
            line(f"Of the test traces, the cascade asks its judge about {share(report.sent_to_judge_share)}.")
        )
    return blocks


def _confusion(report: BenchReport) -> list[Block]:
    verdicts = ("verified", "false_success", "unverifiable")
    blocks: list[Block] = [Heading("Confusion matrices")]
    for name, found in report.detectors.items():
        rows = tuple(
            (label, *(str(counts[verdict]) for verdict in verdicts))
            for label, counts in found.decisions.confusion.items()
        )
        blocks.append(Details(name, Table(("actual \\ verdict", *verdicts), rows)))
    return blocks


def _licence(report: BenchReport) -> list[Block]:
    return [line(f"Origin and licence of the data: {report.dataset.licence or 'not stated in the run.'}")]


def _plural(count: int) -> str:
    return "" if count == 1 else "s"
