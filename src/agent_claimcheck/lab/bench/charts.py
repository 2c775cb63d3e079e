"""Draws the bench's pictures as SVG: reliability, histogram, risk against coverage.

A reader must not miss: coordinates are written with two decimals, so equal figures give equal bytes. No colour carries
meaning alone: lines differ in dashes too, and bars in their direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.lab.bench.report import Charts
from agent_claimcheck.scoring.probability import BINS, ReliabilityBin

_PANEL = 170.0
_GAP = 46.0
_TOP = 40.0
_COLUMNS = 4
_INK, _SOFT = "currentColor", "#7b8490"
"""Frames and words take the colour of the text around the picture; alone it is that of ``_svg``. The soft
grey is seen on light and on dark."""
# Okabe and Ito's palette, told apart by colour-blind readers as well.
_BLUE, _RED = "#0072b2", "#d55e00"
_COLOURS = (_BLUE, _RED, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", _INK)
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2")


def draw_reliability(charts: Mapping[str, Charts]) -> str:
    """Return one panel a detector: stated probability of success against the share that succeeded.

    Charts without calibrated bins show their one line, and the legend speaks of scores alone.
    """
    if not any(chart.reliability_calibrated for chart in charts.values()):
        return _draw_scores(charts)
    parts: list[str] = []
    for x, y, name in _places(charts):
        parts += _reliability_frame(x, y, name)
        parts += _reliability_line(x, y, charts[name].reliability_raw, _RED, "5 3")
        parts += _reliability_line(x, y, charts[name].reliability_calibrated, _BLUE, "")
    legend = [(_RED, "5 3", "raw"), (_BLUE, "", "calibrated; larger dots hold more runs")]
    return _picture("Reliability by detector: raw scores dashed, calibrated scores solid", parts, len(charts), legend)


def _draw_scores(charts: Mapping[str, Charts]) -> str:
    parts: list[str] = []
    for x, y, name in _places(charts):
        parts += _reliability_frame(x, y, name)
        parts += _reliability_line(x, y, charts[name].reliability_raw, _BLUE, "")
    legend = [(_BLUE, "", "scores; larger dots hold more runs")]
    return _picture("Reliability by detector", parts, len(charts), legend)


def draw_histogram(charts: Mapping[str, Charts]) -> str:
    """Return one panel a detector: how many runs of either kind got which probability."""
    parts: list[str] = []
    for x, y, name in _places(charts):
        chart = charts[name]
        parts += _frame(x, y, name, "calibrated p(success)", "runs")
        highest = max([1, *chart.histogram_success, *chart.histogram_failure])
        middle, unit, width = y + _PANEL / 2, (_PANEL / 2 - 12) / highest, _PANEL / BINS
        for index in range(BINS):
            left = x + index * width + 1
            won, lost = chart.histogram_success[index], chart.histogram_failure[index]
            parts += _bar(left, middle - won * unit, width - 2, won * unit, _BLUE)
            parts += _bar(left, middle, width - 2, lost * unit, _RED)
        parts.append(_polyline([(x, middle), (x + _PANEL, middle)], _INK, "", 0.8))
        parts.append(_label(x + 4, y + 11, f"tallest bar {highest}", size=10))
    legend = [(_BLUE, "", "genuine success (up)"), (_RED, "", "false success (down)")]
    return _picture("Calibrated scores of genuine and false successes", parts, len(charts), legend)


def draw_risk_coverage(charts: Mapping[str, Charts]) -> str:
    """Return one plot with a stepped line a detector: share called wrongly among the surest share of runs."""
    width, height, left, top = 420.0, 260.0, 52.0, 24.0
    worst = max([0.05, *(point.risk for chart in charts.values() for point in chart.risk_coverage)])
    parts = [
        _box(left, top, width, height),
        _label(left, top + height + 16, "0%"),
        _label(left + width, top + height + 16, "100%", anchor="end"),
        _label(left + width / 2, top + height + 30, "coverage: share of runs kept, surest first", anchor="middle"),
        _label(left - 6, top + height, "0%", anchor="end"),
        _label(left - 6, top + 8, f"{100 * worst:.1f}%", anchor="end"),
        _label(left, top - 8, "risk: share of kept runs called wrongly"),
    ]
    for index, (name, chart) in enumerate(charts.items()):
        colour, dash = _COLOURS[index % len(_COLOURS)], _DASHES[index % len(_DASHES)]
        points: list[tuple[float, float]] = []
        before = 0.0
        for point in chart.risk_coverage:
            level = top + height * (1 - point.risk / worst)
            points += [(left + width * before, level), (left + width * point.coverage, level)]
            before = point.coverage
        parts.append(_polyline(points, colour, dash, 1.8))
        row = top + 14 + index * 20
        parts.append(_polyline([(left + width + 18, row - 4), (left + width + 46, row - 4)], colour, dash, 1.8))
        parts.append(_label(left + width + 52, row, _short(name)))
    return _svg("Risk against coverage by detector", parts, left + width + 320, top + height + 42)


def _places(charts: Mapping[str, Charts]) -> list[tuple[float, float, str]]:
    return [
        (_GAP + (index % _COLUMNS) * (_PANEL + _GAP), _TOP + (index // _COLUMNS) * (_PANEL + 2 * _GAP - 20), name)
        for index, name in enumerate(charts)
    ]


def _frame(x: float, y: float, name: str, across: str, up: str) -> list[str]:
    bottom = y + _PANEL
    beside = x - 30
    turned = f' transform="rotate(-90 {beside:.2f} {y + _PANEL / 2:.2f})"'
    return [
        _label(x + _PANEL / 2, y - 9, _short(name), anchor="middle", size=12),
        _box(x, y, _PANEL, _PANEL),
        _label(x, bottom + 13, "0"),
        _label(x + _PANEL, bottom + 13, "1", anchor="end"),
        _label(x + _PANEL / 2, bottom + 13, across, anchor="middle"),
        _label(beside, y + _PANEL / 2, up, anchor="middle", extra=turned),
    ]


def _reliability_frame(x: float, y: float, name: str) -> list[str]:
    """Return a panel with its shares on the left, and the line on which a score says what comes true."""
    parts = _frame(x, y, name, "stated p(success)", "succeeded")
    for level, text in ((1.0, "1"), (0.5, "0.5"), (0.0, "0")):
        at = y + _PANEL * (1 - level)
        parts.append(_polyline([(x - 4, at), (x, at)], _INK, "", 1.0))
        parts.append(_label(x - 6, at + 4, text, anchor="end"))
    parts.append(_polyline([(x, y + _PANEL), (x + _PANEL, y)], _SOFT, "4 4", 1.4))
    return parts


def _box(x: float, y: float, width: float, height: float) -> str:
    place = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    return f'<rect {place} fill="none" stroke="{_INK}" stroke-opacity="0.35"/>'


def _reliability_line(x: float, y: float, bins: Sequence[ReliabilityBin], colour: str, dash: str) -> list[str]:
    points = [(x + _PANEL * b.mean_p, y + _PANEL * (1 - b.success_rate)) for b in bins]
    total = sum(b.n for b in bins)
    # A dot's area grows with its bin, so that a bin of one run does not look like one of fifty.
    dots = [
        f'<circle cx="{px:.2f}" cy="{py:.2f}" r="{1.5 + 4 * (b.n / total) ** 0.5:.2f}" fill="{colour}"/>'
        for (px, py), b in zip(points, bins, strict=True)
    ]
    return [_polyline(points, colour, dash, 1.6), *dots]


def _bar(x: float, y: float, width: float, height: float, colour: str) -> list[str]:
    if height <= 0:
        return []
    return [f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}"/>']


def _polyline(points: Sequence[tuple[float, float]], colour: str, dash: str, width: float) -> str:
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'


def _label(x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, extra: str = "") -> str:
    shown = escape(text)
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" font-size="{size}" fill="{_INK}"{extra}>{shown}</text>'
    )


def _short(name: str) -> str:
    # The maker's name before the slash is the same for many judges and does not fit a panel.
    shown = printable(name)
    return shorten(shown.removeprefix("judge:").rpartition("/")[2] if shown.startswith("judge:") else shown, 30)


def _picture(title: str, parts: list[str], panels: int, legend: Sequence[tuple[str, str, str]]) -> str:
    rows = max(1, -(-panels // _COLUMNS))
    columns = min(max(panels, 2), _COLUMNS)
    width, height = _GAP + columns * (_PANEL + _GAP), _TOP + rows * (_PANEL + 2 * _GAP - 20)
    x = _GAP
    for colour, dash, text in legend:
        parts.append(_polyline([(x, height - 4), (x + 26, height - 4)], colour, dash, 2.4))
        parts.append(_label(x + 32, height, text))
        x += 180
    return _svg(title, parts, width, height + 14)


def _svg(title: str, parts: Sequence[str], width: float, height: float) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" font-family="system-ui, sans-serif" color="#1b1f24">'
    )
    background = f'<rect class="paper" width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", background, *parts, "</svg>", ""])
