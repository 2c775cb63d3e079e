"""Claims that a rule pack's patterns find in the final message.

One claim per type and pack pattern set: the first match that is not denied gives the span, named groups of all matches
fill the subject, earlier ones first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.negation import is_denied, may_deny
from agent_claimcheck.packs.language import ClaimPattern, RulePack

_MATCHES_READ = 50
"""Matches looked at per pattern: a message that repeats a word a thousand times claims it once."""


def match_packs(text: str, packs: Iterable[RulePack], non_success: frozenset[str]) -> list[SuccessClaim]:
    """Return the claims that the patterns of ``packs`` find in ``text``, in pack order then pattern order."""
    by_type: dict[str, list[ClaimPattern]] = {}
    for pack in packs:
        seen_here = {pattern.claim_type for pattern in pack.claim_patterns}
        for pattern in pack.claim_patterns:
            known = by_type.setdefault(pattern.claim_type, [])
            if pattern not in known and (pattern.claim_type in seen_here):
                known.append(pattern)
    claims = []
    is_plain = not may_deny(text)
    for claim_type, patterns in by_type.items():
        claim = _first_claim(text, claim_type, patterns, is_success=claim_type not in non_success, is_plain=is_plain)
        if claim is not None:
            claims.append(claim)
    return claims


def _first_claim(
    text: str, claim_type: str, patterns: list[ClaimPattern], *, is_success: bool, is_plain: bool
) -> SuccessClaim | None:
    """``is_plain``: nothing in ``text`` denies anything."""
    span: tuple[int, int] | None = None
    subject: dict[str, Any] = {}
    for pattern in patterns:
        for count, match in enumerate(pattern.pattern.finditer(text)):
            if count >= _MATCHES_READ:
                break
            if not is_plain and is_denied(text, match.span()):
                continue
            if span is None:
                span = match.span()
            for field, value in match.groupdict().items():
                if value is not None:
                    subject.setdefault(field, value)
    if span is None:
        return None
    return SuccessClaim(
        type=claim_type,
        subject=subject,
        source="extracted",
        span=span,
        quote=text[span[0] : span[1]],
        is_success=is_success,
    )
