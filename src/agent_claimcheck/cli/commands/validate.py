"""``validate``: say everything that is wrong with trace files, and nothing when nothing is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note_import, problem_as_json
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.standard_input import refuse_shared
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.pipeline.sources import ProbeSource, SourceOptions, read_sources
from agent_claimcheck.trace.model import Trace, TraceProblem


@click.command()
@options.inputs
@options.probes
@options.strict
@options.reading
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Text (default), or json: one object a line.",
)
def validate(
    inputs: tuple[str, ...],
    probes: Path | None,
    strict: bool,
    format_: str,
    from_: str | None,
    report: bool,
    **how: Any,
) -> None:
    """Say what is wrong with trace files, as file:line: $.json.path: message.

    Prints nothing and exits 0 when all is well; exits 2 when a line is invalid or an input holds no trace. What was read
    of a file in another format is told on standard error.
    """
    refuse_shared(inputs, probes)
    source = ProbeSource(probes)
    errors = traces = 0
    for item in read_sources(inputs, SourceOptions(format_name=from_, importing=ImportOptions(**how))):
        if isinstance(item, Trace):
            traces += 1
            source.merge(item)
        elif isinstance(item, ImportNote):
            note_import(item, is_full=report)
        elif isinstance(item, TraceProblem):
            _print(item, format_)
            errors += item.severity == "error"
            if strict and item.severity == "error":
                finish(USAGE)
    for warning in source.warnings():
        click.echo(printable(warning))
    finish(USAGE if errors or not traces else OK)


def _print(problem: TraceProblem, format_: str) -> None:
    if format_ == "json":
        click.echo(problem_as_json(problem).decode("utf-8", "replace"))
    else:
        click.echo(printable(str(problem)))
