"""What the report adds to the documented tables: which differences hold, risk against coverage, and notes.

A reader must not miss: sentences here state only what an interval supports. Two detectors whose intervals overlap are
called level.
"""

from __future__ import annotations

from agent_claimcheck.lab.bench.blocks import Block, Bullets, Heading, Image, Line, Table, line
from agent_claimcheck.lab.bench.charts import draw_risk_coverage
from agent_claimcheck.lab.bench.figures import UNDEFINED, counted, score, share, signed_interval, usd
from agent_claimcheck.lab.bench.report import BenchReport
from agent_claimcheck.scoring.risk import area_under_risk, risk_at

_COVERAGES = (0.5, 0.7, 0.9, 1.0)


def comparison_blocks(report: BenchReport) -> list[Block]:
    """Return what can be told apart, mistakes with their intervals, and costlier detectors that miss more."""
    found = report.comparison
    if found.top is None:
        return []
    rows = tuple(
        (
            name,
            "highest" if name == found.top else signed_interval(standing.auroc_behind_top),
            counted(
                standing.missed, report.detectors[name].decisions.missed, report.detectors[name].decisions.n_failure
            ),
            counted(
                standing.false_alarms,
                report.detectors[name].decisions.false_alarms,
                report.detectors[name].decisions.n_success,
            ),
        )
        for name, standing in found.standings.items()
    )
    header = ("detector", "AUROC minus the highest [95% CI]", "missed [95% CI]", "false alarms [95% CI]")
    return [
        Heading("What the differences are worth"),
        line(_ranking_sentence(report)),
        Table(header, rows),
        *_costlier_blocks(report),
    ]


def _ranking_sentence(report: BenchReport) -> str:
    found = report.comparison
    if found.winner:
        return f"{found.winner} has the highest AUROC, and its interval overlaps no other detector's."
    if not found.level_with_top:
        return f"{found.top} is the only detector measured."
    return (
        f"No winner by AUROC: the highest value is that of {found.top}, and its interval overlaps those of "
        f"{', '.join(found.level_with_top)}."
    )


def _costlier_blocks(report: BenchReport) -> list[Block]:
    pairs = report.comparison.costlier_misses_more
    if not pairs:
        return []
    rows: list[tuple[str, ...]] = []
    for costlier in dict.fromkeys(pair.costlier for pair in pairs):
        beaten_by = sorted((pair for pair in pairs if pair.costlier == costlier), key=lambda pair: pair.missed_cheaper)
        best = beaten_by[0]
        rows.append(
            (
                f"{costlier} ({usd(best.usd_per_1k_costlier)})",
                f"{best.missed_costlier}/{best.n_failure}",
                ", ".join(
                    f"{p.cheaper} {p.missed_cheaper}/{p.n_failure} ({usd(p.usd_per_1k_cheaper)})" for p in beaten_by
                ),
                f"{signed_interval(best.difference)} to {best.cheaper}",
            )
        )
    header = ("costs more (USD/1k)", "and misses more", "than", "difference in missed share [95% CI]")
    return [
        line("Paying more did not always find more: these detectors cost more than others that miss fewer."),
        Table(header, tuple(rows), words=("than",)),
        line("A difference whose interval holds zero does not tell the two apart."),
    ]


def risk_blocks(report: BenchReport) -> list[Block]:
    """Return risk at fixed coverages and its picture. Abstentions are the last to be kept."""
    curves = {name: chart.risk_coverage for name, chart in report.charts.items() if chart.risk_coverage}
    if not curves:
        return []
    rows = tuple(
        (name, *(share(risk_at(points, coverage)) for coverage in _COVERAGES), f"{area_under_risk(points):.3f}")
        for name, points in curves.items()
    )
    header = ("detector", *(f"at {share(coverage)}" for coverage in _COVERAGES), "area under the curve")
    return [
        Heading("Risk against coverage (test split)"),
        line("Share of runs called wrongly when only the surest are kept, cut at an even chance instead of the gate."),
        Table(header, rows),
        Image("risk against coverage", report.images["risk_coverage"], draw_risk_coverage(report.charts)),
    ]


def repeat_blocks(report: BenchReport) -> list[Block]:
    """Return how much judges vary from call to call; nothing where none was asked twice."""
    if not report.repeats:
        return []
    rows = tuple(
        (
            name,
            str(found.asked),
            str(found.n_traces),
            score(found.mean_sd),
            score(found.largest_sd),
            str(found.flipped),
            str(found.unread),
        )
        for name, found in report.repeats.items()
    )
    header = ("judge", "asked", "traces", "mean sd of p", "largest sd", "verdict not always the same", "unread answers")
    return [Heading("Run-to-run variance: the same question asked again"), Table(header, rows)]


def note_blocks(report: BenchReport) -> list[Block]:
    """Return how answers were read and which requests could be rendered again; nothing without judges."""
    if not report.judge_order:
        return []
    return [
        Heading("Notes on the replay"),
        Bullets((_requests_note(report), _answers_note(report), _judge_note(report))),
    ]


def _requests_note(report: BenchReport) -> Line:
    checked = report.requests
    parts: list[str] = []
    if checked.verified:
        parts.append(f"{checked.verified} rendered again with an equal hash")
    if checked.foreign:
        parts.append(
            f"{checked.foreign} not re-rendered, their prompts are foreign ({', '.join(checked.foreign_prompts)})"
        )
    return (f"Judge requests: {'; '.join(parts) or UNDEFINED}.",)


def _answers_note(report: BenchReport) -> Line:
    read = report.answers
    parser = (
        f"the run names its parser as {report.answer_parser}" if report.answer_parser else "the run names no parser"
    )
    if read.mode == "recorded":
        return (f"Answers are taken as recorded; {parser}.",)
    return (
        f"Answers were parsed again from their text with the {read.mode} parser: {read.reread} texts, {read.changed} "
        f"read differently; {parser}.",
    )


def _judge_note(report: BenchReport) -> Line:
    return (f"The cascade uses {report.best_judge}, the best judge on the train split.",)
