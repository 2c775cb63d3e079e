"""The days of the week, and which one a date is.

A reader must not miss: a text that is no date has none; nothing here raises.
"""

from __future__ import annotations

from datetime import date

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def weekday_of(text: str) -> str | None:
    """Return the day of the week, in English and lower case, of a text that begins with an ISO date.

    >>> weekday_of("2026-05-11T09:30:00")
    'monday'
    """
    try:
        return WEEKDAYS[date.fromisoformat(text[:10]).weekday()]
    except ValueError:
        return None
