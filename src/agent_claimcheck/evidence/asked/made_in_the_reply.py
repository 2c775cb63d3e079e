"""Work that the reply itself holds: rows marked, sorted or merged in a table, a letter changed, a plan that is only offered.

A reader must not miss: both the words of the request and those of the claim must be free of anything that is kept elsewhere
(an order, a calendar, a file). "I've added these to your cart:" with a list below is no work of the reply.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.word_lists import WordLists

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_LISTS = WordLists("made_in_the_reply")
_IN_TEXT = _LISTS.words("deeds")
"""Classes of deeds that can be done to words."""
_KEPT = _LISTS.words("kept")
"""What is kept elsewhere than in a reply."""
_WORD = late_pattern(r"[a-z]+")
_ROW = late_pattern(r"^[^\S\n]*(?:\||[-*•]\s|\d{1,3}[.)]\s)", re.MULTILINE)
_LINE = late_pattern(r"\w[^\n]*")
_FEWEST_ROWS = _FEWEST_LINES = 2
_INLINE = late_pattern(r"[^\S\n]{0,2}[:–—-][^\S\n]+[^.,;\n]{1,80}[,;][^\n]")
"""A list that goes on in the same line: ": Arden 5, Bolt 2"."""
_LONGEST = 4_000
_OFFERS = late_pattern(
    r"\b(?:shall|should|want me|like me|may|can)\b(?! I also)[^?.!\n]{0,20}"
    r"\b(?:put|add|save|apply|enter|write|book|make)\s+(?:it|them|this|these|that|those)\b(?! up\b)[^?\n]{0,80}\?",
    re.IGNORECASE,
)
"""An offer to do in earnest what was laid out: "Shall I put it in your calendar?"."""


def is_shown_in_the_reply(claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when ``claim`` may be about what the message that makes it shows, or is followed by the offer to do it."""
    text = _message_of(claim, evidence)
    if claim.source == "structured" or not text:
        return False
    _, told, rest = text.partition(claim.quote.rstrip(" :"))
    rest = rest if told else text
    has_rows = len(_ROW.findall(text)) >= _FEWEST_ROWS or _INLINE.match(rest) is not None
    if has_rows and _OFFERS.search(text):
        return True
    if (claim.verb_class or claim.type) not in _IN_TEXT or claim.subject.get("id") or claim.subject.get("path"):
        return False
    if not has_rows and len(_LINE.findall(rest)) < _FEWEST_LINES:
        return False
    asked = " ".join(evidence.user_texts) or evidence.view.task.instruction
    return not any(_is_of_something_kept(words[:_LONGEST]) for words in (asked, claim.quote))


def _message_of(claim: SuccessClaim, evidence: Evidence) -> str:
    for message in evidence.messages:
        if message.step == claim.step:
            return message.text[:_LONGEST]
    return evidence.closing_text[:_LONGEST]


def _is_of_something_kept(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    return any(word in _KEPT or word.removesuffix("s") in _KEPT for word in words)
