"""Tells a mere courtesy, such as "You're welcome! Have a nice day.", from a message that tells of the work.

A reader must not miss: a run closes with its last message that is none. "Great, all tests pass" is a report, so each part
of a sentence has to be a courtesy by itself, and nothing claimed may be heard in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.evidence.claims.clauses import sentences
from agent_claimcheck.evidence.claims.hearing import hear
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 300
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"\s*(?:[,;:–—]|\s-\s|\band\b|…|\.\.\.|[，、；])\s*")
_MOST_OF_A_NAME = 2
"""Words of a part that only addresses somebody: ", Mia", ", Dr. Lund"."""


@lru_cache(maxsize=256)
def is_courtesy(text: str) -> bool:
    """True when the agent's ``text`` is short and tells nothing of the work; one without a word ("👍") tells nothing either."""
    return _is_short_and_polite(text, _standing()) and all(item.claim is None for item in hear(text).said)


@lru_cache(maxsize=256)
def ends_talk(text: str) -> bool:
    """True when the user's ``text`` is short and asks for nothing: "Thanks, that's all"."""
    return _is_short_and_polite(text, _of_users())


def _is_short_and_polite(text: str, standing: re.Pattern[str]) -> bool:
    if len(text) > _LONGEST:
        return False
    low = text.lower()
    if any(char.isdigit() for char in low) or not english().classes.keys().isdisjoint(_WORD.findall(low)):
        return False
    return all(_is_polite(text[start:end], standing) for start, end, _ in sentences(text))


def _is_polite(sentence: str, standing: re.Pattern[str]) -> bool:
    """True for a sentence of courtesies, with at most a name among them."""
    has_any, names = False, 0
    for part in _PARTS.split(sentence):
        words = _WORD.findall(part)
        if not words:
            continue
        low = part.lower()
        if _opening().match(low) or standing.match(low):
            has_any = True
        elif len(words) <= _MOST_OF_A_NAME and all(word[0].isupper() for word in words):
            names += 1
        else:
            return False
    return names == 0 or (has_any and names == 1)


@lru_cache(maxsize=1)
def _opening() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{WordLists('courtesies').pattern('opening')})")


@lru_cache(maxsize=1)
def _standing() -> re.Pattern[str]:
    return _alone("standing", "elsewhere")


@lru_cache(maxsize=1)
def _of_users() -> re.Pattern[str]:
    return _alone("standing", "elsewhere", "user")


def _alone(*sections: str) -> re.Pattern[str]:
    """Return what any line of ``sections`` matches when nothing follows it."""
    lists = WordLists("courtesies")
    return re.compile(rf"\W*(?:{'|'.join(map(lists.pattern, sections))})\W*\Z")
