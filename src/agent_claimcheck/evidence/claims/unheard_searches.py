"""Whether a run that looked nothing up tells of a search: "I searched the handbook", "according to my search results".

A reader must not miss: this finds no claim. A search is told as a deed of its own, so a run in which no look-up worked, or none
was tried, goes to a person. Words about what stands in the request itself name no search.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_claimcheck.evidence.asked.deeds import tells_failure
from agent_claimcheck.evidence.claims.finder import RunReading
from agent_claimcheck.evidence.word_lists import WordLists

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_LONGEST = 20_000
_LONGEST_REQUEST = 600
"""A longer request holds a text of its own, and what is "found" may be found in it."""
_SIGNS = ("search", "look", "found", "quer", "check", "retriev", "pulled", "consult", "brows", "source", "result")


def may_tell_a_search(run: RunReading, evidence: Evidence) -> bool:
    """True for an English run that closes by telling of a search although no call of it worked."""
    closing = evidence.closing
    if closing is None or not run.is_english or evidence.is_shell_run:
        return False
    if not any(message.step == closing.step for message in (*run.silent, *run.unclear)):
        return False
    low = evidence.closing_plain[:_LONGEST].lower().replace("’", "'")
    if not any(sign in low for sign in _SIGNS) or not _told().search(low):
        return False
    if sum(map(len, evidence.user_texts)) > _LONGEST_REQUEST or tells_failure(low):
        return False
    return all(evidence.receipt(pair).state == "failed" for pair in evidence.calls)


@lru_cache(maxsize=1)
def _told() -> re.Pattern[str]:
    return re.compile(WordLists("closing").pattern("searched"))
