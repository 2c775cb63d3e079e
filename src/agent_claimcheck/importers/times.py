"""Read the time stamps of foreign formats: ISO text with and without a zone, and numbers of any unit since 1970.

A reader must not miss: a time without a zone is taken as UTC and marked so; a text that is no time is no time.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from agent_claimcheck.trace.model import TsSource


def iso_time(value: Any) -> tuple[str | None, TsSource]:
    """Return an ISO 8601 time and where it comes from, for ISO text or a number of s, ms, us or ns since 1970.

    >>> iso_time("2026-01-02 03:04:05")
    ('2026-01-02T03:04:05Z', 'assumed_utc')
    >>> iso_time(1728803137170)
    ('2024-10-13T07:05:37.170000Z', 'recorded')
    """
    if isinstance(value, str):
        return _iso_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None, "synthetic"
    return _iso_number(value), "recorded"


def _iso_text(value: str) -> tuple[str | None, TsSource]:
    text = value.strip()
    if not 10 <= len(text) <= 40:
        return None, "synthetic"
    if text.isascii() and text.isdigit():
        return _iso_number(int(text)), "recorded"
    text = text.replace(" +", "+").replace(" ", "T", 1)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None, "synthetic"
    if moment.tzinfo is not None:
        return text, "recorded"
    if len(text) == 10:
        text += "T00:00:00"
    return f"{text}Z", "assumed_utc"


def _iso_number(value: float) -> str | None:
    scale = 1
    size = abs(value)
    while scale <= 10**9 and size >= scale * 10**11:
        scale *= 1000
    if not 0 <= value < scale * 10**11:
        return None
    if isinstance(value, int):
        whole, part = divmod(value, scale)
        micro = part * 1_000_000 // scale
    else:
        seconds = value / scale
        whole = int(seconds)
        micro = int((seconds - whole) * 1_000_000)
    start = _iso_second(whole)
    if start is None:
        return None
    return f"{start}.{micro:06d}Z" if micro else f"{start}Z"


@lru_cache(maxsize=1024)
def _iso_second(whole: int) -> str | None:
    """A second since 1970 as text; spans of one run share their seconds."""
    try:
        return datetime.fromtimestamp(whole, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return None
