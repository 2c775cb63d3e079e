"""Finds the values a text states: addresses, paths, times, quoted titles, ids, numbers and names.

A reader must not miss: the pattern decides what fitted files were trained on, so it finds the same values for ever. How it
is written is about speed alone: each alternative asks for its first character before anything else, which the engine
tests without entering the alternative, and looks back from there.
"""

from __future__ import annotations

import re
from functools import lru_cache

_LONGEST = 6_000
"""Characters of a text that are looked through."""
_MOST_VALUES = 60

_PLAIN = r"(?:[a-z]{0,30}+[.,;:!?]{0,3}+\s++)++"
"""Small words up to the white space after them. No value can begin in one, so the scan steps over them at once."""
_MAIL = r"[\w.+-][\w.+-]{0,63}+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}(?P<mail>)"
_PATH = r"[\w.-](?<![\w/][\w.-])[\w.-]{0,59}+/(?:[\w.-]{1,60}+/){0,11}[\w.-]{1,80}\.\w{1,8}\b(?P<path>)"
_OTHERS = (
    r"\d(?<!\w\d)(?:\d{3}-\d{2}-\d{2}|\d?:\d{2}\b)(?P<time>)",
    r"['\"“](?<!\w['\"“])[^'\"“”\n]{2,60}+['\"”](?!\w)(?P<quoted>)",
    # A word with a digit among its first 31 characters and a letter somewhere.
    r"\w(?<!\w\w)(?:(?<=\d)|(?=[^\W\d]{0,29}+\d))(?:(?<=[A-Za-z_])|\w{0,79}[A-Za-z_])\w{0,80}\b(?P<id>)",
    r"\d(?<!\w\d)[\d,]{0,20}(?:\.\d{1,10})?(?P<number>)",
    # Capitalised words, but not where a sentence, a line or the text begins.
    r"[A-Z](?<!\w[A-Z])(?<![.!?]\s[A-Z])(?<!\n[A-Z])(?<!\A[A-Z])[a-z]{1,30}(?:[ -][A-Z][a-z]{1,30}){0,5}(?P<name>)",
)
_EDGES = "'\"“”#"


def stated_values(text: str) -> dict[str, set[str]]:
    """Return the values of a text by kind, in lower case; at most 60 of the first 6,000 characters."""
    text = text[:_LONGEST]
    kinds: dict[str, set[str]] = {}
    room = _MOST_VALUES
    for match in _pattern("@" in text, "/" in text).finditer(text):
        kind = match.lastgroup
        if kind is None:
            continue
        if not room:
            break
        room -= 1
        value = match[0].lower().strip(_EDGES)
        if value:
            if kind == "number":
                value = value.replace(",", "")
            if kind in kinds:
                kinds[kind].add(value)
            else:
                kinds[kind] = {value}
    return kinds


@lru_cache(maxsize=4)
def _pattern(has_at: bool, has_slash: bool) -> re.Pattern[str]:
    """Return the pattern for texts with or without what an address or a path needs: those two ask at most positions."""
    alternatives = (_PLAIN, *([_MAIL] if has_at else ()), *([_PATH] if has_slash else ()), *_OTHERS)
    return re.compile("|".join(alternatives))
