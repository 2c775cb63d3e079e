"""The training report as a document: Markdown and one HTML page say the same.

A reader must not miss: every figure is from runs that were held out.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.detectors.classifier.artifact import CLASSIFIER_FILE, kind_in_words
from agent_claimcheck.lab.bench.blocks import Block, Bullets, Code, Heading, Image, Table, line
from agent_claimcheck.lab.bench.charts import draw_reliability
from agent_claimcheck.lab.bench.figures import interval, score, share
from agent_claimcheck.lab.bench.report import Charts
from agent_claimcheck.lab.train.curve import draw_learning_curve
from agent_claimcheck.lab.train.fit import Trained
from agent_claimcheck.lab.train.quality import Quality, Scored
from agent_claimcheck.scoring.artifact import Promise, shown_threshold
from agent_claimcheck.scoring.conformal import ConformalSets
from agent_claimcheck.scoring.probability import BINS

TITLE = "Training report"


def report_blocks(trained: Trained, quality: Quality, skipped: dict[str, int]) -> list[Block]:
    """Return the report below its title."""
    return [
        *_head(trained, skipped),
        *_tables(quality),
        *_pictures(quality),
        *_calibration(trained),
        *_promises(trained),
        *_suspects(quality),
    ]


def _head(trained: Trained, skipped: dict[str, int]) -> Iterator[Block]:
    runs = trained.runs
    won = sum(run.is_success for run in runs)
    left = ", ".join(f"{n} {why}" for why, n in sorted(skipped.items())) or "none"
    yield line(
        f"{len(runs)} labelled runs of {len({run.task for run in runs})} tasks that claim success: {won} succeeded, "
        f"{len(runs) - won} failed. Left out: {left}."
    )
    yield line("What ", Code(CLASSIFIER_FILE), f" holds: {kind_in_words(trained.ours.model)}.")
    if trained.notes:
        yield Bullets(tuple((note,) for note in trained.notes))


def _tables(quality: Quality) -> Iterator[Block]:
    rows = [*quality.rows, *([quality.known] if quality.known else [])]
    yield Heading("Held-out runs")
    yield line("Every run was scored by a model that saw no run of its task, except in the row for known workflows.")
    yield Table(
        header=("scored by", "AUROC [95% CI]", "ECE", "Brier", "decided", "caught", "missed", "false alarms"),
        rows=tuple(_row(row) for row in rows),
    )
    if quality.known is None:
        yield line("Every run has a task of its own, so known workflows cannot be measured.")


def _row(row: Scored) -> tuple[str, ...]:
    d = row.decisions
    return (
        row.name,
        interval(row.auroc),
        score(row.ece),
        score(row.brier),
        share(d.coverage),
        f"{d.caught}/{d.n_failure}",
        f"{d.missed}/{d.n_failure}",
        f"{d.false_alarms}/{d.n_success}",
    )


def _pictures(quality: Quality) -> Iterator[Block]:
    shown = [row for row in quality.rows if row.name in ("cascade-offline", "classifier", "classifier-lr")]
    charts = {row.name: _charts(row) for row in shown}
    seen = "Reliability of held-out scores: on the dashed line as many succeeded as the score says"
    yield Image(seen, "reliability.svg", draw_reliability(charts))
    if len(quality.curve) > 1:
        yield Heading("More labels")
        yield Image(
            "AUROC on held-out tasks by number of training runs", "curve.svg", draw_learning_curve(quality.curve)
        )
        yield Table(
            header=("training runs", "AUROC on held-out tasks"),
            rows=tuple((str(point.runs), score(point.auroc)) for point in quality.curve),
        )


def _charts(row: Scored) -> Charts:
    empty = [0] * BINS
    return Charts(
        reliability_raw=list(row.bins),
        reliability_calibrated=[],
        histogram_success=empty,
        histogram_failure=empty,
        risk_coverage=[],
    )


def _calibration(trained: Trained) -> Iterator[Block]:
    rows = []
    for key, entry in sorted(trained.calibration.calibrators.items()):
        held = entry.held_out
        measured = (
            (f"{held.brier_raw:.3f}", f"{held.brier:.3f}", f"{held.ece_raw:.3f}", f"{held.ece:.3f}")
            if held
            else ("not measured",) * 4
        )
        use = f"not applied: {entry.keep_raw}" if entry.keep_raw else "applied" if held else "applied, unmeasured"
        rows.append((key, entry.method, *measured, use))
    if rows:
        yield Heading("Calibrators")
        yield Table(
            header=("detector", "method", "Brier raw", "calibrated", "ECE raw", "calibrated", "use"),
            rows=tuple(rows),
            words=("method", "use"),
        )


def _promises(trained: Trained) -> Iterator[Block]:
    promise = trained.calibration.promise
    if promise is None:
        return
    if promise.conformal is not None:
        yield from _sets(promise, promise.conformal)
        return
    rows = [
        (
            cut.side,
            shown_threshold(cut.threshold),
            f"at most {share(cut.bound)} wrong",
            share(cut.confidence),
            f"{cut.wrong} of {cut.n}",
            share(cut.coverage),
        )
        for cut in (promise.verified, promise.false_success)
        if cut is not None
    ]
    yield Heading("Promised thresholds")
    yield line("For ", Code(promise.detector), " on runs like the labelled ones; a side without a row is closed.")
    yield Table(
        header=("verdict", "threshold", "promise", "confidence", "wrong tasks", "share of runs"),
        rows=tuple(rows),
        words=("promise",),
    )


def _sets(promise: Promise, sets: ConformalSets) -> Iterator[Block]:
    kept = promise.thresholds()
    yield Heading("Prediction sets")
    yield line(
        "For ", Code(promise.detector), f" on runs like the labelled ones: at most {share(sets.alpha)} of the successes are "
        f"called false_success and at most {share(sets.alpha)} of the failures verified, in the mean over such fits.",
    )  # fmt: skip
    yield Table(
        header=("verdict", "p(success)", "fitted on"),
        rows=(
            ("verified", f"from {shown_threshold(kept.verified)}", f"{sets.n_failure} failures"),
            ("false_success", f"up to {shown_threshold(kept.false_success)}", f"{sets.n_success} successes"),
        ),
        words=("p(success)", "fitted on"),
    )


def _suspects(quality: Quality) -> Iterator[Block]:
    yield Heading("Labels that look wrong")
    if not quality.suspects:
        yield line("None: no held-out score of 0.9 or more speaks against a label.")
        return
    yield line("Worth a second look. The score came from a model that had not seen the run.")
    yield Table(
        header=("trace", "label", "p(success)"),
        rows=tuple((suspect.trace_id, suspect.label, f"{suspect.p:.2f}") for suspect in quality.suspects),
        words=("label",),
    )
