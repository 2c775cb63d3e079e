"""Numbers, money, percentages and durations as people and tools write them.

A reader must not miss: ``3_0``, ``inf`` and ``nan`` are no numbers, a boolean is no number, and a text of digits with a
leading zero is an identifier.
"""

from __future__ import annotations

import math
import re
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.moments import Comparison
from agent_claimcheck.evidence.word_lists import WordLists


class Quantity(Struct, frozen=True):
    """A number with its unit: a currency code, ``%``, ``s`` for durations (value in seconds), or ``""``."""

    value: float | int
    unit: str = ""


_LISTS = WordLists("units")
_CURRENCIES = _LISTS.keys_by_word("currencies")
_SECONDS = {word: int(size) for word, size in _LISTS.keys_by_word("seconds").items()}
_NUMBER = late_pattern(
    r"^([^\d\s+\-−.,]{0,4})\s?([+\-−]?)\s?([^\d\s+\-−.,]{0,3})\s?"
    r"(\d{1,3}(?:[,'’\u00a0\u202f ]\d{3}){1,8}|\d{1,3}(?:\.\d{3}){1,8}(?=,)|\d{1,3}(?:\.\d{3}){2,8}|\d{1,40}|(?=\.\d))"
    r"(?:([.,])(\d{1,20}))?(?:[eE]([+-]?\d{1,3}))?\s?(%|[^\W\d_]{1,12}\.?|[$€£¥₹₩₽₺])?$"
)
_ISO_DURATION = late_pattern(
    r"^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$"
)
_SPOKEN_DURATION = late_pattern(
    r"^(\d{1,4})\s?(?:h|hrs?|hours?)\s?(?:and\s)?(\d{1,3})\s?(?:m|min|mins|minutes?)?$", re.IGNORECASE
)


def read_quantity(value: Any, *, strict: bool = False) -> Quantity | None:
    """Return ``value`` as a number with its unit, ``None`` when it is none.

    With ``strict`` only texts that can hardly be identifiers are read: no leading zeros, at most 15 digits, no exponent.
    Never raises; NaN and infinities are no numbers.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Quantity(value)
    if isinstance(value, float):
        return Quantity(value) if math.isfinite(value) else None
    if not isinstance(value, str) or not 0 < len(value) <= 60:
        return None
    text = value.strip()
    if text[:1] == "P":
        return _read_duration(text)
    found = _NUMBER.match(text)
    if found is None:
        spoken = _SPOKEN_DURATION.match(text)
        return Quantity(int(spoken.group(1)) * 3600 + int(spoken.group(2)) * 60, "s") if spoken else None
    return _of_match(found, strict)


def _of_match(found: re.Match[str], strict: bool) -> Quantity | None:
    before, sign, symbol, whole, _, fraction, exponent, after = found.groups()
    digits = re.sub(r"\D", "", whole)
    if strict and (exponent or (len(digits) > 1 and digits[0] == "0") or len(digits) > 15):
        return None
    unit = (before + symbol).strip().lower() or (after or "").rstrip(".").lower()
    if before + symbol and after and after.rstrip(".").lower() not in _CURRENCIES:
        return None
    known = _CURRENCIES.get(unit)
    text = f"{digits or '0'}.{fraction or 0}e{exponent or 0}" if fraction or exponent else digits
    number: float | int = float(text) if fraction or exponent else int(text or 0)
    if isinstance(number, float) and not math.isfinite(number):
        return None
    number = -number if sign in ("-", "−") and sign else number
    if known:
        return Quantity(number, known)
    if before + symbol:
        return None
    if unit in _SECONDS:
        return Quantity(number * _SECONDS[unit], "s")
    return Quantity(number, unit)


def _read_duration(text: str) -> Quantity | None:
    found = _ISO_DURATION.match(text)
    if found is None or not any(found.groups()):
        return None
    weeks, days, hours, minutes, seconds = (float(group or 0) for group in found.groups())
    return Quantity(weeks * 604800 + days * 86400 + hours * 3600 + minutes * 60 + seconds, "s")


def compare_quantities(a: Quantity, b: Quantity) -> Comparison:
    """Compare two numbers. Two currencies differ; a bare number takes the unit of the other where that is plain."""
    if a.unit == b.unit:
        return "equal" if is_close(a.value, b.value) else "different"
    if not a.unit or not b.unit:
        bare, other = (a, b) if not a.unit else (b, a)
        if other.unit == "s":
            # 30 against "30 minutes": the number's unit is unknown.
            return (
                "equal" if any(is_close(bare.value * size, other.value) for size in (1, 60, 3600)) else "incomparable"
            )
        if other.unit == "k":
            return "equal" if is_close(bare.value, other.value * 1000) else "different"
        if other.unit == "%" and is_close(bare.value * 100, other.value):
            return "equal"
        return "equal" if is_close(bare.value, other.value) else "different"
    both_money = len(a.unit) == len(b.unit) == 3 and a.unit.isupper() and b.unit.isupper()
    if both_money:
        return "different"
    singular = a.unit.rstrip("s") == b.unit.rstrip("s")
    if singular:
        return "equal" if is_close(a.value, b.value) else "different"
    return "incomparable"


def is_close(a: float, b: float) -> bool:
    """True when two numbers are equal but for rounding (1e-9, as documented for rule packs). Integers are exact."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    try:
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    except OverflowError:
        return False
