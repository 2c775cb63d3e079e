"""An order to end something is answered by a negation: "Mute the chat" by "the chat won't disturb you", "drop it" by "no copy is left".

A reader must not miss: only what somebody or something else does no more is taken for an answer. What "I" or "we" cannot do, and
what is not allowed, offered or found, stays a denial.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.evidence.asked.deeds import order_words
from agent_claimcheck.evidence.word_lists import WordLists

_SIGNS = ("n't", "no", "never", "can", "off", "down", "silen", "hidden", "inactive")
_LONGEST = 20_000


def without_endings(text: str, request: str) -> str:
    """Return ``text`` in lower case without the negations that tell of an end, where ``request`` orders something to end."""
    low = text[:_LONGEST].lower().replace("’", "'")
    if not any(sign in low for sign in _SIGNS) or not orders_an_end(request):
        return text
    return _ended().sub(" ", low)


def orders_an_end(request: str) -> bool:
    """True when a sentence of ``request`` begins with a verb that ends something."""
    return not _ending_verbs().isdisjoint(order_words(request)) or _off().search(request.lower()) is not None


@lru_cache(maxsize=1)
def _ending_verbs() -> frozenset[str]:
    return WordLists("endings").words("verbs")


@lru_cache(maxsize=1)
def _off() -> re.Pattern[str]:
    return re.compile(WordLists("endings").pattern("off"))


@lru_cache(maxsize=1)
def _ended() -> re.Pattern[str]:
    return re.compile(WordLists("endings").pattern("ended"))
