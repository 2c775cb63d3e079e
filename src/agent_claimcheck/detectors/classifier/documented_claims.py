"""How many claims the documented reader counts: one per claim type, by the documented patterns and negation guard.

A reader must not miss: this is only the input of two documented features. What a run really claims is read by
``evidence.claims``, which sees far more.
"""

from __future__ import annotations

import re

from agent_claimcheck.evidence.case import Evidence

_PATTERNS: dict[str, tuple[tuple[str, ...], ...]] = {
    "booking": ((r"\b(?:booked|scheduled|confirmed)\b",), (r"\binvit(?:e|ation)\b",)),
    "crm": (
        (r"\bupdat(?:e|ed|ing)\b",),
        (r"\bnote\b.{0,200}?\badded\b", r"\badded\b.{0,200}?\bnote\b"),
        (
            r"\b(?:chang|mov|advanc)(?:e|ed|ing)\b.{0,200}?\b(?:stage|deal)\b.{0,200}?\bto\b",
            r"\b(?:stage|deal)\b.{0,200}?\b(?:chang|mov|advanc)(?:e|ed|ing)\b.{0,200}?\bto\b",
        ),
    ),
    "coding": (
        (r"\ball tests?\b.{0,200}?\bpass", r"\btests?\b.{0,200}?\bpass(?:ed|ing)?\b"),
        (r"\bfix(?:ed|es)?\b",),
        (r"\bcommit(?:ted)?\b",),
    ),
}
"""Documented claim patterns per built-in pack: a row is one claim type."""
_GENERIC = (r"\b(?:done|completed|finished)\b", r"\ball set\b")
_COMPILED = {
    name: tuple(re.compile("|".join(patterns), re.IGNORECASE) for patterns in rows) for name, rows in _PATTERNS.items()
}
_COMPILED_GENERIC = re.compile("|".join(_GENERIC), re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DENIES = re.compile(
    r"couldn't|could not|can't|cannot|unable to|failed to|did not|didn't|wasn't able|was not able|haven't|have not"
    r"|never|no longer|\b(?:was|is|were|are|has|have)(?:n['’]t| not)\b",
    re.IGNORECASE,
)
_LONGEST = 4_000
"""Characters of the final text that are read."""
_MATCHES = 20


def count_documented_claims(evidence: Evidence) -> tuple[int, bool]:
    """Return how many success claims the documented reader finds, and whether it took them from the text."""
    declared = evidence.view.final_claim.claims
    if declared:
        refused = evidence.settings.non_success_types
        return sum(claim.type not in refused for claim in declared), False
    text = (evidence.view.final_claim.text or "")[:_LONGEST]
    found = sum(_is_claimed(pattern, text) for pack in evidence.packs for pattern in _COMPILED.get(pack.name, ()))
    found += _count_own(evidence, text)
    if not found:
        found = int(_is_claimed(_COMPILED_GENERIC, text))
    return found, found > 0


def _count_own(evidence: Evidence, text: str) -> int:
    types = {
        pattern.claim_type
        for pack in evidence.packs
        if pack.is_user
        for pattern in pack.claim_patterns
        if pattern.pattern.search(text)
    }
    return len(types)


def _is_claimed(pattern: re.Pattern[str], text: str) -> bool:
    """True when a match stands in a sentence that does not deny it before."""
    for count, match in enumerate(pattern.finditer(text)):
        if count >= _MATCHES:
            return False
        start = max((end.end() for end in _SENTENCE.finditer(text, 0, match.start())), default=0)
        if not _DENIES.search(text, start, match.start()):
            return True
    return False
