"""``dataset``: generate, validate and look at labelled data sets of simulated agent runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent_claimcheck.cli.local_path import LocalPath

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_claimcheck.trace.model import Trace

_DEFAULT_SEED = 20260924
_DEFAULT_OUT = Path("benchmark/v1")


@click.group()
def dataset() -> None:
    """Generate, validate and show labelled data sets of simulated agent runs."""


@dataset.command(short_help="Write a data set.")
@click.option("--seed", type=int, default=_DEFAULT_SEED, show_default=True, help="The same seed gives the same bytes.")
@click.option(
    "--out", type=LocalPath(path_type=Path), default=_DEFAULT_OUT, show_default=True, help="Directory to write to."
)
@click.option(
    "--profile",
    type=click.Choice(["default", "full"]),
    default="default",
    show_default=True,
    help="default: the documented 300 runs of three domains. full: many domains, tools and languages.",
)
@click.option("--size", type=click.IntRange(min=50), metavar="N", help="Number of runs of the full profile.  [3000]")
def generate(seed: int, out: Path, profile: str, size: int | None) -> None:
    """Write a data set: traces.train.jsonl, traces.test.jsonl, manifest.json and DATASET_CARD.md.

    Byte for byte the same for the same seed, profile and size.
    """
    from agent_claimcheck.core.errors import UsageError
    from agent_claimcheck.lab.dataset.generate import generate_dataset, render_files, write_files

    if profile == "default" and size is not None:
        raise UsageError("the default profile has a fixed size of 300 runs", hint="--size goes with --profile full")
    made = generate_dataset(profile, seed, size)
    write_files(render_files(made), out)


@dataset.command(short_help="Check a data set.")
@click.argument("directory", type=LocalPath(path_type=Path), required=False, metavar="[DIR]")
def validate(directory: Path | None) -> None:
    """Check a data set: schema, checksums, counts, pools, duplicates, and that no label can be told from its shape.

    Without DIR the packaged benchmark is checked. Prints one failure a line and exits 2; prints nothing and exits 0 when
    all is well. The audit of words needs the extra `train`; without it the rest is checked and a note says so.
    """
    from agent_claimcheck.cli.console import note
    from agent_claimcheck.cli.exits import OK, USAGE, finish
    from agent_claimcheck.core.install import install_hint
    from agent_claimcheck.core.resources import data_path
    from agent_claimcheck.core.text import printable
    from agent_claimcheck.lab.dataset.leakage import has_text_audit
    from agent_claimcheck.lab.dataset.validate import validate_dataset

    is_complete = has_text_audit()
    if not is_complete:
        note(f"note: the audit of words was left out, it needs the extra train: {install_hint('train')}")
    failures = 0
    for line in validate_dataset(directory or data_path("benchmark"), has_text_audit=is_complete):
        click.echo(printable(line))
        failures += 1
    finish(USAGE if failures else OK)


@dataset.command(short_help="Show one run, or list all.")
@click.argument("source", metavar="DIR|FILE|ALIAS")
@click.argument("trace_id", required=False, metavar="[ID]")
def show(source: str, trace_id: str | None) -> None:
    """Show the run ID readably, or list all runs of a data set when no ID is given. Exits 2 when no run was read."""
    from agent_claimcheck.cli.exits import OK, USAGE, finish
    from agent_claimcheck.core.errors import UsageError
    from agent_claimcheck.core.suggest import did_you_mean
    from agent_claimcheck.core.text import printable, shorten
    from agent_claimcheck.lab.dataset.show import list_line, show_trace

    seen: list[str] = []
    for trace in _read(source):
        if trace_id is None:
            click.echo(list_line(trace))
        elif trace.trace_id == trace_id:
            for line in show_trace(trace):
                click.echo(line)
            return
        seen.append(trace.trace_id)
    if trace_id is not None:
        shown = shorten(printable(trace_id), 80)
        raise UsageError(
            f"there is no run {shown!r} in {printable(source)}{did_you_mean(trace_id, seen)}", slug="trace_id"
        )
    finish(OK if seen else USAGE)


def _read(source: str) -> Iterator[Trace]:
    """Yield the runs of a data set directory, a trace file or an alias; problems go to standard error."""
    from agent_claimcheck.cli.console import note, note_import
    from agent_claimcheck.importers.contract import ImportNote
    from agent_claimcheck.lab.dataset.generate import split_file
    from agent_claimcheck.lab.dataset.names import SPLITS
    from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
    from agent_claimcheck.trace.model import Trace

    directory = Path(source)
    files = [str(directory / split_file(split)) for split in SPLITS]
    is_dataset = directory.is_dir() and all(Path(name).is_file() for name in files)
    for item in read_sources(files if is_dataset else [source], SourceOptions()):
        if isinstance(item, Trace):
            yield item
        elif isinstance(item, ImportNote):
            note_import(item, is_full=False)
        else:
            note(str(item))
