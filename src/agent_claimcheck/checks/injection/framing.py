"""Is an order given, or talked about? Prose on security quotes orders without giving them.

A reader must not miss: quoting alone excuses nothing, because an attacker can quote too, and neither does the word "example". A
quoted match is only less sure (``possible_injection``); it is passed over (``mentioned``) when the text around it speaks about
such attacks as well, or says right behind the closed quotation that it is an attack or what is done against it.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from agent_claimcheck.checks.injection.scan import TextMatch

ScanVerdict = Literal["suspicious", "possible_injection", "mentioned"]

SURE = 0.7
"""Confidence from which a match is ``suspicious``; below it is ``possible_injection``."""
_DOUBT = 0.5
_AROUND = 100
_WIDER = 600
_EDUCATIONAL = re.compile(
    r"\b(?:training|examples?|e\.g|quoting|quoted?|the (?:phrases?|words|string|text|sentence)|"
    r"documentation|such as|for instance|known as|called|like)\b",
    re.IGNORECASE,
)
_SECURITY = re.compile(
    r"\b(?:prompt[- ]injections?|injection attacks?|jailbreak\w*|attackers?|adversar\w+|malicious|"
    r"red[- ]team\w*|vulnerab\w+|exploits?|phishing|"
    r"threat (?:model|actor)s?|owasp|security (?:research\w*|teams?|guid\w+|awareness|polic\w+)|"
    r"untrusted (?:input|content|data|text)|guardrails?|"
    r"mitigations?|defen[cs]es?|detect(?:s|ed|ion|or|ors|ing)?|sanitiz\w+|payloads?|social engineering|attacks?)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:^|[\s(\[>])\\?([\"'`“‘«])[^\"'`“”‘’«»\n]{0,120}\Z")
_CLOSING_OF = {"“": "”", "‘": "’", "«": "»"}
_IN_RECORD = re.compile(r"[\"']\s{0,3}:\s{0,3}\Z|[\[{,]\s{0,3}\Z")
"""What stands before a quotation mark that belongs to a record and quotes nothing."""
_CONCRETE = re.compile(r"@[\w-]+\.|https?:|www\.|\b[a-z]{2}\d{2}[a-z0-9]{8,30}\b", re.IGNORECASE)
"""Where something is to go: no text about attacks needs a real address in its example."""
_ATTACK = r"(?:attacks?|exploits?|payloads?|jailbreaks?|(?:prompt[- ])?injections?(?: (?:attempts?|phrases?|strings?|patterns?))?)"
_AGAINST = re.compile(
    rf"[\"'`”’»\\]{{1,2}}[.,;]?\s{{0,3}}(?:"
    rf"(?:is|are|was|were)(?: an?| the)?(?: (?:well[- ]known|known|common|classic|typical|textbook)){{0,2}} {_ATTACK}\b|"
    r"(?:is|are|was|were|gets?)(?: (?:always|now|then|also)){0,2} "
    r"(?:filtered|blocked|rejected|detected|flagged|stripped|refused)\b|"
    r"(?:and |but )?(?:we|(?:our|the|this|a) (?:[\w-]{1,20} ){1,3}?)\s?(?:always )?"
    r"(?:filter|block|reject|detect|flag|catch|strip|refuse)(?:e?s|ed)?(?: (?:it|this|that|them|such|these))\b)",
    re.IGNORECASE,
)
"""What may follow the closing mark: that it is an attack, or what is done against it."""
_BEHIND = 160
_LONGEST_QUOTE = 240


class Rating(Struct, frozen=True):
    """What a match amounts to where it stands."""

    verdict: ScanVerdict
    confidence: float
    is_quoted: bool


def rate(match: TextMatch, text: str, extraction_confidence: float = 1.0) -> Rating:
    """Rate one match of ``text``. ``extraction_confidence`` in [0, 1] says how surely the text was read at all."""
    confidence = match.confidence * extraction_confidence
    if match.disguise is None and _is_answered_quotation(match, text):
        return Rating("mentioned", confidence * _DOUBT, True)
    is_quoted = match.disguise is None and _is_quoted_example(match, text)
    if is_quoted:
        confidence *= _DOUBT
        around = text[max(0, match.start - _WIDER) : match.end + _WIDER]
        if len({found.lower() for found in _SECURITY.findall(around)}) >= 2:
            return Rating("mentioned", confidence, True)
    return Rating("suspicious" if confidence >= SURE else "possible_injection", confidence, is_quoted)


def _is_quoted_example(match: TextMatch, text: str) -> bool:
    before = text[max(0, match.start - _AROUND) : match.start + 2]
    after = text[max(match.start, match.end - 2) : match.end + _AROUND]
    if not any(quote in before and quote in after for quote in '"`“«') and not ("“" in before and "”" in after):
        return False
    return (
        _EDUCATIONAL.search(before) is not None
        or _EDUCATIONAL.search(after) is not None
        or _SECURITY.search(before) is not None
    )


def _is_answered_quotation(match: TextMatch, text: str) -> bool:
    """True for a match inside one quotation without an address, right behind which it is called an attack or fended off."""
    start, end = match.start, match.end
    while start < end and not text[start].isalnum():  # a pattern may take the mark before its first word
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    before = text[max(0, start - _LONGEST_QUOTE) : start]
    opening = _OPENING.search(before)
    if opening is None or _IN_RECORD.search(before[: opening.start(1)].rstrip("\\")):
        return False
    mark = _CLOSING_OF.get(opening[1], opening[1])
    close = text.find(mark, end, end + _LONGEST_QUOTE)
    quotation = before[opening.end(1) :] + text[start:close]
    if close < 0 or "\n" in quotation or _CONCRETE.search(quotation):
        return False
    return _AGAINST.match(text, close, close + _BEHIND) is not None
