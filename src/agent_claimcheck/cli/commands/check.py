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
from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.cli import completing, options
from agent_claimcheck.cli.console import ImportNotes, Progress, note, stdout_destination
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.live_probes import open_session, say_readings
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.cli.output_places import among_inputs, refuse_clashes
from agent_claimcheck.cli.part_run import PartFlags, note_builtin_calibrators
from agent_claimcheck.cli.sectioned_help import SectionedCommand
from agent_claimcheck.cli.standard_input import refuse_shared
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.loopback import is_loopback_url
from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.evidence.findings.catalog import finding_ids
from agent_claimcheck.importers.contract import ImportOptions
from agent_claimcheck.pipeline.build import CheckerSpec, spec_from_settings
from agent_claimcheck.pipeline.catalog import CHECKS, PAID_DETECTORS
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.group_stage import GroupStage
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.sources import ProbeSource, SourceOptions, read_sources
from agent_claimcheck.results.baseline import Baseline
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import (
    ExitDecision,
    FailPolicy,
    Summary,
    exit_decision,
    headline,
    last_line,
    validate_fail_on,
)
from agent_claimcheck.results.suppress import Suppression, expired, load_suppressions
from agent_claimcheck.results.suppress import apply as suppress
from agent_claimcheck.results.writers.catalog import output_at, parse_output
from agent_claimcheck.results.writers.contract import OutputSpec
from agent_claimcheck.results.writers.output import OpenOutput, open_writer
from agent_claimcheck.trace.model import Trace, TraceProblem

_FORMATS = {"table": "table", "json": "json", "jsonl": "jsonl-v1"}

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
    "--format", "format_", type=click.Choice(list(_FORMATS)), default="table", help="What to print (default: table)."
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
    plan = _plan(flags)
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


class _Plan(Struct, frozen=True, kw_only=True):
    inputs: tuple[str, ...]
    spec: CheckerSpec
    policy: FailPolicy
    outputs: tuple[OutputSpec, ...]
    is_table: bool
    probes: Path | None
    probes_from: Path | None
    reading: SourceOptions
    import_notes: ImportNotes
    is_grouped: bool
    accept: frozenset[str]
    suppressions: tuple[Suppression, ...]
    in_parts: PartFlags
    baseline: Baseline | None


def _plan(flags: dict[str, Any]) -> _Plan:
    if flags["accept"] and flags["group"] is None:
        raise UsageError("--accept needs --group", hint="add --group task", slug="accept")
    refuse_shared(flags["inputs"], flags["probes"])
    settings = _settings(flags)
    fail_on = validate_fail_on(settings.check.fail_on, finding_ids())
    policy = FailPolicy(
        fail_on=fail_on, require_claims=settings.check.require_claims, min_checked=settings.check.min_checked
    )
    printed = OutputSpec(format=_FORMATS[flags["format_"]], path=None)
    out = [output_at("jsonl-v1", flags["out"])] if flags["out"] else []
    outputs = (printed, *out, *(parse_output(text) for text in flags["outputs"]))
    read = (flags[name] for name in ("probes", "probes_from", "baseline", "config"))
    refuse_clashes(outputs, (*flags["inputs"], *read, *flags["rules"]))
    for warning in among_inputs(outputs, flags["inputs"]):
        note(warning)
    spec = replace(
        spec_from_settings(settings, rules=list(flags["rules"])),
        judge=_judge_options(flags, settings),
        checks=_conduct_checks(flags["with_checks"]),
    )
    for line in spec.shadowed:
        note(f"note: {line}")
    _warn_without_key(settings, flags)
    return _Plan(
        inputs=tuple(flags["inputs"]),
        spec=spec,
        policy=policy,
        outputs=outputs,
        is_table=flags["format_"] == "table",
        probes=flags["probes"],
        probes_from=flags["probes_from"],
        reading=_reading(flags),
        import_notes=ImportNotes(is_full=flags["report"]),
        is_grouped=flags["group"] is not None,
        accept=frozenset(flags["accept"]),
        suppressions=_suppressions(settings),
        in_parts=PartFlags.of(flags),
        baseline=Baseline.load([flags["baseline"]]) if flags["baseline"] else None,
    )


def _conduct_checks(names: str | None) -> tuple[str, ...]:
    """Return the checks that ``--with`` names. Raises ``UsageError`` for a name that is none."""
    if names is None:
        return ()
    from agent_claimcheck.pipeline.catalog import select_checks

    chosen = tuple(name.strip() for name in names.split(",") if name.strip())
    select_checks(chosen)
    return chosen


