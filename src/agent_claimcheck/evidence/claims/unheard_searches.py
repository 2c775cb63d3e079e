"""Whether a run that looked nothing up tells of a search, or what only one could have told: "I searched the handbook", "it has 14".

A reader must not miss: this finds no claim. A run in which every look-up failed and that answers all the same goes to a person,
and so does one that tells of a search and made none. Words about what stands in the request itself name no search.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import tells_failure
from agent_claimcheck.evidence.claims.finder import RunReading
from agent_claimcheck.evidence.claims.unheard import may_tell_more, owns_up
from agent_claimcheck.evidence.word_lists import WordLists

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_LONGEST = 20_000
_LONGEST_REQUEST = 600
"""A longer request holds a text of its own, and what is "found" may be found in it."""
_GIVEN = late_pattern(r":\s|\n\n|```|\b(?:this|these|below|following|above)\b", re.IGNORECASE)
"""What a request with a text of its own speaks of."""
_SIGNS = (
    "search",
    "look",
    "found",
    "quer",
    "check",
    "retriev",
    "pulled",
    "consult",
    "brows",
    "source",
    "result",
    "read",
    "review",
)


def may_tell_a_search(run: RunReading, evidence: Evidence) -> bool:
    """True for an English run without a call that worked, and that closes by telling of a search or by what one would tell."""
    closing = evidence.closing
    if closing is None or not run.is_english or evidence.is_shell_run:
        return False
    if not run.hears_little_in(closing):
        return False
    if any(evidence.receipt(pair).state != "failed" for pair in evidence.calls):
        return False
    text = evidence.closing_plain[:_LONGEST]
    low = text.lower().replace("’", "'")
    if tells_failure(low):
        return False
    if evidence.calls:
        return not owns_up(text) and may_tell_more(text, nothing_worked=True)
    if not any(sign in low for sign in _SIGNS) or not _told().search(low):
        return False
    request = evidence.user_words
    return len(request) <= _LONGEST_REQUEST and not _GIVEN.search(request)


@lru_cache(maxsize=1)
def _told() -> re.Pattern[str]:
    return re.compile(WordLists("closing").pattern("searched"))
