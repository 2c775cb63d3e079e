"""Whether a question carries a claim: "Would you like a mail about the cancellation I just made?".

A reader must not miss: this finds no claim. What the agent says in passing to have done was never done where nothing was
changed; a question that only looks ahead carries nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_claimcheck.evidence.claims.finder import RunReading
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.word_lists import WordLists

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_LONGEST = 2_000


def may_carry_a_claim(run: RunReading, evidence: Evidence) -> bool:
    """True for an English run without a change that worked whose closing question speaks of a deed of the agent's own."""
    closing = evidence.closing
    if closing is None or not run.is_english or evidence.is_shell_run or not run.hears_little_in(closing):
        return False
    if any(not write.is_failed for write in evidence.writes):
        return False
    # An offer of more help is a courtesy, and may carry a claim all the same.
    low = closing.text[-_LONGEST:].lower().replace("\u2019", "'")
    if "?" not in low:
        return False
    return any(found["verb"] in english().classes or found["verb"] == "made" for found in _carried().finditer(low))


@lru_cache(maxsize=1)
def _carried() -> re.Pattern[str]:
    return re.compile(WordLists("signs").pattern("carried"))
