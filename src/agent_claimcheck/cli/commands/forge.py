"""``forge``: break copies of good runs in known ways, and see what the gate notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent_claimcheck.cli import options
from agent_claimcheck.cli.local_path import LocalPath
from agent_claimcheck.core.text import printable

if TYPE_CHECKING:
    from agent_claimcheck.lab.forge.run import ForgeReport
    from agent_claimcheck.trace.model import Trace, TraceProblem

_MOST_NAMED = 10


@click.command()
@options.inputs
@options.config
@options.detector
@options.rules
@click.option(
    "--kinds",
    metavar="LIST",
    help="Comma-separated kinds (default: all): result_dropped, call_dropped, status_flipped, id_swapped, "
    "time_shifted, count_lowered, write_repeated, probe_stale, reviewer_planted.",
)
@click.option(
    "--out",
    type=LocalPath(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the labelled forgeries (forgeries.jsonl) and the figures (forge.json) there.",
)
@click.option(
    "--format", "format_", type=click.Choice(["table", "json"]), default="table", help="What to print (default: table)."
)
def forge(
    inputs: tuple[str, ...],
    config: Path | None,
    detector: str | None,
    rules: tuple[Path, ...],
    kinds: str | None,
    out: Path | None,
    format_: str,
) -> None:
    """Make labelled forgeries of your own good runs, and say what the gate catches and what it wrongly accuses.

    INPUT holds runs that went well; runs labelled failures and runs already accused are left alone. Every kind of
    forgery has an honest twin as a control. Exits 2 when nothing could be forged or a line was invalid.
    """
    from agent_claimcheck.cli.console import note
    from agent_claimcheck.cli.exits import OK, USAGE, finish
    from agent_claimcheck.lab.forge.run import Tally, forge_traces, kinds_named
    from agent_claimcheck.pipeline.build import spec_from_settings
    from agent_claimcheck.pipeline.checker import Checker
    from agent_claimcheck.results.encoding import encode
    from agent_claimcheck.trace.write import to_json

    wanted = kinds_named((kinds or "").split(","))
    spec = spec_from_settings(config=config, rules=list(rules))
    source = _Traces(inputs)
    left_alone: Counter[str] = Counter()
    lines: list[bytes] = []
    with Checker(detector, spec=spec) as checker:
        tally = Tally(checker)
        for forgery in forge_traces(source, spec.case, wanted, left_alone):
            tally.add(forgery)
            if out is not None:
                lines.append(to_json(forgery.trace, "v2") + b"\n")
    report = tally.report(source.count, left_alone)
    encoded = encode(report) + b"\n"
    if out is not None:
        from agent_claimcheck.lab.bench.recording import write_files

        write_files(out, {"forgeries.jsonl": b"".join(lines), "forge.json": encoded})
        note(f"wrote {len(lines)} labelled runs to {out / 'forgeries.jsonl'}")
    for problem in source.problems:
        note(str(problem))
    if format_ == "json":
        click.echo(encoded, nl=False)
    else:
        for line in _table(report):
            click.echo(line)
    has_errors = any(problem.severity == "error" for problem in source.problems)
    finish(USAGE if has_errors or not report.kinds else OK)


class _Traces:
    """The traces of the inputs, counted as they are read; what was wrong with the others is kept."""

    def __init__(self, inputs: tuple[str, ...]) -> None:
        self._inputs = inputs
        self.count = 0
        self.problems: list[TraceProblem] = []

    def __iter__(self) -> Iterator[Trace]:
        from agent_claimcheck.lab.labels import one_label_each
        from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
        from agent_claimcheck.trace.model import Trace, TraceProblem

        for item in one_label_each(read_sources(self._inputs, SourceOptions(keeps_repeats=True))):
            if isinstance(item, Trace):
                self.count += 1
                yield item
            elif isinstance(item, TraceProblem):
                self.problems.append(item)


def _table(report: ForgeReport) -> Iterator[str]:
    yield (
        f"{'kind':<17} {'the gate should':<15} {'forged':>6} {'accused':>7} {'open':>5} {'verified':>8}  "
        f"{'as it should':<21} {'twins':>5} {'accused':>7}"
    )
    for found in report.kinds:
        share = found.as_it_should
        shown = "-" if share is None else f"{share.value:.2f} [{share.ci_low:.2f}, {share.ci_high:.2f}]"
        yield (
            f"{found.kind:<17} {found.aim:<15} {found.n:>6} {found.accused:>7} {found.open:>5} {found.verified:>8}  "
            f"{shown:<21} {found.n_twins:>5} {found.twins_accused:>7}"
        )
    alone = ", ".join(f"{count} {reason}" for reason, count in report.left_alone.items())
    yield f"forged from {report.n_used} of {report.n_traces} traces" + (f"; left alone: {alone}" if alone else "")
    yield from _named("honest twins accused", [name for found in report.kinds for name in found.accused_twins])
    yield from _named("forgeries waved through", [name for found in report.kinds for name in found.waved_through])


def _named(what: str, names: list[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        yield f"{what}: {printable(', '.join(names[:_MOST_NAMED]))}{more}"
