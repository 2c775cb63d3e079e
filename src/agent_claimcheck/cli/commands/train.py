"""``train``: fit a classifier, calibrators and promised thresholds to labelled runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.core.errors import UsageError

if TYPE_CHECKING:
    from agent_claimcheck.lab.train.estimate import ModelKind
    from agent_claimcheck.lab.train.labelled import Labelled
    from agent_claimcheck.lab.train.plan import TrainPlan
    from agent_claimcheck.pipeline.build import CheckerSpec

_CALIBRATES = ("rules", "judge")
_KINDS: dict[str, ModelKind] = {"evidence": "blend", "evidence-and-text": "evidence_and_text"}


@click.command()
@click.argument("labelled", nargs=-1, metavar="LABELLED...")
@click.option("--out", type=LocalPath(path_type=Path), required=True, metavar="DIR", help="Directory to write to.")
@click.option("--calibrate", metavar="LIST", help="Also calibrate: rules, judge (comma-separated).")
@click.option(
    "--calibrator",
    type=click.Choice(["platt", "isotonic"]),
    default="platt",
    show_default=True,
    help="How to calibrate.",
)
@click.option("--calibrate-anyway", is_flag=True, help="Apply calibrators that make held-out scores worse, too.")
@click.option(
    "--bound",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Promise gate thresholds: at most this share of verified (and of false_success) is wrong.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="How sure the promise of --bound is.",
)
@click.option(
    "--sets",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="ERROR",
    help="Promise prediction sets instead: at most this share of the successes, and of the failures, gets the other verdict.",
)
@click.option(
    "--kind",
    type=click.Choice(list(_KINDS)),
    default="evidence",
    show_default=True,
    help="What the classifier looks at; with the text it learns the wording of your own agents.",
)
@click.option("--text", is_flag=True, help="Also fit the text model by itself, as a file of its own.")
@click.option("--shipped", is_flag=True, help="Rebuild the files that come with the package instead.")
@options.config
@options.rules
@options.strict
def train(**flags: Any) -> None:
    """Fit a classifier and calibrators to labelled runs and review files.

    LABELLED are traces with ground truth, in any supported format. Where a run comes more than once, the newest review
    by a person counts. Writes lr-v1.json, classifier-v1.json, calibration.json, report.md and report.html. Exit 2 when
    some of the input cannot be read; the files are made from the rest.
    """
    if flags["shipped"]:
        from agent_claimcheck.lab.train.shipped import build_shipped

        files, _ = build_shipped(flags["labelled"])
        _write(flags["out"], files)
        finish(OK)
    if not flags["labelled"]:
        raise UsageError("no labelled runs were named", hint="agent-claimcheck train LABELLED... --out DIR")
    _train(flags)


def _train(flags: dict[str, Any]) -> None:
    from agent_claimcheck.core.settings import load_settings
    from agent_claimcheck.lab.labels import NO_CLAIM, WHAT_CHECK_SAYS
    from agent_claimcheck.lab.train.fit import fit
    from agent_claimcheck.lab.train.labelled import read_labelled
    from agent_claimcheck.lab.train.outputs import training_files
    from agent_claimcheck.lab.train.quality import measure
    from agent_claimcheck.pipeline.build import spec_from_settings
    from agent_claimcheck.pipeline.sources import SourceOptions, read_sources

    settings = load_settings(flags["config"], {}, os.environ, Path.cwd())
    spec = spec_from_settings(settings, rules=list(flags["rules"]))
    plan = _plan(flags)
    reading = SourceOptions(strict=flags["strict"], keeps_repeats=True)
    labelled = read_labelled(read_sources(flags["labelled"], reading), spec.case)
    for problem in labelled.problems:
        note(str(problem))
    for why, n in sorted(labelled.skipped.items()):
        note(f"skipped: {n} {why}")
    if NO_CLAIM in labelled.skipped:
        note(f"note: {WHAT_CHECK_SAYS}")
    scores = _judge_scores(flags, labelled, spec) if "judge" in plan.calibrate else {}
    trained = fit(labelled, plan, scores)
    for said in trained.notes:
        note(f"note: {said}")
    quality = measure(trained, plan)
    _write(flags["out"], training_files(trained, quality, labelled.skipped))
    best = quality.rows[1]
    shown = f", AUROC {best.auroc.value:.3f} on held-out tasks" if best.auroc else ""
    click.echo(f"trained on {len(trained.runs)} runs{shown}; written to {flags['out']}")
    note(f"note: {_how_to_use(flags['out'])}")
    finish(USAGE if any(problem.severity == "error" for problem in labelled.problems) else OK)


def _how_to_use(out: Path) -> str:
    from agent_claimcheck.detectors.classifier.artifact import CLASSIFIER_FILE
    from agent_claimcheck.scoring.artifact import CALIBRATION_FILE

    keys = f'model = "{(out / CLASSIFIER_FILE).as_posix()}" and calibration = "{(out / CALIBRATION_FILE).as_posix()}"'
    return f"read {out / 'report.md'}; to check with these files, write {keys} under [classifier] in claimcheck.toml"


def _plan(flags: dict[str, Any]) -> TrainPlan:
    from agent_claimcheck.lab.train.plan import TrainPlan
    from agent_claimcheck.lab.train.wording import need_text_fitting

    wanted = tuple(word.strip() for word in (flags["calibrate"] or "").split(",") if word.strip())
    unknown = [word for word in wanted if word not in _CALIBRATES]
    if unknown:
        raise UsageError(f"--calibrate cannot calibrate {unknown[0]!r}", hint=f"known: {', '.join(_CALIBRATES)}")
    named = [Path(name).name if ":" not in name else name for name in flags["labelled"]]
    if flags["bound"] is not None and flags["sets"] is not None:
        raise UsageError("--bound and --sets both set the thresholds of the gate", hint="give one of them")
    kind = _KINDS[flags["kind"]]
    if flags["text"] or kind == "evidence_and_text":
        # Before the judge is paid.
        need_text_fitting()
    return TrainPlan(
        fitted_on=", ".join(named)[:200],
        calibrate=wanted,
        method=flags["calibrator"],
        is_forced=flags["calibrate_anyway"],
        model=kind,
        with_text=flags["text"],
        bound=flags["bound"],
        alpha=flags["sets"],
        confidence=flags["confidence"],
    )


def _judge_scores(flags: dict[str, Any], labelled: Labelled, spec: CheckerSpec) -> dict[str, list[float | None]]:
    from agent_claimcheck.lab.train.judged import judge_scores
    from agent_claimcheck.pipeline.sources import SourceOptions, read_sources

    return judge_scores(read_sources(flags["labelled"], SourceOptions(keeps_repeats=True)), labelled, spec)


def _write(out: Path, files: dict[str, bytes]) -> None:
    from agent_claimcheck.results.writers.output import write_whole

    out.mkdir(parents=True, exist_ok=True)
    there = [name for name in files if name.endswith(".json") and (out / name).exists()]
    if there:
        note(f"note: replacing what was in {out}: {', '.join(there)}")
    for name, data in files.items():
        # What is being used for checks must never be half a file, whatever ends this run.
        write_whole(out / name, data)
