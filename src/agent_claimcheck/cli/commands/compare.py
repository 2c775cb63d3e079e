"""``compare``: what changed between two result files, and whether the second agent version is really better."""

from __future__ import annotations

from typing import Any

import click

from agent_claimcheck.cli.commands.report import MOST_TOLD
from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import GATE, OK, USAGE, finish
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.comparison import Comparison, Side, compare_results
from agent_claimcheck.results.files import read_result_files, result_files

_SHOWN = 20


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--fail-on", type=click.Choice(["worse"]), help="Exit with 1 when B is shown to be worse.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", help="What to print (default: text)."
)
def compare(before: str, after: str, fail_on: str | None, format_: str) -> None:
    """Say what changed from results A to results B, and whether B is better.

    Better means: fewer of its claimed successes are shown to be false. Runs of the same traces or tasks are compared pair by pair,
    others as two separate samples, with 95 % intervals. Exit codes: 0, 1 with --fail-on worse, 2 for unreadable results.
    """
    problems: list[str] = []

    first, second = (read_result_files(result_files([name]), problems.append) for name in (before, after))
    found = compare_results(first, second)
    for problem in problems[:MOST_TOLD]:
        note(problem)
    if len(problems) > MOST_TOLD:
        note(f"... and {len(problems) - MOST_TOLD} more that are no results")
    empty = [name for name, side in ((before, found.first), (after, found.second)) if not side.traces]
    if empty and not problems:
        note(f"error: no results in {' and '.join(empty)}")
    if format_ == "json":
        click.echo(_as_json(found))
    else:
        _say(found)
    failed = fail_on == "worse" and found.judgement == "worse"
    finish(USAGE if problems or empty else GATE if failed else OK)


def _as_json(found: Comparison) -> str:
    from msgspec import to_builtins

    from agent_claimcheck.results.encoding import encode

    said: dict[str, Any] = {name: getattr(found, name) for name in found.__struct_fields__ if name != "transitions"}
    said["transitions"] = [
        {"before": pair[0], "after": pair[1], "traces": count} for pair, count in sorted(found.transitions.items())
    ]
    return encode(to_builtins(said)).decode()


def _say(found: Comparison) -> None:
    click.echo(_side("A", found.first))
    click.echo(_side("B", found.second))
    gap = found.difference
    if gap is not None:
        how = f"{found.method}, {found.pairs} pairs" if found.pairs else found.method
        click.echo(
            f"B minus A: {_points(gap.value)} (95 % interval {_points(gap.ci_low)} to {_points(gap.ci_high)}; {how})"
        )
    click.echo(f"B against A: {found.judgement}")
    if found.shared_traces:
        click.echo(f"{sum(found.transitions.values())} of {found.shared_traces} traces in both changed their verdict")
    for (old, new), count in sorted(found.transitions.items(), key=lambda item: (-item[1], item[0])):
        click.echo(f"  {old} -> {new}: {count}")
    for change in found.changes[:_SHOWN]:
        click.echo(f"  {shorten(printable(change.trace_id), 80)}: {change.before} -> {change.after}")
    if len(found.changes) > _SHOWN:
        click.echo(f"  ... and {sum(found.transitions.values()) - _SHOWN} more")
    for said, counts in (("new findings", found.new_findings), ("findings that are gone", found.gone_findings)):
        if counts:
            listed = ", ".join(f"{printable(name)} {count}" for name, count in sorted(counts.items()))
            click.echo(f"{said}: {listed}")


def _points(share: float) -> str:
    # Adding zero turns a negative zero into a plain one.
    return f"{round(share, 3) + 0.0:+.1%}"


def _side(name: str, side: Side) -> str:
    said = f"{name}: {side.traces} traces, {side.false} of {side.claimed} claimed successes are shown to be false"
    if side.share is None:
        return said
    return f"{said}, {side.share.value:.1%} (95 % interval {side.share.ci_low:.1%} to {side.share.ci_high:.1%})"
