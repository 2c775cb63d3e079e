"""``explain``: what was claimed, what was looked for, what was found, and what would settle it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import ProblemNotes, note, note_import
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.live_probes import open_session, say_readings
from agent_claimcheck.cli.standard_input import refuse_shared
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportOptions
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
@options.probes_from
@options.detector
@options.rules
@options.reading
@click.option("--all", "show_all", is_flag=True, help=f"Explain every trace, not only the first {_CAP}.")
def explain(
    input_: str,
    trace_id: str | None,
    config: Path | None,
    probes: Path | None,
    probes_from: Path | None,
    detector: str | None,
    rules: tuple[Path, ...],
    show_all: bool,
    from_: str | None,
    report: bool,
    **how: Any,
) -> None:
    """Show the claims of a trace and the evidence for or against each, for a person to read.

    INPUT is what `check` takes. Without TRACE_ID the first 20 traces of INPUT are explained. With --probes-from readings
    are made for the traces that are shown, and no others. The exit code is 0, or 2 when nothing could be read.
    """
    refuse_shared([input_], probes)
    settings = load_settings(config, {"check.detector": detector} if detector else {}, os.environ, Path.cwd())
    spec = spec_from_settings(settings, rules=rules)
    picked = _Picked(trace_id, show_all=show_all, is_full_report=report)
    items = read_sources([input_], SourceOptions(format_name=from_, importing=ImportOptions(**how)))
    with ExitStack() as stack:
        session = open_session(probes_from, spec.case, stack)
        _show(ProbeSource(probes, session).joined(picked.of(items)), Checker(spec=spec), picked)
        say_readings(session)
    if trace_id is not None and not picked.shown:
        raise _unknown_id(trace_id, input_, picked)
    if trace_id is None and picked.traces > picked.shown:
        note(f"... and {picked.traces - picked.shown} more; name a trace_id, or use --all")
    finish(USAGE if (picked.problems and trace_id is None) or not picked.traces else OK)


def _show(items: Iterable[Imported], checker: Checker, picked: _Picked) -> None:
    for item in items:
        if isinstance(item, Trace):
            click.echo(("\n" if picked.shown else "") + explain_result(checker.check_one(item), item.steps))
            picked.shown += 1


def _unknown_id(trace_id: str, input_: str, picked: _Picked) -> InputError:
    return InputError(
        f"{printable(input_)} holds no trace with the id {printable(trace_id)!r}"
        + printable(did_you_mean(trace_id, picked.near)),
        hint=f"without an id the first {_CAP} traces are explained" if picked.traces else "",
    )


class _Picked:
    """The traces to show, picked from all that are read; what was wrong or lost is told and counted on the way."""

    def __init__(self, trace_id: str | None, *, show_all: bool, is_full_report: bool) -> None:
        self._trace_id = trace_id
        self._most = None if show_all else _CAP
        self._is_full_report = is_full_report
        self.shown = self.traces = self.problems = 0
        self.near: list[str] = []
        self._faults = ProblemNotes()

    def of(self, items: Iterator[Imported]) -> Iterator[Imported]:
        """Yield the traces to show, in order: the one that is named and then no more, or the first ones."""
        for item in items:
            if isinstance(item, TraceProblem):
                self._faults.tell(item)
                self.problems += item.severity == "error"
            elif isinstance(item, ImportNote):
                note_import(item, is_full=self._is_full_report)
            elif isinstance(item, Trace):
                self.traces += 1
                if len(self.near) < _IDS_REMEMBERED:
                    self.near.append(item.trace_id)
                if self._trace_id is None and (self._most is None or self.traces <= self._most):
                    yield item
                elif item.trace_id == self._trace_id:
                    yield item
                    break
        self._faults.end()
