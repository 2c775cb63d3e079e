"""``job``: how far a resumable run is, and its results so far."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import click

from agent_claimcheck.cli.console import ProblemNotes, note, note_import, stdout_destination
from agent_claimcheck.cli.exits import GATE, OK, finish
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.cli.output_places import refuse_shared_stdout
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.evidence.findings.catalog import finding_ids
from agent_claimcheck.results.summary import (
    FailPolicy,
    Summary,
    exit_decision,
    fail_on_words,
    headline,
    last_line,
    validate_fail_on,
)
from agent_claimcheck.results.writers.catalog import output_at, parse_output
from agent_claimcheck.results.writers.contract import OutputSpec
from agent_claimcheck.results.writers.output import open_writer
from agent_claimcheck.trace.model import TraceProblem

_DIRECTORY = LocalPath(path_type=Path, file_okay=False)
_FORMATS = {"table": "table", "json": "json", "jsonl": "jsonl-v1"}


@click.group()
def job() -> None:
    """Look into the directory of a `check --job` run."""


@job.command()
@click.argument("directory", type=_DIRECTORY, metavar="DIR")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="What to print (default: text)."
)
def status(directory: Path, format_: str) -> None:
    """Say how far a job is. Exit codes: 0 when all parts are done, 1 when some are open."""
    from agent_claimcheck.pipeline.runner.job import Job
    from agent_claimcheck.pipeline.runner.report import Counts
    from agent_claimcheck.results.encoding import encode

    found = Job(directory).status()
    if format_ == "json":
        fields = {name: getattr(found, name) for name in found.__struct_fields__ if name != "summary"}
        said = {**fields, "is_complete": found.is_complete, "counts": Counts.of(found.summary)}
        click.echo(encode(said).decode())
    else:
        state = "complete" if found.is_complete else "running" if found.is_running else "stopped"
        share = found.bytes_done / found.bytes if found.bytes else 1.0
        click.echo(
            f"{printable(str(directory))}: {state}, {found.parts_done} of {found.parts} parts, {share:.0%} of "
            f"{found.bytes / 1e6:.1f} MB in {found.files} file{'s' if found.files != 1 else ''}, "
            f"detector {printable(found.detector)}"
        )
        click.echo(headline(found.summary))
        if found.summary.problems:
            click.echo(f"{found.summary.problems} invalid lines")
    finish(OK if found.is_complete else GATE)


@job.command()
@click.argument("directory", type=_DIRECTORY, metavar="DIR")
@click.option("--out", metavar="PATH", help="Write the results as JSON Lines (v1).")
@click.option(
    "--format", "format_", type=click.Choice(list(_FORMATS)), default="table", help="What to print (default: table)."
)
@click.option("-o", "outputs", multiple=True, metavar="FORMAT=PATH", help="Further outputs, as in check (repeatable).")
@click.option(
    "--fail-on", metavar="LIST", default="never", help="Verdicts or finding ids that exit with 1 (default: never)."
)
@click.option("--partial", is_flag=True, help="Also merge a job of which parts are still open.")
def merge(
    directory: Path, out: str | None, format_: str, outputs: tuple[str, ...], fail_on: str, partial: bool
) -> None:
    """Write the results of a job in input order, every trace once. Nothing is checked again."""
    from agent_claimcheck.cli.part_run import collect_job
    from agent_claimcheck.pipeline.runner.collect import Collector
    from agent_claimcheck.pipeline.runner.job import Job

    work = Job(directory)
    state = work.status()
    if not state.is_complete and not partial:
        raise InputError(
            f"{printable(str(directory))}: {state.parts - state.parts_done} of {state.parts} parts are open",
            hint="run the same check command to finish it, or add --partial",
            slug="job_open",
        )
    policy = FailPolicy(fail_on=validate_fail_on(fail_on_words(fail_on), finding_ids()))
    specs = [OutputSpec(format=_FORMATS[format_], path=None)]
    specs += [output_at("jsonl-v1", out)] if out else []
    specs += [parse_output(text) for text in outputs]
    refuse_shared_stdout(specs)
    summary = Summary()
    job_summary = os.environ.get("GITHUB_STEP_SUMMARY")
    with ExitStack() as stack:
        place = Path(job_summary) if job_summary else None
        writers = [stack.enter_context(open_writer(spec, stdout_destination(), job_summary=place)) for spec in specs]
        for writer in writers:
            writer.begin()
        problems = ProblemNotes()
        for item in collect_job(work, Collector(writers, summary)):
            if isinstance(item, TraceProblem):
                problems.tell(item)
            else:
                note_import(item, is_full=False)
        problems.end()
        decision = exit_decision(summary, policy)
        for writer in writers:
            writer.end(summary, decision)
    if format_ != "table":
        note(headline(summary))
        note(last_line(summary, decision))
    finish(decision.code)
