"""Years as other calendars count them: 2569 in Thailand and 115 in Taiwan are 2026."""

from __future__ import annotations

from agent_claimcheck.evidence.values.moments import read_moments

_AHEAD = frozenset({543, -1911})
"""Years by which the Buddhist era and the one of the Republic of China are ahead of the common one."""


def is_in_another_era(one: str, two: str) -> bool:
    """True when two texts tell the same day of the year, and their years are as far apart as those of two calendars."""
    return any(
        (a.month, a.day) == (b.month, b.day)
        and a.has_day
        and a.year is not None
        and b.year is not None
        and not _AHEAD.isdisjoint((a.year - b.year, b.year - a.year))
        for a in read_moments(one)
        for b in read_moments(two)
    )
