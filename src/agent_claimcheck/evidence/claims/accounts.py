"""Tells an account of what others did or wrote: release notes, minutes, somebody's message.

A reader must not miss: what stands in an account is still heard; it is only held against nobody.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.quick import Quick
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 20_000


def is_account(text: str) -> bool:
    """True when the lower-case message ``text`` tells of a source: what it says without "I" may stand there."""
    if "#" in text and _pattern("headings").search(text, 0, _LONGEST):
        return True
    return _quick("whole").is_in(text[:_LONGEST])


def draft_at(text: str) -> int:
    """Return where the lower-case message ``text`` begins to give a draft or an example; its length where it does not."""
    has_colon = ":" in text or "：" in text
    if not has_colon or not _quick("draft").is_in(text[:_LONGEST]):
        return len(text)
    match = _pattern("draft").search(text, 0, _LONGEST)
    return match.end() if match is not None else len(text)


def names_speaker(sentence: str) -> bool:
    """True when the lower-case ``sentence`` gives somebody else's words: "Ana's message: I have booked it"."""
    return ":" in sentence and _pattern("speaker").search(sentence, 0, _LONGEST) is not None


def is_told_by_another(sentence: str) -> bool:
    """True when the lower-case ``sentence``, said without "I", is somebody's account: "it was booked, as Ana mentioned"."""
    may_be = " as " in sentence or "since " in sentence
    return may_be and _pattern("aside").search(sentence, 0, _LONGEST) is not None


@lru_cache(maxsize=2)
def _quick(section: str) -> Quick:
    return Quick(WordLists("accounts").pattern(section))


@lru_cache(maxsize=4)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(WordLists("accounts").pattern(section))
