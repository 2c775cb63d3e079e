"""``import``: convert files of any supported format to agent-trace."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.console import note, stdout_destination
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.core.errors import ClaimcheckError
from agent_claimcheck.importers.contract import Imported, ImportNote, ImportOptions
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.read import repeated
from agent_claimcheck.trace.seen import SeenIds


@click.command("import")
@options.inputs
@click.option("--from", "from_", metavar="FORMAT", help="Read as this format instead of recognising it.")
@click.option("--to", type=click.Choice(["v1", "v2"]), default="v2", show_default=True, help="Version to write.")
@click.option("--out", "-o", type=LocalPath(path_type=Path), metavar="PATH", help="Write here (default: stdout).")
@click.option("--labels", is_flag=True, help="Turn scores and rewards in the files into ground_truth.")
@click.option(
    "--infer-status",
    type=click.Choice(["strict", "exit-code", "text"]),
    default="strict",
    show_default=True,
    help="Where ok may come from: flags only, also exit codes in text, also error words.",
)
@click.option(
    "--subagents",
    type=click.Choice(["separate", "inline"]),
    default="separate",
    show_default=True,
    help="Give sub-agents linked traces of their own, or keep their steps in the parent's.",
)
@click.option("--group-by-conversation", is_flag=True, help="Join spans of several traces by conversation id.")
@click.option("--redact", is_flag=True, help="Mask secrets and personal data.")
@click.option("--report", is_flag=True, help="Say all that was read and lost, not one line a file.")
def import_(
    inputs: tuple[str, ...], from_: str | None, to: Any, out: Path | None, redact: bool, report: bool, **how: Any
) -> None:
    """Convert INPUT files of any supported format to agent-trace, one run a line.

    One line a file about what was read and lost goes to standard error. Exits 2 when a file cannot be read or holds
    no run, or when a trace id comes twice; both are written, but validate takes only the first.
    """
    from agent_claimcheck.cli.output_places import refuse_clashes
    from agent_claimcheck.pipeline.sources import list_files
    from agent_claimcheck.results.writers.contract import OutputSpec
    from agent_claimcheck.trace.write import to_json

    files = list_files(inputs)
    refuse_clashes([OutputSpec(format="agent-trace", path=out)], files)
    mask = _masker() if redact else None
    seen = SeenIds()
    bad = written = 0
    with _Sink(out) as write:
        for item in _items(files, ImportOptions(**how), from_):
            if isinstance(item, ImportNote):
                for line in item.report.full().splitlines() if report else [item.report.line()]:
                    note(line)
            elif isinstance(item, Trace):
                try:
                    write(to_json(mask(item) if mask else item, to) + b"\n")
                    written += 1
                    bad += _is_repeat(item, seen)
                except ClaimcheckError as error:
                    note(f"error: {error}")
                    bad += 1
            else:
                note(str(item))
                bad += item.severity == "error"
    finish(USAGE if bad or not written else OK)


def _is_repeat(trace: Trace, seen: SeenIds) -> bool:
    """Say that the id came before. The run is kept all the same: it may be another one, and nothing is to be lost."""
    problem = repeated(trace.trace_id, trace.where.file, trace.where.line, seen) if trace.where is not None else None
    if problem is not None:
        note(str(problem))
    return problem is not None


def _items(files: list[str], how: ImportOptions, from_: str | None) -> Iterator[Imported]:
    from agent_claimcheck.importers.files import read_any
    from agent_claimcheck.trace.read import open_or_problem

    for path in files:
        stream = open_or_problem(path, file=path)
        if isinstance(stream, TraceProblem):
            yield stream
            continue
        with stream:
            yield from read_any(stream, file=path, options=how, format_name=from_)


def _masker() -> Callable[[Trace], Trace]:
    from agent_claimcheck.trace.mask import Masker

    return Masker().mask_trace


class _Sink:
    """The output: a file that appears when all is written, or standard output, which stays open."""

    def __init__(self, path: Path | None) -> None:
        from agent_claimcheck.results.writers.output import AtomicFile

        self._file = AtomicFile(path) if path is not None and str(path) != "-" else None

    def __enter__(self) -> Callable[[bytes], object]:
        return self._file.write if self._file is not None else stdout_destination().put_json

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._file is None:
            sys.stdout.buffer.flush()
        elif kind is None:
            self._file.commit()
        else:
            self._file.discard()
