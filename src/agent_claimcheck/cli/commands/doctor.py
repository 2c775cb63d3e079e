"""``doctor``: is the installation sound, and what keeps the claims of given traces from being checked?"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish
from agent_claimcheck.cli.live_probes import open_session, say_readings
from agent_claimcheck.cli.standard_input import refuse_shared
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.doctor.examine import examine_traces
from agent_claimcheck.pipeline.doctor.installation import examine_installation
from agent_claimcheck.pipeline.doctor.model import Section
from agent_claimcheck.pipeline.sources import ProbeSource, SourceOptions, read_sources

_MARKS = {"good": "ok", "info": "--", "missing": "!!", "wrong": "XX"}
_WIDTH = 400


@click.command()
@click.argument("inputs", nargs=-1, metavar="[TRACES]...")
@options.config
@options.probes
@options.probes_from
@options.rules
def doctor(
    inputs: tuple[str, ...],
    config: Path | None,
    probes: Path | None,
    probes_from: Path | None,
    rules: tuple[Path, ...],
) -> None:
    """Check the installation, then what trace files captured and how their claims could be verified.

    Lines begin with ok (fine), -- (worth knowing), !! (missing) or XX (to be repaired). Exit codes: 0 fine, 1 the
    installation needs repair, 2 a file holds faults or no run; what else could be read is told of all the same.
    """
    refuse_shared(inputs, probes)
    installation = examine_installation(config, os.environ, Path.cwd())
    _show(installation)
    code = GATE if installation.is_wrong else OK
    if inputs and not installation.is_wrong:
        settings = load_settings(config, {}, os.environ, Path.cwd())
        spec = spec_from_settings(settings, rules=rules)
        with ExitStack() as stack:
            session = open_session(probes_from, spec.case, stack)
            source = ProbeSource(probes, session)
            found = examine_traces(source.joined(read_sources(inputs, SourceOptions())), spec)
            say_readings(session)
        for section in found.sections:
            _show(section)
        if found.problems or not found.runs:
            code = USAGE
    finish(code)


def _show(section: Section) -> None:
    click.echo(section.title)
    for line in section.lines:
        click.echo(f"  {_MARKS[line.weight]} {shorten(printable(line.text), _WIDTH)}")
        if line.advice:
            click.echo(f"       -> {shorten(printable(line.advice), _WIDTH)}")
