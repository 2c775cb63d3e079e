"""The pictures of a report as SVG: shares with their intervals, and the course over the weeks.

A reader must not miss: every picture says in text what it shows, and coordinates have two decimals, so equal figures give
equal bytes. Pictures of one page get one axis, or their bars could not be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.report.tally import NOT_KEPT, UNKNOWN, Row

_LABELS, _WIDTH, _ROW, _TOP = 250.0, 420.0, 22.0, 26.0
_INK, _MARK = "currentColor", "#c8500f"
_LINE = 'stroke="currentColor" stroke-opacity="0.2"'


def axis_end(rows: Iterable[Row]) -> float:
    """Return where an axis ends, in (0, 1], that holds the intervals of all ``rows``."""
    highest = max((share.ci_high for _, tally in rows if (share := tally.false_share) is not None), default=1.0)
    return next(end for end in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if highest <= end or end == 1.0)


def draw_shares(title: str, rows: Sequence[Row], end: float) -> str:
    """Return one line a row: a dot for the false-success share and a bar for its 95 % interval, on an axis to ``end``."""
    known = [(name, share) for name, tally in rows if (share := tally.false_share) is not None]
    if not known:
        return ""
    height = _TOP + _ROW * len(known) + 24
    parts = _grid(end, height)
    for index, (name, share) in enumerate(known):
        y = _TOP + _ROW * index + _ROW / 2
        parts.append(_text(_LABELS - 10, y + 4, _shown(name), "end"))
        low, at, high = (_LABELS + _WIDTH * value / end for value in (share.ci_low, share.value, share.ci_high))
        parts.append(
            f'<line x1="{low:.2f}" y1="{y:.2f}" x2="{high:.2f}" y2="{y:.2f}" stroke="{_MARK}" stroke-width="2"/>'
        )
        parts.append(f'<circle cx="{at:.2f}" cy="{y:.2f}" r="4" fill="{_MARK}"/>')
        parts.append(_text(_LABELS + _WIDTH + 10, y + 4, f"{share.value:.1%}", "start"))
    return _svg(title, parts, height)


def draw_weeks(title: str, rows: Sequence[Row], end: float) -> str:
    """Return the false-success share over the weeks, with a band for the 95 % intervals; empty below two weeks.

    The axis goes to ``end``.
    """
    known = [
        (name, share)
        for name, tally in rows
        if name not in (UNKNOWN, NOT_KEPT) and (share := tally.false_share) is not None
    ]
    if len(known) < 2:
        return ""
    height = 220.0
    left, wide, high = 60.0, _LABELS + _WIDTH - 60, height - 60

    def x(index: int) -> float:
        return left + wide * index / (len(known) - 1)

    def y(share: float) -> float:
        return _TOP + high * (1 - share / end)

    upper = [f"{x(i):.2f},{y(share.ci_high):.2f}" for i, (_, share) in enumerate(known)]
    lower = [f"{x(i):.2f},{y(share.ci_low):.2f}" for i, (_, share) in enumerate(known)]
    line = [f"{x(i):.2f},{y(share.value):.2f}" for i, (_, share) in enumerate(known)]
    parts = [
        f'<polygon points="{" ".join([*upper, *reversed(lower)])}" fill="{_MARK}" fill-opacity="0.15"/>',
        f'<polyline points="{" ".join(line)}" fill="none" stroke="{_MARK}" stroke-width="2"/>',
    ]
    for level in (0.0, end / 2, end):
        parts.append(f'<line x1="{left}" y1="{y(level):.2f}" x2="{left + wide:.2f}" y2="{y(level):.2f}" {_LINE}/>')
        parts.append(_text(left - 8, y(level) + 4, f"{level:.1%}", "end"))
    # So many labels that they do not touch.
    step = max(1, -(-len(known) // 8))
    parts += [_text(x(i), height - 12, name, "middle") for i, (name, _) in enumerate(known) if i % step == 0]
    return _svg(title, parts, height)


def _grid(end: float, height: float) -> list[str]:
    parts = []
    for part in range(5):
        x = _LABELS + _WIDTH * part / 4
        parts.append(f'<line x1="{x:.2f}" y1="{_TOP}" x2="{x:.2f}" y2="{height - 20:.2f}" {_LINE}/>')
        parts.append(_text(x, height - 6, f"{end * part / 4:.1%}", "middle"))
    return parts


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" font-size="12" fill="{_INK}">{escape(text)}</text>'


def _shown(name: str) -> str:
    return shorten(printable(name), 34)


def _svg(title: str, parts: Sequence[str], height: float) -> str:
    wide = _LABELS + _WIDTH + 70
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {height:.0f}" role="img" '
        f'font-family="system-ui, sans-serif" width="{wide:.0f}">'
    )
    name = f'<text x="0" y="14" font-size="13" font-weight="600" fill="{_INK}">{escape(title)}</text>'
    return "".join([head, f"<title>{escape(title)}</title>", name, *parts, "</svg>"])
