"""Values of a trace as text for a page: cleaned, cut, and counted against one budget per trace.

A reader must not miss: this is text, never markup. A page puts it into text nodes only; here control characters, marks
that turn the reading direction and invisible characters are made visible, so that text cannot pass for something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from agent_claimcheck.core.text import printable
from agent_claimcheck.results.encoding import encode

Segment = dict[str, Any]

_TEXT_LIMIT = 20_000
"""Characters of one value that are shown; the raw JSON of a trace holds the rest."""
_TRACE_LIMIT = 1_500_000
"""Characters of all values of one trace that are shown, so that no trace can stall a browser."""
_LINE = 72
"""Bytes of JSON that fit on one line and are not indented."""
_INDENTED_LIMIT = 100_000
"""Bytes of JSON that are still indented: deep nesting makes indented text many times longer."""


class Shown:
    """Makes text of the values of one trace, and keeps the count of what was shown."""

    def __init__(self, limit: int = _TRACE_LIMIT) -> None:
        self._left = limit

    def text(self, text: str) -> str:
        """Return ``text`` for a page: line feeds kept, tabs as spaces, cut with a note of what is missing."""
        kept = text[: max(0, min(_TEXT_LIMIT, self._left))]
        self._left -= len(kept)
        missing = len(text) - len(kept)
        return clean(kept) + (f"\n… {missing:,} more characters in the raw JSON" if missing else "")

    def value(self, value: Any) -> str:
        """Return any JSON value for a page: text as it is, all else as JSON, indented where it has parts."""
        if isinstance(value, str):
            return self.text(value)
        data = encode(value)
        if isinstance(value, dict | list) and _LINE < len(data) <= _INDENTED_LIMIT:
            data = msgspec.json.format(data, indent=2)
        return self.text(data.decode("utf-8"))

    def marked(self, text: str, spans: Sequence[tuple[int, int, int]]) -> list[Segment]:
        """Return ``text`` in pieces, ``{"t": text, "c": [claims]}``; ``spans`` holds ``(start, end, claim)``.

        Offsets count characters of ``text``. Spans may overlap; a piece names every claim it belongs to.
        """
        inside = [(max(0, start), min(len(text), end), claim) for start, end, claim in spans]
        inside = [span for span in inside if span[0] < span[1]]
        if not inside:
            return [{"t": self.text(text)}]
        cuts = sorted({0, len(text), *(edge for start, end, _ in inside for edge in (start, end))})
        pieces: list[Segment] = []
        for start, end in pairwise(cuts):
            piece: Segment = {"t": self.text(text[start:end])}
            claims = sorted({claim for first, last, claim in inside if first <= start and end <= last})
            if claims:
                piece["c"] = claims
            pieces.append(piece)
        return pieces


def clean(text: str) -> str:
    """Return ``text`` with everything visible that could mislead the eye; line feeds stay, tabs become spaces."""
    return printable(text.replace("\r\n", "\n").replace("\t", "    "), keep_newlines=True)
