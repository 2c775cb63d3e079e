"""The report as one HTML page without scripts: tables and pictures, nothing fetched.

A reader must not miss: all text of traces is escaped, and the content policy forbids everything but the page's one style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.report.plots import draw_shares, draw_weeks
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

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .75rem;border-bottom:1px solid #d5dae1;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;min-width:7rem;max-width:24rem;overflow-wrap:anywhere;white-space:normal}
h2{margin-top:2rem}svg{max-width:100%;height:auto}figure{margin:0;overflow-x:auto}div{overflow-x:auto}
@media (prefers-color-scheme:dark){body{background:#14171b;color:#e6e9ee}svg{background:#fff}th,td{border-color:#39414b}}
"""
_MOST_IN_A_PICTURE = 25


def page_lines(report: Report, most: int) -> Iterator[str]:
    """Yield the page, at most ``most`` rows a table."""
    style = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width"><title>Claim check report</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Claim check report</h1><p>{escape(title(report))}</p>"
    for dimension in DIMENSIONS:
        rows, left_out = rows_of(report, dimension, most)
        if not rows:
            continue
        yield f"<h2>By {dimension}</h2>"
        draw = draw_weeks if dimension == "week" else draw_shares
        drawn = rows[-_MOST_IN_A_PICTURE:] if dimension == "week" else rows[:_MOST_IN_A_PICTURE]
        picture = draw(f"False-success share by {dimension}, with 95 % intervals", drawn)
        if picture:
            yield f"<figure>{picture}</figure>"
        yield from _table(dimension, rows)
        if left_out:
            yield f"<p>... and {left_out} more</p>"
    if NOT_KEPT in report.tables["source"]:
        yield f"<p>{escape(ABOUT_NOT_KEPT)}</p>"
    yield (
        "<p>Shares are of the traces that claimed a success. Intervals are 95 % Wilson score intervals. A trace counts "
        "under each of its tools, claim types and findings.</p></body></html>"
    )


def _table(dimension: str, rows: list[Row]) -> Iterator[str]:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (dimension, *COLUMNS))
    yield f"<div><table><thead><tr>{head}</tr></thead><tbody>"
    for name, tally in rows:
        shown = escape(shorten(printable(name), 200))
        numbers = "".join(f"<td>{cell}</td>" for cell in cells(tally))
        yield f"<tr><td>{shown}</td>{numbers}</tr>"
    yield "</tbody></table></div>"
