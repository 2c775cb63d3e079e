"""The report as one HTML page without scripts: tables and pictures, nothing fetched.

A reader must not miss: all text of traces is escaped, and the content policy forbids everything but the page's one style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.report.plots import axis_end, draw_shares, draw_weeks
from agent_claimcheck.results.report.style import page_style
from agent_claimcheck.results.report.tally import (
    ABOUT_NOT_KEPT,
    COLUMNS,
    DIMENSIONS,
    NOT_KEPT,
    Report,
    Row,
    cells,
    rows_of,
)
from agent_claimcheck.results.report.text import title

_MOST_IN_A_PICTURE = 25


def page_lines(report: Report, most: int) -> Iterator[str]:
    """Yield the page, at most ``most`` rows a table."""
    style = page_style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Claim check report</title>'
    yield f"<style>{style}</style></head><body><main><h1>Claim check report</h1><p>{escape(title(report))}</p>"
    tables = {dimension: rows_of(report, dimension, most) for dimension in DIMENSIONS}
    end = axis_end(row for dimension, (rows, _) in tables.items() for row in _drawn(dimension, rows))
    for dimension, (rows, left_out) in tables.items():
        if not rows:
            continue
        yield f"<h2>By {dimension}</h2>"
        draw = draw_weeks if dimension == "week" else draw_shares
        picture = draw(f"False-success share by {dimension}, with 95 % intervals", _drawn(dimension, rows), end)
        if picture:
            yield f'<figure class="wide">{picture}</figure>'
        yield from _table(dimension, rows)
        if left_out:
            yield f"<p>... and {left_out} more</p>"
    if NOT_KEPT in report.tables["source"]:
        yield f"<p>{escape(ABOUT_NOT_KEPT)}</p>"
    yield (
        "<p>Shares are of the traces that claimed a success. Intervals are 95 % Wilson score intervals. A trace counts "
        "under each of its tools, claim types and findings.</p></main></body></html>"
    )


def _drawn(dimension: str, rows: list[Row]) -> list[Row]:
    return rows[-_MOST_IN_A_PICTURE:] if dimension == "week" else rows[:_MOST_IN_A_PICTURE]


def _table(dimension: str, rows: list[Row]) -> Iterator[str]:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (dimension, *COLUMNS))
    yield f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>'
    for name, tally in rows:
        shown = escape(shorten(printable(name), 200))
        numbers = "".join(f"<td>{cell}</td>" for cell in cells(tally))
        yield f'<tr><th scope="row">{shown}</th>{numbers}</tr>'
    yield "</tbody></table></div>"
