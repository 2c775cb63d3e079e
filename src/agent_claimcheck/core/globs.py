"""Globs for tool names, as packs and settings write them.

A reader must not miss: case counts, and a dot is a character like any other: ``calendar.*`` fits ``calendar.list.all``.
"""

from __future__ import annotations

import fnmatch
import re
from functools import lru_cache

_WILD = frozenset("*?[")


@lru_cache(maxsize=4096)
def _glob(pattern: str) -> re.Pattern[str] | None:
    """Return the pattern of a glob, ``None`` for a plain name, which fits itself alone."""
    if is_plain_name(pattern):
        return None
    # Python's translation keeps a star from being tried twice (atomic groups), so the time is linear in the name.
    return re.compile(fnmatch.translate(pattern))


def is_plain_name(pattern: str) -> bool:
    """Say whether a glob holds no wildcard, so that it fits the name it spells and no other."""
    return _WILD.isdisjoint(pattern)


def glob_match(pattern: str, name: str) -> bool:
    """Say whether a tool name fits a glob: ``*``, ``?``, ``[abc]``, ``[!abc]``; upper and lower case differ.

    >>> glob_match("calendar.*", "calendar.create_event"), glob_match("calendar.*", "Calendar.list")
    (True, False)
    """
    if pattern == name:
        return True
    glob = _glob(pattern)
    return glob is not None and glob.match(name) is not None
