"""``report``: what any number of result files show, by source, domain, tool, claim type, finding, model and week."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from agent_claimcheck.cli.console import note
from agent_claimcheck.cli.exits import OK, USAGE, finish
from agent_claimcheck.cli.output_places import refuse_clashes
from agent_claimcheck.results.files import read_result_files, result_files
from agent_claimcheck.results.report.tally import Report
from agent_claimcheck.results.writers.catalog import output_at
from agent_claimcheck.results.writers.output import AtomicFile
from agent_claimcheck.results.writers.remote import RemoteFile
from agent_claimcheck.trace.remote import is_remote

MOST_TOLD = 10
"""Lines without a result that are told one by one: a file of runs named by mistake may hold a million."""


@click.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULTS...")
@click.option("--markdown", metavar="PATH", help="Also write the report as Markdown.")
@click.option("--html", metavar="PATH", help="Also write it as one HTML page with plots.")
@click.option("--rows", type=click.IntRange(1, 2000), default=20, metavar="N", help="Rows a table (default: 20).")
def report(results: tuple[str, ...], markdown: str | None, html: str | None, rows: int) -> None:
    """Aggregate result files in one pass, with 95 % intervals.

    RESULTS are files, directories or globs of results (v1 or v2, JSON Lines or Parquet), or job directories, of which
    every trace counts once. Exit codes: 0, or 2 when a result could not be read.
    """
    from agent_claimcheck.results.report.text import markdown_lines, terminal_lines

    made = Report()
    files = result_files(results)
    wanted = (("markdown", markdown), ("html", html))
    refuse_clashes([output_at(format_, place) for format_, place in wanted if place is not None], files)
    made.files = len(files)
    for result in read_result_files(files, lambda message: _skip(made, message)):
        made.add(result)
    if markdown is not None:
        _write(markdown, markdown_lines, made, rows)
    if html is not None:
        from agent_claimcheck.results.report.page import page_lines

        _write(html, page_lines, made, rows)
    # Printed last: a reader who has seen enough (``| head``) must not cost the files.
    for line in terminal_lines(made, rows):
        click.echo(line)
    if made.problems > MOST_TOLD:
        note(f"... and {made.problems - MOST_TOLD} more that are no results")
    elif not made.total.total and not made.problems:
        note(f"error: no results in {', '.join(results)}")
    finish(OK if made.total.total and not made.problems else USAGE)


def _skip(made: Report, message: str) -> None:
    made.problems += 1
    if made.problems <= MOST_TOLD:
        note(message)


def _write(place: str, lines: Callable[[Report, int], Iterator[str]], made: Report, rows: int) -> None:
    file = RemoteFile(place) if is_remote(place) else AtomicFile(Path(place))
    try:
        for line in lines(made, rows):
            file.write(line.encode("utf-8", "replace") + b"\n")
        file.commit()
    finally:
        file.discard()
