"""Writes a document as Markdown: the text that goes between the bench markers of a README.

A reader must not miss: this text is compared byte by byte with a README, so a change here changes every README.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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

# What would end a table cell or open code, bold, a link, an escape, HTML or an entity. Underscores inside words are
# text in Markdown, and so is a "<" before a digit.
_MARKUP = re.compile(r"[|`*]|\](?=\()|\\(?=[!-/:-@\[-`{-~])")
_HTML = re.compile(r"<(?=[A-Za-z/!?])|&(?=[A-Za-z#])")
_BACKTICKS = re.compile("`+")


def write_markdown(blocks: Sequence[Block], title: str = "") -> str:
    """Return the document as Markdown with a final line end: a file of its own under ``title``, else a part of another."""
    level = 2 if title else 3
    parts = [f"# {_text(title)}"] if title else []
    return "\n\n".join([*parts, *(_block(block, level) for block in blocks)]) + "\n"


def _block(block: Block, level: int) -> str:
    if isinstance(block, Heading):
        return f"{'#' * level} {_text(block.text)}"
    if isinstance(block, Paragraph):
        return _line(block.line)
    if isinstance(block, Bullets):
        return "\n".join(f"- {_line(item)}" for item in block.items)
    if isinstance(block, Image):
        return f"![{_text(block.alt)}]({_link(block.link)})"
    if isinstance(block, Details):
        return f"<details><summary>{_text(block.summary)}</summary>\n\n{_table(block.table)}\n\n</details>"
    return _table(block)


def _table(table: Table) -> str:
    rows = [_cells(table.header), "|" + "---|" * len(table.header), *(_cells(row) for row in table.rows)]
    return "\n".join(rows)


def _cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_text(cell) for cell in cells) + " |"


def _line(parts: Line) -> str:
    return "".join(_inline(part) for part in parts)


def _inline(part: Inline) -> str:
    if isinstance(part, Code):
        return _code(part.text)
    if isinstance(part, Strong):
        return f"**{_text(part.text)}**"
    return _text(part)


def _text(text: str) -> str:
    safe = _MARKUP.sub(lambda match: f"\\{match[0]}", printable(text))
    return _HTML.sub(lambda match: "&lt;" if match[0] == "<" else "&amp;", safe)


def _code(text: str) -> str:
    shown = printable(text)
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _link(link: str) -> str:
    from urllib.parse import quote

    return quote(link, safe="/:.-_~")
