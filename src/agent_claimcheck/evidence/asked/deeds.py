"""Which deeds a request asks for: "Find the notes and mail them to Odile" asks to mail.

A reader must not miss: plain orders alone. A sentence with a condition or a choice asks for nothing certain, and what can be
made in the reply itself (a list, a plan) is no deed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from agent_claimcheck.core.late_pattern import late_pattern

_LEADS = (
    r"(?:^|[.!?;:,\n]\s{0,40}+|\d[.)]\s+|\b(?:and|then|also|please|can you|could you|you to|help me|help me to)\s+)"
)
_REST = r"\b(?!\w)(?P<rest>[^.!?;\n]{0,120})"
_ASKED = late_pattern(
    rf"{_LEADS}(?P<verb>send|e-?mail|mail(?= (?:it|them|this|that|these|those|him|her|the|an?|my|our)\b)|message|forward|book"
    r"|reserve|create|add|append|schedule|cancel|delete|remove|invite|transfer|pay|post|share|upload|submit|reschedule|update"
    r"|change|adjust|modify|rename|set up)" + _REST,
    re.IGNORECASE,
)
_ASKED_VAGUELY = late_pattern(
    rf"{_LEADS}(?P<verb>move|switch|turn|put|reset|close|order|buy|rent|refund|return|exchange|register|enroll?|subscribe"
    r"|unsubscribe|block|unblock|activate|deactivate|renew|extend|call off|merge|deploy|publish|approve|assign)"
    + _REST,
    re.IGNORECASE,
)
"""Verbs that are too wide for one class of deeds."""
CLASS_OF_VERB = {
    "send": "sent", "email": "sent", "e-mail": "sent", "mail": "sent", "message": "sent", "forward": "sent", "book": "booked",
    "reserve": "booked", "create": "created", "add": "added", "append": "added", "schedule": "scheduled",
    "cancel": "cancelled", "delete": "deleted", "remove": "deleted", "invite": "invited", "transfer": "paid", "pay": "paid",
    "post": "posted", "share": "shared", "upload": "uploaded", "submit": "submitted",
    "reschedule": "rescheduled", "update": "updated", "change": "changed", "adjust": "changed", "modify": "changed",
    "rename": "renamed", "set up": "created",
}  # fmt: skip
"""Verbs by the class of deed a claim of them would be."""
_FIRST_WORDS = frozenset(word for verb in CLASS_OF_VERB for word in verb.replace("-", " ").split()[:1])
_MADE = frozenset({"created", "added"})
_OF_THINGS = frozenset(
    {"create", "add", "append", "update", "change", "adjust", "modify", "share", "post", "set up", "remove"}
)
"""Verbs that may be meant of the words of the reply; they count only with one of ``_THINGS``."""
_THINGS = late_pattern(
    r"\b(?:events?|meetings?|appointments?|reminders?|calendars?|files?|folders?|documents?|channels?|groups?|reservations?"
    r"|bookings?|orders?|payments?|transactions?|accounts?|address|passwords?|tickets?|records?|contacts?|rent|drive"
    r"|subscriptions?|workspace|website)\b",
    re.IGNORECASE,
)
DATED = late_pattern(r"\b(?:event|meeting|appointment|reminder)s?\b", re.IGNORECASE)
"""What is made in a calendar: no mail or file makes it."""
_CHOICE = late_pattern(
    r"\b(?:if|unless|otherwise|instead|or|whether|when|in case|how to|able to|want to|going to)\b", re.IGNORECASE
)
_CHOICE_WORDS = frozenset(
    {"if", "unless", "otherwise", "instead", "or", "whether", "when", "case", "how", "able", "want", "going"}
)
"""One of these is in all that ``_CHOICE`` finds."""
_WORD = late_pattern(r"[^\W_]+")
_MESSAGE_ONLY = late_pattern(r"\b(?:me|summary|list|table|reply|answer)\b", re.IGNORECASE)
_OF_PLACES = frozenset({"book", "reserve"})
"""Whose table is one to sit at."""
_PLAIN_ORDER = late_pattern(
    r"(?:^|[.!\n]\s{0,40}+)(?:(?i:please|hi|hey|hello|ok|now|then)\b[,!]? )*(?P<verb>[A-Za-z]{3,15}) (?:(?:up|on|off|out|in|down|back) )?"
    r"(?:my|our|the|this|that|these|those|me|us|it|him|her|them|his)\b(?! (?:is|are|was|were|has|have)\b)"
)
_FIRST_WORD = late_pattern(
    r"(?:^|[.!\n]\s{0,40}+)(?:(?i:please|hi|hey|hello|ok|now|then)\b[,!]? )*(?P<verb>[A-Za-z]{3,15})\b(?!\?)"
)
_REPLIES = frozenset(
    {"and", "answer", "are", "but", "calculate", "choose", "compare", "compute", "count", "define", "did", "does", "draft", "estimate",
     "evaluate", "explain", "for", "from", "get", "give", "has", "have", "help", "identify", "inspect", "is", "let", "lets", "list", "name",
     "need", "note", "order", "rank", "rate", "read", "recommend", "remind", "repeat", "review", "say", "search", "see", "show", "sort",
     "suggest", "summarise", "summarize", "teach", "tell", "thank", "thanks", "translate", "verify", "walk", "want", "was", "were", "what",
     "when", "where", "which", "who", "why", "with", "write"}
)  # fmt: skip
"""First words that ask for words alone, or are no verbs of an order."""
_WRITES = frozenset({"draft", "rank", "sort", "translate", "write"})
_IRREGULAR = {
    "bind": "bound", "break": "broken", "bring": "brought", "build": "built", "buy": "bought", "choose": "chosen", "cut": "cut",
    "draw": "drawn", "feed": "fed", "freeze": "frozen", "give": "given", "hide": "hidden", "hold": "held", "keep": "kept",
    "lend": "lent", "make": "made", "pay": "paid", "put": "put", "reset": "reset", "run": "run", "sell": "sold", "send": "sent",
    "set": "set", "shut": "shut", "split": "split", "take": "taken", "undo": "undone", "unfreeze": "unfrozen", "withdraw": "withdrawn",
    "rewrite": "rewritten", "write": "written",
}  # fmt: skip
"""Participles that are not made with an ending."""
_FAILURE = late_pattern(
    r"\b(?:unable|cannot|can't (?!be undone)|(?:could|did|was|has|have|had|is|are|were|does)(?:n't| not)|fail(?:s|ed|ure|ures|ing)?|sorry"
    r"|unfortunately|apolog\w*|refus\w*|reject\w*|denied|errors?|not (?:able|allowed|possible|permitted|found)|unsuccessful\w*|still"
    r"|however|but|would|should|instead|until|once|must|please|already|unless|impossible|issue|problem)\b"
)
_DENIED_BEFORE = late_pattern(
    r"\b(?:not?|never|nothing|none|nobody|neither|nor|if|when|whether|once|to|be|being|will|may|might|can|could|only(?= by))\b|n't\b"
)
_DENIED_BEHIND = late_pattern(r"[^\w.!?\n]{1,3}(?:no|not|none|nothing|never|nobody|by|when|if|on|automatically|only)\b")
_CLAUSE_END = late_pattern(r"[.;:!?\n]+(?=\s|$)|,\s|\s[-–—]\s|\b(?:so|because|which)\b")
_READ = 4000
"""Characters of the request that are read."""


class AskedDeed(NamedTuple):
    """One order: its verb, the class of a claim to have carried it out, the words after the verb, and ``[start, end)`` of the
    verb with what leads up to it in the request.
    """

    verb: str
    wanted: str
    rest: str
    start: int
    end: int


def asked_deeds(request: str, words: Set[str] | None = None) -> Iterator[AskedDeed]:
    """Yield the deeds of one class that ``request`` asks for, in their order.

    ``words`` are all its words, case-folded, where they are known.
    """
    if words is not None and words.isdisjoint(_FIRST_WORDS):
        return
    for match in _orders(_ASKED, request, words):
        verb, rest = match["verb"].lower(), match["rest"]
        wanted = _class_asked(verb, rest)
        if wanted is not None:
            yield AskedDeed(verb, wanted, rest, match.start(), match.end("verb"))


def asks_for_a_deed(request: str) -> bool:
    """True when ``request`` orders something to be done, whatever it may be."""
    return any(next(_orders(pattern, request), None) is not None for pattern in (_ASKED, _ASKED_VAGUELY))


def is_plain_order(request: str) -> bool:
    """True when a sentence of ``request`` begins like an order, whatever its verb: "Freeze my card"; not for words of a reply."""
    return any(found["verb"].lower() not in _REPLIES for found in _PLAIN_ORDER.finditer(request[:_READ]))


def is_order_repeated(request: str, text: str) -> bool:
    """True when a verb with which a sentence of ``request`` begins is told as a deed in ``text``: "File claim ...", "is filed"."""
    words = set(_WORD.findall(text[:_READ].casefold()))
    for found in _FIRST_WORD.finditer(request[:_READ]):
        verb = found["verb"].lower()
        if verb not in _REPLIES and not words.isdisjoint(participles(verb)):
            return True
    return False


def tells_order_done(request: str, text: str) -> bool:
    """True when the clause of ``text`` that tells the ordered deed denies nothing before it, and nothing else tells of a failure.

    "Ticket 88 is closed without a note", "never mind the warning, ticket 88 is closed": what is denied there is another matter.
    """
    low = text[:_READ].casefold().replace("’", "'")
    if tells_failure(low):
        return False
    deeds = set(order_words(request)) - {found["verb"].lower() for found in _FIRST_WORD.finditer(request[:_READ])}
    start = 0
    for stop in [*(found.start() for found in _CLAUSE_END.finditer(low)), len(low)]:
        told = next((found for found in _WORD.finditer(low, start, stop) if found[0] in deeds), None)
        if (
            told is not None
            and not _DENIED_BEFORE.search(low, start, told.start())
            and not _DENIED_BEHIND.match(low, told.end())
        ):
            return True
        start = stop
    return False


def tells_failure(low: str) -> bool:
    """True when a word of the lower-case text ``low`` may tell of a failure, a condition or a matter still open."""
    return _FAILURE.search(low) is not None


def order_words(request: str, *, of_files: bool = False) -> Iterator[str]:
    """Yield the verbs with which the sentences of ``request`` begin, and their participles."""
    for verb in first_words(request, of_files=of_files):
        yield from (verb, *participles(verb))


def first_words(request: str, *, of_files: bool = False) -> Iterator[str]:
    """Yield the words with which the sentences of ``request`` begin where they may order something.

    With ``of_files`` also those that ask for words, where these are words of a file: to write tests.
    """
    for found in _FIRST_WORD.finditer(request[:_READ]):
        verb = found["verb"].lower()
        if verb not in _REPLIES or (of_files and verb in _WRITES):
            yield verb


def participles(verb: str) -> tuple[str, ...]:
    """Return the spellings that the participle of ``verb`` may have; not all of them are words."""
    regular = (f"{verb}d", f"{verb}ed", f"{verb}{verb[-1]}ed", f"{verb[:-1]}ied")
    return (*regular, _IRREGULAR[verb]) if verb in _IRREGULAR else regular


def _orders(pattern: re.Pattern[str], request: str, words: Set[str] | None = None) -> Iterator[re.Match[str]]:
    """Yield where ``pattern`` finds a plain order."""
    for match in pattern.finditer(request[:_READ]):
        verb, rest = match["verb"].lower(), match["rest"]
        if words is None:
            words = set(_WORD.findall(request.casefold()))
        if not words.isdisjoint(_CHOICE_WORDS) and _CHOICE.search(_sentence(request, match.start())):
            continue
        if verb not in _OF_PLACES and _MESSAGE_ONLY.search(rest[:25]):
            continue
        if verb in _OF_THINGS and not _THINGS.search(rest):
            continue
        yield match


def _class_asked(verb: str, rest: str) -> str | None:
    wanted = CLASS_OF_VERB.get(verb)
    return "scheduled" if wanted in _MADE and DATED.search(rest) else wanted


def _sentence(text: str, at: int) -> str:
    start = max(text.rfind(mark, 0, at + 1) for mark in (". ", "! ", "? ", "\n")) + 1
    ends = [end for mark in (". ", "! ", "? ", "\n") if (end := text.find(mark, at + 1)) >= 0]
    return text[start : min(ends, default=len(text))]
