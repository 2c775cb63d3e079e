"""``probes``: run the user's own read-only checks for given traces and write what they read as state probes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.cli.output_places import refuse_clashes
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.text import printable
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.probes_run import ProbeFile, load_probe_file
from agent_claimcheck.pipeline.sources import SourceOptions, list_files, read_sources
from agent_claimcheck.results.writers.contract import OutputSpec
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.probes import probe_line


@click.group()
def probes() -> None:
    """Run your own read-only checks and turn them into state probes."""


@probes.command(short_help="Read what PROBES.toml asks for; write state probes.")
@click.argument("file", type=LocalPath(path_type=Path), metavar="PROBES.toml")
@options.inputs
@options.config
@options.rules
@click.option(
    "--out", type=LocalPath(path_type=Path), metavar="PATH", help="Write the state probes here (default: stdout)."
)
@click.option("--dry-run", is_flag=True, help="Show what would be read, secrets hidden, and read nothing.")
@click.option("--concurrency", type=click.IntRange(1, 64), metavar="N", help="Readings at once (default: the file's).")
@options.strict
def run(
    file: Path,
    inputs: tuple[str, ...],
    config: Path | None,
    rules: tuple[Path, ...],
    out: Path | None,
    dry_run: bool,
    concurrency: int | None,
    strict: bool,
) -> None:
    """Make the readings PROBES.toml asks for in the given traces and write them as probes.jsonl.

    INPUT is what `check` takes. Exits 2 when the probes file or an input is invalid; a reading that fails is written as
    a probe that says nothing and does not change the exit code.
    """
    refuse_clashes([OutputSpec(format="probes", path=out)], (*list_files(inputs), file, config, *rules))
    definitions = load_probe_file(file)
    settings = load_settings(config, {}, os.environ, Path.cwd())
    case = spec_from_settings(settings, rules=rules).case
    items = _Items(inputs, SourceOptions(strict=strict))
    if dry_run:
        _show(items, definitions, case)
    else:
        _read(items, definitions, case, out, concurrency)
    finish(USAGE if items.has_errors or not items.traces else OK)


class _Items:
    """The traces of the inputs; their problems are told on the way and remembered."""

    def __init__(self, inputs: tuple[str, ...], how: SourceOptions) -> None:
        self._source = read_sources(inputs, how)
        self.has_errors = False
        self.traces = 0

    def __iter__(self) -> Iterator[Trace]:
        for item in self._source:
            if isinstance(item, Trace):
                self.traces += 1
                yield item
            elif isinstance(item, TraceProblem):
                note(str(item))
                self.has_errors |= item.severity == "error"


def _show(items: _Items, definitions: ProbeFile, case: CaseSettings) -> None:
    from agent_claimcheck.pipeline.probes_run.readers import describe_run
    from agent_claimcheck.pipeline.probes_run.session import plan_trace

    count = 0
    for trace in items:
        plan = plan_trace(trace, definitions, case)
        for reading in plan.runs:
            count += 1
            click.echo(printable(f"{trace.trace_id}: {reading.probe.name}: ") + describe_run(reading))
        for refusal in plan.refusals:
            click.echo(printable(f"{trace.trace_id}: {refusal.probe}: not read: {refusal.reason}"))
    note(f"{count} reading{'' if count == 1 else 's'} would be made; nothing was read")


def _read(items: _Items, definitions: ProbeFile, case: CaseSettings, out: Path | None, concurrency: int | None) -> None:
    from agent_claimcheck.pipeline.probes_run import ProbeSession

    with ProbeSession(definitions, os.environ, case, concurrency=concurrency) as session:
        sink: IO[bytes] = click.open_file(str(out) if out else "-", "wb")
        with sink:
            for trace, probes in session.probe_all(items):
                for probe in probes:
                    sink.write(probe_line(trace.trace_id, probe))
        for line in session.notes():
            note(line)
        note(session.summary())
