"""What a value in a sentence is said of: "your May 3 appointment" names the appointment, and not the day it is moved to.

A reader must not miss: in doubt the value is said of something else, because a value that merely names a thing must not be
held against what was written.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coverage import family_of

_RELATED = late_pattern(
    r"\b(?:(?:before|after|prior|ahead|following|later|earlier|since|between|original\w*|old|previous\w*|former\w*)\W{1,3}(?:\w+\W{1,3}){0,5}"
    r"|(?:of|about|regarding|re|due|dated|ends?|ending|expir\w+)\W{1,3}(?:\w+\W{1,3}){0,2}"
    r"|(?:and|which|so that|so)\W{1,3}(?:(?:you|it|they|this|that|we|she|he)\W{1,3})?"
    r"(?:(?:will|can|should|is|are|to)\W{1,3}(?:be\W{1,3})?)?"
    r"(?!(?:it|is|are|will|be|start|begin|take|set|schedul|mov|on|at|for|now|the|your|you)\w*\W)\w+\W{1,3}"
    r"(?:(?:up|out|in|back|to|from|on|at|by|with|until|till|through|the)\W{1,3}){0,3}"
    r"|to (?:call|contact|ask|reach|meet|write|reply|respond|speak|talk|get)\b\W{1,3}(?:\w+\W{1,3}){0,4}"
    r"|(?:repl(?:y|ies)|responses?|answers?|copies|copy|cc)\b\W{1,3}(?:\w+\W{1,3}){0,3}"
    r"|(?:that|which|whose) (?:was|is|were|are|had|has|ends?|starts?|expires?)\b.{0,40})$",
    re.IGNORECASE,
)
"""Words before a value by which something else is placed: "the day before your flight on May 3"."""
_ADDRESSED = late_pattern(r"\b(?:to|at|with|cc|bcc|invited|notified|is|as)\W{0,4}(?:\w+\W{1,3}){0,4}$", re.IGNORECASE)
_NEXT_WORD = late_pattern(r"['’]s\b|\W{0,3}?[ -](?P<word>[a-z]+)")
_NO_NOUNS = frozenset(
    {"a", "after", "all", "am", "an", "and", "are", "around", "as", "at", "based", "before", "but", "by", "cet",
     "cest", "during", "est", "for", "from", "gmt", "has", "have", "if", "in", "instead", "is", "it", "its", "local",
     "of", "on", "or", "per", "pm", "pst", "sharp", "so", "that", "the", "then", "this", "time", "to", "today",
     "tomorrow", "unless", "until", "utc", "via", "was", "were", "when", "where", "which", "while", "will", "with",
     "without", "your"}
)  # fmt: skip
"""What may follow a value and makes no name of it: "on May 3 at ten"."""
_MOVED_TO = late_pattern(
    r"(?:\b(?:to|until|till|at|is|starts?|starting|now)|:)\W{0,4}(?:\w+\W{1,3}){0,2}$", re.IGNORECASE
)
_MOVES = late_pattern(
    r"\b(?:rebook|reschedul|mov(?:e|ing)|postpon|push|shift|extend|renew|prolong|swap|exchang|switch|bring forward|brought)\w*",
    re.IGNORECASE,
)
_ENGLISH = late_pattern(r"\b(?:the|your|you|has|have|been|was|is|I|we|my|it)\b|\w['’]ve\b", re.IGNORECASE)
_RIGHT_TO = late_pattern(r"\bto\W{0,4}$", re.IGNORECASE)


def is_said_of_another(value: str, quote: str, verb_class: str, *, names_record: bool) -> bool:
    """True when ``value`` in ``quote`` may describe a thing, as distinct from what a deed of ``verb_class`` made of it.

    ``names_record``: the quote names its record by an id too. In words that are no English, that tells the value apart.
    """
    if names_record and not _ENGLISH.search(quote):
        return False
    at = quote.casefold().find(value.casefold())
    if at < 0:
        return False
    before, after = quote[:at], quote[at + len(value) :]
    if _RELATED.search(before):
        return True
    following = _NEXT_WORD.match(after)
    if following is not None and (following["word"] is None or not _is_no_noun(following["word"])):
        return True
    is_change = family_of(verb_class) == "change" or _MOVES.search(quote) is not None
    if "@" in value:
        # "The invoice from bob@... was forwarded", "the address of ann@..." name nobody who was written to.
        return (_RIGHT_TO if is_change else _ADDRESSED).search(before) is None
    # "Your meeting on May 3 has been moved" says from where; "... to May 3" says where to.
    return is_change and _MOVED_TO.search(before) is None


def _is_no_noun(word: str) -> bool:
    return word in _NO_NOUNS or word.endswith("ly")
