"""Draws the learning curve as SVG. Coordinates have two decimals, so equal figures give equal bytes."""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.lab.train.quality import CurvePoint

_WIDTH, _HEIGHT, _LEFT, _TOP = 360.0, 200.0, 48.0, 16.0
_LOW = 0.4
"""AUROC at the foot of the picture; a coin has 0.5."""


def draw_learning_curve(points: Sequence[CurvePoint]) -> str:
    """Return a line of AUROC against the number of training runs."""
    most = max(point.runs for point in points)
    places = [
        (
            _LEFT + _WIDTH * point.runs / most,
            _TOP + _HEIGHT * (1 - (max(point.auroc, _LOW) - _LOW) / (1 - _LOW)),
            point,
        )
        for point in points
    ]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y, _ in places)
    dots = "".join(
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3" fill="#0072b2"/>'
        f'<text x="{x:.2f}" y="{y - 8:.2f}" text-anchor="middle">{point.auroc:.2f}</text>'
        for x, y, point in places
    )
    labels = "".join(
        f'<text x="{x:.2f}" y="{_TOP + _HEIGHT + 14:.2f}" text-anchor="middle">{point.runs}</text>'
        for x, _, point in places
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 24:.0f} {_TOP + _HEIGHT + 32:.0f}" '
        f'width="{_LEFT + _WIDTH + 24:.0f}" height="{_TOP + _HEIGHT + 32:.0f}" role="img" '
        'font-family="system-ui, sans-serif" font-size="11" fill="currentColor" color="#1b1f24">'
        "<title>AUROC on held-out tasks by number of training runs</title>"
        f'<rect class="paper" width="100%" height="100%" fill="#ffffff"/>'
        f'<rect x="{_LEFT:.2f}" y="{_TOP:.2f}" width="{_WIDTH:.2f}" height="{_HEIGHT:.2f}" fill="none" '
        'stroke="currentColor" stroke-opacity="0.35"/>'
        f'<text x="{_LEFT - 6:.2f}" y="{_TOP + 8:.2f}" text-anchor="end">1.0</text>'
        f'<text x="{_LEFT - 6:.2f}" y="{_TOP + _HEIGHT:.2f}" text-anchor="end">{_LOW}</text>'
        f'<text x="{_LEFT + _WIDTH / 2:.2f}" y="{_TOP + _HEIGHT + 28:.2f}" text-anchor="middle">'
        "training runs</text>"
        f'<polyline points="{path}" fill="none" stroke="#0072b2" stroke-width="1.6"/>{dots}{labels}</svg>\n'
    )
