"""The table for a person at a terminal, or plain aligned text when it is piped.

A reader must not miss: nothing of a trace is ever interpreted. Ids and details are made printable first, styles are put on
whole lines.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import deciding_reason
from agent_claimcheck.results.summary import ExitDecision, Summary, headline, last_line
from agent_claimcheck.results.writers.contract import Destination

if TYPE_CHECKING:
    from rich.console import Console

COLUMNS = ("trace_id", "domain", "verdict", "p_success", "top reason")

_LAYOUT_ROWS = 50
"""Rows that are held to find the column widths. Few, so that a long run shows its first rows soon."""

_ID_WIDTH = 60
_NARROWEST_ID = 12
_DOMAIN_WIDTH = 20
_REASON_WIDTH = 200
_NARROWEST_REASON = 20
_LEFT_OUT = frozenset({"domain", "p_success"})
"""What a terminal does without where a row would wrap: rows that wrap cannot be read as a table."""

_STYLES = {"verified": "green", "false_success": "bold red", "unverifiable": "yellow", "skipped": "dim"}

_Row = tuple[str, str, str, str, str]


class TableWriter:
    """Prints rows as they come: the first ``max_rows`` of them, and every accusation."""

    def __init__(self, to: Destination) -> None:
        self._to = to
        self._waiting: list[_Row] = []
        self._widths: list[int] | None = None
        self._columns = list(range(len(COLUMNS) - 1))
        self._shown = 0
        self._hidden = 0
        self._console = _console(to) if to.is_terminal else None

    def begin(self) -> None:
        """Nothing is written before the widths are known."""

    def write(self, result: CheckResult) -> None:
        """Show one result, or count it as left out."""
        if self._shown >= self._to.max_rows and result.verdict != "false_success":
            self._hidden += 1
            return
        self._shown += 1
        row = _row(result, is_known=self._to.knows(result))
        if self._widths is None:
            self._waiting.append(row)
            if len(self._waiting) >= _LAYOUT_ROWS:
                self._lay_out()
        else:
            self._put_row(row)

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Show what is still held, how many rows were left out, the headline and the last line."""
        if self._widths is None and self._waiting:
            self._lay_out()
        if self._hidden:
            self._put(f"... and {self._hidden} more", "dim")
        self._put(headline(summary), "")
        self._put(last_line(summary, decision), ("bold green", "bold red", "bold red")[decision.code])

    def _lay_out(self) -> None:
        rows = [COLUMNS, *self._waiting]
        widths = [max(_cells(row[column]) for row in rows) for column in range(len(COLUMNS) - 1)]
        self._widths = widths
        if self._to.is_terminal and self._room_for_reason() < _NARROWEST_REASON:
            self._columns = [column for column in self._columns if COLUMNS[column] not in _LEFT_OUT]
            lacking = max(0, _NARROWEST_REASON - self._room_for_reason())
            widths[0] = max(widths[0] - lacking, min(widths[0], _NARROWEST_ID))
        self._put_row(COLUMNS, "bold")
        for row in self._waiting:
            self._put_row(row)
        self._waiting.clear()

    def _put_row(self, row: _Row, style: str | None = None) -> None:
        widths = self._widths or []
        cells = [self._cell(row[column], widths[column]) for column in self._columns]
        reason = row[-1]
        if self._to.is_terminal:
            reason = _cut_to_cells(reason, max(self._room_for_reason(), _NARROWEST_REASON))
        self._put("  ".join([*cells, reason]).rstrip(), _STYLES[row[2]] if style is None else style)

    def _room_for_reason(self) -> int:
        widths = self._widths or []
        return self._to.width - sum(widths[column] + 2 for column in self._columns)

    def _cell(self, cell: str, width: int) -> str:
        if self._to.is_terminal and _cells(cell) > width and len(self._columns) < len(COLUMNS) - 1:
            cell = _cut_to_cells(cell, width)
        return cell + " " * (width - _cells(cell))

    def _put(self, line: str, style: str) -> None:
        if self._console is None:
            self._to.sink.write(line.encode("utf-8", "backslashreplace") + b"\n")
            return
        from rich.text import Text

        self._console.print(Text(line, style=style), soft_wrap=True)


def _row(result: CheckResult, *, is_known: bool) -> _Row:
    reason = deciding_reason(result)
    known = "in the baseline: " if is_known and result.verdict == "false_success" else ""
    p = result.p_success
    return (
        shorten(printable(result.trace_id[: 2 * _ID_WIDTH]), _ID_WIDTH),
        shorten(printable(result.domain[: 2 * _DOMAIN_WIDTH]), _DOMAIN_WIDTH),
        result.verdict,
        "" if p is None or result.verdict == "skipped" else f"{p:.2f}",
        known + (shorten(printable(reason.detail[: 2 * _REASON_WIDTH]), _REASON_WIDTH) if reason else ""),
    )


def _cells(text: str) -> int:
    """Return how many columns ``text`` takes: two for wide characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _cut_to_cells(text: str, room: int) -> str:
    if _cells(text) <= room:
        return text
    taken = 0
    for index, char in enumerate(text):
        taken += _cells(char)
        if taken > room - 1:
            return text[:index] + "…"
    return text


class _TextSink:
    """A text stream on a byte sink, as far as the console needs one."""

    encoding = "utf-8"

    def __init__(self, to: Destination) -> None:
        self._sink = to.sink

    def write(self, text: str, /) -> int:
        self._sink.write(text.encode("utf-8", "backslashreplace"))
        return len(text)

    def flush(self) -> None:
        flush = getattr(self._sink, "flush", None)
        if flush is not None:
            flush()

    def isatty(self) -> bool:
        return True


def _console(to: Destination) -> Console:
    from rich.console import Console

    return Console(
        file=_TextSink(to),  # type: ignore[arg-type]  # the console calls only write, flush and isatty
        force_terminal=True,
        no_color=to.no_color,
        color_system="standard",
        width=to.width,
        markup=False,
        highlight=False,
        emoji=False,
    )