def _reading(flags: dict[str, Any]) -> SourceOptions:
    importing = ImportOptions(infer_status=flags["infer_status"], subagents=flags["subagents"])
    return SourceOptions(strict=flags["strict"], format_name=flags["from_"], importing=importing)


def _suppressions(settings: Settings) -> tuple[Suppression, ...]:
    if not settings.check.suppressions:
        return ()
    loaded = load_suppressions(Path(settings.check.suppressions), finding_ids())
    for line in expired(loaded, date.today()):
        note(f"warning: {line}")
    return loaded


def _settings(flags: dict[str, Any]) -> Settings:
    overrides: dict[str, Any] = {}
    if flags["fail_on"] is not None:
        words = [word for word in flags["fail_on"].split(",") if word.strip()]
        overrides["check.fail_on"] = [] if [word.strip() for word in words] == ["never"] else words
    for flag, key in (
        ("detector", "check.detector"),
        ("calibration", "classifier.calibration"),
        ("require_claims", "check.require_claims"),
        ("min_checked", "check.min_checked"),
        *options.JUDGE_KEYS.items(),
    ):
        if flags[flag] is not None:
            overrides[key] = flags[flag]
    if flags["suppressions"] is not None:
        overrides["check.suppressions"] = str(flags["suppressions"])
    return load_settings(flags["config"], overrides, os.environ, Path.cwd())


def _judge_options(flags: dict[str, Any], settings: Settings) -> JudgeOptions:
    return JudgeOptions(
        settings=settings,
        samples=flags["samples"],
        use_cache=not flags["no_cache"],
        record=flags["record"],
        replay=flags["replay"],
        is_dry=flags["dry_run"],
    )


def _warn_without_key(settings: Settings, flags: dict[str, Any]) -> None:
    """Say that a judge was wanted and cannot be asked: a gate would else pass for want of a key."""
    if settings.check.detector not in PAID_DETECTORS or flags["dry_run"] or flags["replay"]:
        return
    judge = settings.judge
    if settings.api_key is None and not is_loopback_url(judge.base_url):
        note(f"warning: {judge.api_key_env} is not set, so the judge is asked nothing and only cached answers count")


def _say_estimate(plan: _Plan, summary: Summary) -> int:
    from agent_claimcheck.cli.judge_estimate import say_estimate

    say_estimate(Checker(spec=plan.spec), _traces(plan, ProbeSource(plan.probes), summary))
    return USAGE if summary.problems else OK


def _open_all(plan: _Plan, stack: ExitStack) -> list[OpenOutput]:
    destination = stdout_destination()
    if plan.baseline is not None:
        destination = replace(destination, is_known=plan.baseline.is_known)
    job_summary = os.environ.get("GITHUB_STEP_SUMMARY")
    return [
        stack.enter_context(open_writer(spec, destination, job_summary=Path(job_summary) if job_summary else None))
        for spec in plan.outputs
    ]


def _stream(plan: _Plan, probes: ProbeSource, summary: Summary, writers: list[OpenOutput], stack: ExitStack) -> None:
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


def _stream_parts(plan: _Plan, summary: Summary, writers: list[OpenOutput]) -> None:
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
            note(str(item))
        else:
            plan.import_notes.tell(item)


def _say_waiting() -> None:
    note("stopping: waiting for the calls under way, because they are paid for; Ctrl-C again leaves at once")


def _traces(plan: _Plan, probes: ProbeSource, summary: Summary) -> Iterator[Trace]:
    """Yield the traces; what was wrong or lost is told and counted on the way."""
    for item in probes.joined(read_sources(plan.inputs, plan.reading)):
        if isinstance(item, Trace):
            yield item
        elif isinstance(item, TraceProblem):
            note(str(item))
            if item.severity == "error":
                summary.add_problems()
        else:
            plan.import_notes.tell(item)


def _emit(
    plan: _Plan, result: CheckResult, summary: Summary, writers: list[OpenOutput], trace: Trace | None = None
) -> None:
    summary.add(result)
    if plan.baseline is not None:
        plan.baseline.add(result)
    for writer in writers:
        writer.write(result, trace)


_MOST_REFUSALS = 3


def _say_end(plan: _Plan, summary: Summary, decision: ExitDecision) -> None:
    plan.import_notes.end()
    for refusal, count in summary.refusals.most_common(_MOST_REFUSALS):
        note(
            f"warning: the judge's server refused the request about {count} trace{'s' if count > 1 else ''} ({refusal})"
        )
    if not plan.is_table:
        note(headline(summary))
        note(last_line(summary, decision))
