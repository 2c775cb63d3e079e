"""Writes a document as one HTML page that needs no other file and runs no script.

A reader must not miss: names in a recorded run are foreign text. Everything is escaped, and the page's own policy
forbids scripts and foreign addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from agent_claimcheck.core.text import printable
from agent_claimcheck.lab.bench.blocks import (
    Block,
    Bullets,
    Code,
    Details,
    Heading,
    Image,
    Inline,
    Line,
    Paragraph,
    Strong,
    Table,
)
from agent_claimcheck.results.report.style import page_style

_HERE = Path(__file__).parent


def write_page(blocks: Sequence[Block], title: str) -> str:
    """Return the whole page. Pictures are inlined as SVG."""
    template = Template((_HERE / "page.html").read_text("utf-8"))
    return template.substitute(
        title=_text(title), style=page_style(), body="\n".join(_block(block) for block in blocks)
    )


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h2>{_text(block.text)}</h2>"
    if isinstance(block, Paragraph):
        return f"<p>{_line(block.line)}</p>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_line(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Image):
        return f'<figure><div class="wide">{block.svg}</div><figcaption>{_text(block.alt)}</figcaption></figure>'
    if isinstance(block, Details):
        return f"<details><summary>{_text(block.summary)}</summary>{_table(block.table)}</details>"
    return _table(block)


def _table(table: Table) -> str:
    kinds = [' class="words"' if name in table.words else "" for name in table.header]
    head = "".join(f'<th scope="col"{kind}>{_text(cell)}</th>' for cell, kind in zip(table.header, kinds, strict=True))
    body = "".join(
        f'<tr><th scope="row">{_text(row[0])}</th>'
        + "".join(f"<td{kind}>{_text(cell)}</td>" for cell, kind in zip(row[1:], kinds[1:], strict=True))
        + "</tr>"
        for row in table.rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _line(parts: Line) -> str:
    return "".join(_inline(part) for part in parts)


def _inline(part: Inline) -> str:
    if isinstance(part, Code):
        return f"<code>{_text(part.text)}</code>"
    if isinstance(part, Strong):
        return f"<strong>{_text(part.text)}</strong>"
    return _text(part)


def _text(text: str) -> str:
    return escape(printable(text))
