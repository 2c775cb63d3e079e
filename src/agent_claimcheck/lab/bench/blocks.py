"""A small document: what a report says, apart from how Markdown or HTML writes it.

A reader must not miss: text in blocks is plain. Each writer escapes it for its own format, so that a name out of a
recorded run cannot become markup.
"""

from __future__ import annotations

from msgspec import Struct


class Code(Struct, frozen=True):
    """A span of literal text."""

    text: str


class Strong(Struct, frozen=True):
    """A span to stand out."""

    text: str


Inline = str | Code | Strong
Line = tuple[Inline, ...]


class Heading(Struct, frozen=True):
    """A section title."""

    text: str


class Paragraph(Struct, frozen=True):
    """One paragraph."""

    line: Line


class Bullets(Struct, frozen=True):
    """A list without numbers."""

    items: tuple[Line, ...]


class Table(Struct, frozen=True):
    """A table; every row has as many cells as the header.

    Columns are figures but for the first and those whose headers ``words`` names, which a page sets flush left.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ()


class Image(Struct, frozen=True):
    """A picture: the link that Markdown shows and the SVG that a self-contained page holds."""

    alt: str
    link: str
    svg: str


class Details(Struct, frozen=True):
    """A table behind a line that opens it."""

    summary: str
    table: Table


Block = Heading | Paragraph | Bullets | Table | Image | Details


def line(*parts: Inline) -> Paragraph:
    """Return a paragraph of the parts.

    >>> line("AUROC ", Strong("0.9")).line
    ('AUROC ', Strong(text='0.9'))
    """
    return Paragraph(parts)
