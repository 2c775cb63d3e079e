"""Requests for words alone: "Convert the amounts to euros", "Write an email to Ana". What they ask for stands in the reply.

A reader must not miss: every sentence has to order such a thing, and none may go on with another order. Where a letter is
asked for, what stands in the letter is told by whoever will sign it.
"""

from __future__ import annotations

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import asks_for_a_deed

_LONGEST = 2_000
_LETTERS = r"(?:e-?mails?|mail|message|letter|reply|answer|post|text|note|announcement|invitation)"
_LETTER = late_pattern(rf"\b(?:write|draft|compose|word|phrase|prepare)\b[^.!?\n]{{0,40}}\b{_LETTERS}\b")
_WORDS = late_pattern(
    r"\W*(?:(?:please|hi|hey|hello|ok|now|then|can you|could you)\b,? )*(?:add(?:ing)? up|sum up|calculate|compute|compare|estimate"
    r"|translate|rewrite|rephrase|proofread|summari[sz]e|give (?:me|us)|show (?:me|us)|list|draft|compose"
    r"|(?:sort|rank|group) (?:the|this|these|those) (?:list|options|results|items|names|numbers|prices|totals|choices|candidates)"
    r"|convert (?:(?:the|this|these|those|all) )?(?:amount|price|total|number|unit|temperature|distance|figure|currenc)\w*"
    r"|convert [$€£]?\d[\d.,]* ?[a-z°$€£]{0,12}(?: [a-z]{1,12})? (?:to|into) [a-z°]{1,12}\s*\Z"
    r"|(?:sum|multiply|subtract|divide) \d[\d.,]*,? (?:and|to|by|from|with|\d)"
    r"|(?:make|create|write) (?:me |us )?(?:a|an|the) (?:list|table|summary|overview|comparison|poem|story|essay|paragraph))\b"
)
_GOES_ON = late_pattern(
    r"(?:\band|\bthen|,)\s+(?:also |then |please )*"
    r"(?!(?:sort|rank|group|compare|list|show|give|tell|explain|summari[sz]e|highlight|convert|calculate|compute|translate|for|with"
    r"|from|into|in|of|all|say|that|which)\b)[a-z]{3,15} (?:the|my|our|it|them|him|her|this|that|these|those|an?)\b"
)
_ADDS_UP = late_pattern(r"\badd(?= up\b| \d[\d.,]*,? (?:and|to|\d)[^a-z]*(?:\Z|[.!?\n]))")
"""Numbers are added in the reply, "3 and 4" to a list are not."""
_SENTENCE = late_pattern(r"[^.!?\n]+")
_HEAD_OF_LETTER = late_pattern(
    r"(?:^|[\n:*\"“])[^\S\n]*\W{0,4}(?:subject\b\W{0,4}:|(?:dear|hi|hello|hey) [a-z][\w.-]{0,40}(?: [a-z][\w.-]{0,40})?,)"
)


def asks_for_words(request: str) -> bool:
    """True when each sentence of ``request`` asks for what can be made in the reply itself."""
    if len(request) > _LONGEST:
        return False
    low = _ADDS_UP.sub("sum", request.casefold())
    sentences = [found[0] for found in _SENTENCE.finditer(low) if any(map(str.isalpha, found[0]))]
    if not sentences or not all(_WORDS.match(sentence) for sentence in sentences):
        return False
    return _GOES_ON.search(low) is None and not asks_for_a_deed(low)


def letter_in(request: str, text: str) -> int | None:
    """Return where the letter begins in ``text`` that ``request`` asked to be written; ``None`` where there is none."""
    if _LETTER.search(request[:_LONGEST].casefold()) is None:
        return None
    low = text.casefold()
    found = _HEAD_OF_LETTER.search(low) if len(low) == len(text) else None
    return found.start() if found is not None else None
