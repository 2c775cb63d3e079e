"""``explain``: what was claimed, what was looked for, what was found, and what would settle it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note, note_import
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.sources import ProbeSource, SourceOptions, read_sources
from agent_claimcheck.results.explain import explain as explain_result
from agent_claimcheck.trace.model import Trace, TraceProblem

_CAP = 20
_IDS_REMEMBERED = 2_000
"""Ids a slip of the keyboard is compared with; comparing is slow, and a longer list helps nobody."""


@click.command()
@click.argument("input_", metavar="INPUT")
@click.argument("trace_id", required=False)
@options.config
@options.probes
@options.detector
@options.rules
@options.reading
@click.option("--all", "show_all", is_flag=True, help=f"Explain every trace, not only the first {_CAP}.")
def explain(
    input_: str,
    trace_id: str | None,
    config: Path | None,
    probes: Path | None,
    detector: str | None,
    rules: tuple[Path, ...],
    show_all: bool,
    from_: str | None,
    report: bool,
    **how: Any,
) -> None:
    """Show the claims of a trace and the evidence for or against each, for a person to read.

    INPUT is what `check` takes. Without TRACE_ID the first 20 traces of INPUT are explained. The exit code is 0, or 2
    when nothing could be read.
    """
    settings = load_settings(config, {"check.detector": detector} if detector else {}, os.environ, Path.cwd())
    checker = Checker(spec=spec_from_settings(settings, rules=rules))
    source = ProbeSource(probes)
    shown = traces = problems = 0
    near: list[str] = []
    for item in read_sources([input_], SourceOptions(format_name=from_, importing=ImportOptions(**how))):
        if isinstance(item, TraceProblem):
            note(str(item))
            problems += item.severity == "error"
        elif isinstance(item, ImportNote):
            note_import(item, is_full=report)
        elif isinstance(item, Trace):
            traces += 1
            if len(near) < _IDS_REMEMBERED:
                near.append(item.trace_id)
            if trace_id is not None and item.trace_id != trace_id:
                continue
            if trace_id is None and shown >= _CAP and not show_all:
                continue
            merged = source.merge(item)
            if shown:
                click.echo()
            click.echo(explain_result(checker.check_one(merged), merged.steps))
            shown += 1
            if trace_id is not None:
                break
    if trace_id is not None and not shown:
        raise InputError(
            f"{printable(input_)} holds no trace with the id {printable(trace_id)!r}"
            + printable(did_you_mean(trace_id, near)),
            hint=f"without an id the first {_CAP} traces are explained" if traces else "",
        )
    if trace_id is None and traces > shown:
        note(f"... and {traces - shown} more; name a trace_id, or use --all")
    finish(USAGE if (problems and trace_id is None) or not traces else OK)
