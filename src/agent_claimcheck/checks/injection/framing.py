"""Is an order given, or talked about? Prose on security quotes orders without giving them.

A reader must not miss: quoting alone excuses nothing, because an attacker can quote too. A quoted match is only less sure
(``possible_injection``); it is passed over (``mentioned``) when the text around it speaks about such attacks as well.
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


class Rating(Struct, frozen=True):
    """What a match amounts to where it stands."""

    verdict: ScanVerdict
    confidence: float
    is_quoted: bool


def rate(match: TextMatch, text: str, extraction_confidence: float = 1.0) -> Rating:
    """Rate one match of ``text``. ``extraction_confidence`` in [0, 1] says how surely the text was read at all."""
    confidence = match.confidence * extraction_confidence
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
