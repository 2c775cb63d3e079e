"""``check``: read traces, check their claims, write the results, leave with the gate's exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from agent_claimcheck.cli import completing, options
from agent_claimcheck.cli.check_plan import PRINTED_FORMATS, CheckPlan, plan_of
from agent_claimcheck.cli.console import Progress, note, stdout_destination
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.live_probes import open_session, say_readings
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.cli.part_run import note_builtin_calibrators
from agent_claimcheck.cli.sectioned_help import SectionedCommand
from agent_claimcheck.pipeline.catalog import CHECKS
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.group_stage import GroupStage
from agent_claimcheck.pipeline.sources import ProbeSource, read_sources
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import (
    ExitDecision,
    Summary,
    exit_decision,
    headline,
    last_line,
    still_accused_lines,
)
from agent_claimcheck.results.suppress import apply as suppress
from agent_claimcheck.results.writers.output import OpenOutput, open_writer
from agent_claimcheck.trace.model import Trace, TraceProblem

_SECTIONS = {
    "Reading": ("--from", "--infer-status", "--subagents", "--report", "--strict"),
    "Checking": ("--detector", "--rules", "--probes", "--probes-from", "--calibration", "--with", "--group"),
    "Results": ("--format", "--out", "-o"),
    "What fails": (
        "--fail-on", "--baseline", "--suppressions", "--require-claims", "--min-checked", "--accept",
    ),
    "Many traces": ("--jobs", "--job", "--engine", "--address"),
    "Detectors that ask a model": (
        "--prompt", "--max-usd", "--price-in", "--price-out", "--no-cache", "--concurrency", "--samples", "--dry-run",
        "--record", "--replay",
    ),
}  # fmt: skip


@click.command(cls=SectionedCommand, sections=_SECTIONS)
@options.inputs
@options.config
@options.probes
@options.probes_from
@options.detector
@options.calibration
@options.rules
@click.option("--out", metavar="PATH", help="Also write the results as JSON Lines (v1).")
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(PRINTED_FORMATS)),
    default="table",
    help="What to print (default: table).",
)
@click.option(
    "-o",
    "outputs",
    multiple=True,
    metavar="FORMAT=PATH",
    shell_complete=completing.outputs,
    help="Further outputs: html, jsonl (v2), jsonl-v1, json, junit, markdown, parquet, sarif, table; - as PATH is standard output; "
    "github needs no path (repeatable).",
)
@click.option(
    "--fail-on",
    metavar="LIST",
    help="Verdicts or finding ids, with commas between them, that exit with 1, or `never` (default: false_success).",
)
@click.option("--require-claims", is_flag=True, default=None, help="Fail when no trace claims anything.")
@click.option(
    "--min-checked",
    type=options.SHARE,
    metavar="SHARE",
    help="Fail when a smaller share (0 to 1) of the claiming traces was decided.",
)
@click.option(
    "--suppressions",
    type=LocalPath(path_type=Path),
    metavar="PATH",
    help="Findings that are known and accepted, TOML; they accuse no more.",
)
@click.option(
    "--group", type=click.Choice(["task"]), help="Also compare the runs of each task; results come after all are read."
)
@click.option(
    "--accept",
    type=click.Choice(["corroborated"]),
    multiple=True,
    help="With --group: records that count as verified.",
)
@options.judge
@options.parts
@click.option("--baseline", metavar="RESULTS", help="Fail only on what these earlier results lack.")
@options.strict
@click.option(
    "--with",
    "with_checks",
    metavar="LIST",
    help=f"Conduct checks whose reports join each result: {', '.join(CHECKS)}.",
)
@options.reading
def check(**flags: Any) -> None:
    """Check the claims of agent runs against what tools and environment returned.

    INPUT is a file, a directory, a glob, `-`, or a packaged name such as example:mixed. Exit codes: 0 when no result
    matches --fail-on, 1 when one does, 2 on usage errors or invalid input.
    """
    plan = plan_of(flags)
    summary = Summary()
    if flags["dry_run"]:
        finish(_say_estimate(plan, summary))
    with ExitStack() as stack:
        session = open_session(plan.probes_from, plan.spec.case, stack)
        writers = _open_all(plan, stack)
        for writer in writers:
            writer.begin()
        if plan.in_parts.is_wanted:
            _stream_parts(plan, summary, writers)
        else:
            _stream(plan, ProbeSource(plan.probes, session), summary, writers, stack)
        say_readings(session)
        decision = exit_decision(summary, plan.policy, plan.baseline.fresh if plan.baseline else None)
        # Files first: the last line on the screen must not promise an exit code that a full disk then changes.
        for writer in (*writers[1:], writers[0]):
            writer.end(summary, decision)
    if plan.baseline is not None and (warning := plan.baseline.warning()):
        note(warning)
    _say_end(plan, summary, decision)
    finish(decision.code)


def _say_estimate(plan: CheckPlan, summary: Summary) -> int:
    from agent_claimcheck.cli.judge_estimate import say_estimate

    say_estimate(Checker(spec=plan.spec), _traces(plan, ProbeSource(plan.probes), summary))
    return USAGE if summary.problems else OK


def _open_all(plan: CheckPlan, stack: ExitStack) -> list[OpenOutput]:
    destination = stdout_destination()
    if plan.baseline is not None:
        destination = replace(destination, is_known=plan.baseline.is_known)
    job_summary = os.environ.get("GITHUB_STEP_SUMMARY")
    return [
        stack.enter_context(open_writer(spec, destination, job_summary=Path(job_summary) if job_summary else None))
        for spec in plan.outputs
    ]


def _stream(
    plan: CheckPlan, probes: ProbeSource, summary: Summary, writers: list[OpenOutput], stack: ExitStack
) -> None:
    checker = stack.enter_context(Checker(spec=plan.spec))
    for said in checker.notes:
        note(f"note: {said}")
    today = date.today()
    progress = Progress(is_shown=not sys.stdout.isatty())
    stage = stack.enter_context(GroupStage(plan.accept, checker.thresholds)) if plan.is_grouped else None
    for trace, checked in checker.check_pairs(_traces(plan, probes, summary), _say_waiting):
        result = suppress(checked, plan.suppressions, today) if plan.suppressions else checked
        if stage is not None:
            stage.add(trace, result)
        else:
            _emit(plan, result, summary, writers, trace)
        progress.step()
    progress.done()
    if stage is not None:
        for result in stage.results():
            _emit(plan, result, summary, writers)
        note(stage.summary())
    if checker.used_builtin_calibrators:
        note_builtin_calibrators(plan.inputs)
    for warning in (*probes.warnings(), *probes.warn_of_unread(plan.spec.packs)):
        note(warning)


def _stream_parts(plan: CheckPlan, summary: Summary, writers: list[OpenOutput]) -> None:
    from agent_claimcheck.cli.part_run import stream_parts
    from agent_claimcheck.pipeline.runner.collect import Collector
    from agent_claimcheck.pipeline.runner.work import PartWork

    work = PartWork(
        spec=plan.spec,
        reading=plan.reading,
        probes=plan.probes,
        suppressions=plan.suppressions,
        today=date.today(),
        has_v1=any(writer.line_format == "v1" for writer in writers),
    )
    on_result = plan.baseline.add if plan.baseline is not None else None
    collector = Collector(writers, summary, is_strict=plan.reading.strict, on_result=on_result)
    for item in stream_parts(plan.inputs, work, plan.in_parts, collector):
        if isinstance(item, TraceProblem):
            plan.problem_notes.tell(item)
        else:
            plan.import_notes.tell(item)
    plan.problem_notes.end()


def _say_waiting() -> None:
    note("stopping: waiting for the calls under way, because they are paid for; Ctrl-C again leaves at once")


def _traces(plan: CheckPlan, probes: ProbeSource, summary: Summary) -> Iterator[Trace]:
    """Yield the traces; what was wrong or lost is told and counted on the way."""
    for item in probes.joined(read_sources(plan.inputs, plan.reading)):
        if isinstance(item, Trace):
            yield item
        elif isinstance(item, TraceProblem):
            plan.problem_notes.tell(item)
            if item.severity == "error":
                summary.add_problems()
        else:
            plan.import_notes.tell(item)
    plan.problem_notes.end()


def _emit(
    plan: CheckPlan, result: CheckResult, summary: Summary, writers: list[OpenOutput], trace: Trace | None = None
) -> None:
    summary.add(result)
    if plan.baseline is not None:
        plan.baseline.add(result)
    for writer in writers:
        writer.write(result, trace)


_MOST_REFUSALS = 3


def _say_end(plan: CheckPlan, summary: Summary, decision: ExitDecision) -> None:
    plan.import_notes.end()
    for refusal, count in summary.refusals.most_common(_MOST_REFUSALS):
        note(
            f"warning: the judge's server refused the request about {count} trace{'s' if count > 1 else ''} ({refusal})"
        )
    for line in still_accused_lines(summary):
        note(f"note: {line}")
    if not plan.is_table:
        note(headline(summary))
        note(last_line(summary, decision))
