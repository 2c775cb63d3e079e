"""What the doctor says: short lines, each good, worth knowing, missing or wrong, under a heading."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Weight = Literal["good", "info", "missing", "wrong"]


class Line(Struct, frozen=True, kw_only=True):
    """One thing found. ``advice`` says what to do about it, empty where nothing is to be done."""

    weight: Weight
    text: str
    advice: str = ""


class Section(Struct, frozen=True, kw_only=True):
    """Lines that belong together."""

    title: str
    lines: tuple[Line, ...]

    @property
    def is_wrong(self) -> bool:
        """True when something here must be repaired."""
        return any(line.weight == "wrong" for line in self.lines)


def counted(number: int, noun: str) -> str:
    """Return ``1 run`` or ``3 runs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def share(part: int, whole: int) -> str:
    """Return ``62 %``; ``-`` of nothing. A share that is not nought or all is never shown as 0 % or 100 %.

    >>> share(1, 1000), share(999, 1000), share(31, 50), share(0, 0)
    ('1 %', '99 %', '62 %', '-')
    """
    if not whole:
        return "-"
    if 0 < part < whole:
        return f"{min(99, max(1, round(100 * part / whole)))} %"
    return "100 %" if part else "0 %"
