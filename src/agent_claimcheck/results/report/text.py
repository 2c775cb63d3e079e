"""The report as aligned text for a terminal, and as Markdown. Names come from traces and are made harmless."""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.report.tally import ABOUT_NOT_KEPT, COLUMNS, DIMENSIONS, NOT_KEPT, Report, cells, rows_of
from agent_claimcheck.results.writers.markdown import escape

_NAME_WIDTH = 48


def terminal_lines(report: Report, most: int) -> Iterator[str]:
    """Yield the lines of the report, at most ``most`` rows a table."""
    yield title(report)
    for dimension in DIMENSIONS:
        rows, left_out = rows_of(report, dimension, most)
        if not rows:
            continue
        table = [(dimension, *COLUMNS)]
        table += [(shorten(printable(name), _NAME_WIDTH), *cells(tally)) for name, tally in rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        yield ""
        for row in table:
            rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
            yield "  ".join((row[0].ljust(widths[0]), *rest)).rstrip()
        if left_out:
            yield f"... and {left_out} more"
    if NOT_KEPT in report.tables["source"]:
        yield ""
        yield ABOUT_NOT_KEPT


def markdown_lines(report: Report, most: int) -> Iterator[str]:
    """Yield the lines of the report as Markdown, at most ``most`` rows a table."""
    yield "# Claim check report"
    yield ""
    yield escape(title(report))
    for dimension in DIMENSIONS:
        rows, left_out = rows_of(report, dimension, most)
        if not rows:
            continue
        yield ""
        yield f"## By {dimension}"
        yield ""
        yield f"| {dimension} | {' | '.join(COLUMNS)} |"
        yield "| --- |" + " ---: |" * len(COLUMNS)
        for name, tally in rows:
            yield f"| {escape(shorten(name, _NAME_WIDTH))} | {' | '.join(cells(tally))} |"
        if left_out:
            yield ""
            yield f"... and {left_out} more"
    if NOT_KEPT in report.tables["source"]:
        yield ""
        yield escape(ABOUT_NOT_KEPT)


def title(report: Report) -> str:
    """Return one line about the whole."""
    total = report.total
    said = f"{total.total} traces from {report.files} file{'' if report.files == 1 else 's'}"
    share = total.false_share
    if share is not None:
        said += (
            f": {total.counts['false_success']} of {total.claimed} claimed successes are shown to be false, "
            f"{share.value:.1%} (95 % interval {share.ci_low:.1%} to {share.ci_high:.1%}), "
            f"{total.counts['verified']} are verified and {total.claimed - total.decided} not decided"
        )
    if report.problems:
        said += f"; {report.problems} results could not be read"
    if report.cost_usd:
        said += f"; judge ${report.cost_usd:.4f}"
    return said
