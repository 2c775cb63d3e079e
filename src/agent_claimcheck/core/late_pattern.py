"""Regular expressions that are compiled when first used: a short check needs few of the hundreds that the rooms hold.

A reader must not miss: what is returned behaves like ``re.Pattern`` but is none, and a faulty pattern shows at its first
use, so a test compiles them all.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


class LatePattern:
    """A pattern and its flags. From its first use on its methods are those of the compiled pattern itself."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._given = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._given)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return ``pattern`` as ``re.compile`` would, compiled when first used.

    >>> late_pattern(r"\\d+").findall("12 of 30")
    ['12', '30']
    """
    return cast("re.Pattern[str]", LatePattern(pattern, flags))
