"""The doubt that a name was written with one letter other than it was asked for: Inez for Ines.

A reader must not miss: this never accuses. The name of the request must stand nowhere in the run, and the one that was written
nowhere in the request; accents and a plural are no difference.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_values

_NAME = late_pattern(r"(?<![^\W_])[^\W\d_a-z][^\W\d_A-Z]{3,30}(?![^\W_])")
_WORD = late_pattern(r"[^\W\d_]{4,31}")
_ACCENT = late_pattern(r"[\u0300-\u036f]")
_LONGEST, _MOST_NAMES, _MOST_WORDS, _MOST_WRITES = 4_000, 60, 400, 20


def names_nearly(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a change wrote nearly the name that the request holds."""
    if evidence.is_shell_run:
        return None
    asked = {
        _plain(name): name for turn in standing_turns(evidence) for name in _NAME.findall(turn[:_LONGEST])[:_MOST_NAMES]
    }
    if not asked:
        return None
    shown = _plain(shown_text(evidence))
    missing = {low: name for low, name in asked.items() if low not in shown}
    if not missing:
        return None
    request = {_plain(word) for word in evidence.request_words}
    for word in _written(evidence):
        low = _plain(word)
        if low in request:
            continue
        near = next((name for other, name in missing.items() if _is_near(other, low)), None)
        if near is not None:
            return Doubt("undecided", f"the request names {near}, and a call wrote {word}")
    return None


def _written(evidence: Evidence) -> Iterator[str]:
    seen = 0
    for write in evidence.writes[:_MOST_WRITES]:
        for _, value in walk_values(write.pair.call.args or {}) if not write.is_failed else ():
            for word in _WORD.findall(value[:_LONGEST]) if isinstance(value, str) else ():
                seen += 1
                if seen > _MOST_WORDS:
                    return
                yield word


def _is_near(one: str, two: str) -> bool:
    """True when one letter differs, is missing, or two have changed places; a plural or possessive "s" is no difference."""
    if one == two or one.removesuffix("s") == two.removesuffix("s") or abs(len(one) - len(two)) > 1:
        return False
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    if start == 0:
        return False
    rest, other = one[start:], two[start:]
    if len(rest) == len(other):
        return rest[1:] == other[1:] or (rest[:2] == other[1::-1] and rest[2:] == other[2:])
    return rest[1:] == other or rest == other[1:]


def _plain(text: str) -> str:
    low = text.casefold().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return low if low.isascii() else _ACCENT.sub("", unicodedata.normalize("NFKD", low))
