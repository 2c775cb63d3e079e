"""Claims that a rule pack's patterns find in the final message.

One claim per type and pack pattern set: the first match that is not denied gives the span, named groups of all matches
fill the subject, earlier ones first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent_claimcheck.core.patterns import PatternSet
from agent_claimcheck.evidence.claims.asserted import is_asserted
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.negation import is_denied, may_deny
from agent_claimcheck.packs.language import ClaimPattern, RulePack

GENERIC_PACK = "generic"
_MATCHES_READ = 50
"""Matches looked at per pattern: a message that repeats a word a thousand times claims it once."""

_KEPT_PLANS = 256
_CHOICE = re.compile(r"\(\?P<(?P<field>\w+)>(?P<values>[A-Za-z _-]{2,30}(?:\|[A-Za-z _-]{2,30}){1,20})\)")
"""A group that names the few values of a field."""


class PatternPlan:
    """The claim patterns of the packs that apply to a trace, by claim type, in pack order then pattern order.

    ``own`` are the claim types for which the user's packs have patterns. The generic pack's patterns are not among them.
    """

    __slots__ = ("_by_type", "_set", "choices", "own", "packs")

    def __init__(self, packs: Sequence[RulePack]) -> None:
        self.packs = tuple(packs)
        specific = [pack for pack in packs if pack.name != GENERIC_PACK]
        self.own = frozenset(pattern.claim_type for pack in specific if pack.is_user for pattern in pack.claim_patterns)
        by_type: dict[str, list[ClaimPattern]] = {}
        for pack in specific:
            for pattern in pack.claim_patterns:
                known = by_type.setdefault(pattern.claim_type, [])
                if pattern not in known:
                    known.append(pattern)
        self.choices = _choices(packs)
        """Claim type and field -> the sets of values that a pack knows for it, in the order of the packs."""
        count = 0
        self._by_type: list[tuple[str, list[tuple[int, ClaimPattern]]]] = []
        for claim_type, patterns in by_type.items():
            self._by_type.append((claim_type, list(enumerate(patterns, count))))
            count += len(patterns)
        self._set = PatternSet([pattern.pattern for patterns in by_type.values() for pattern in patterns])

    def match(self, text: str, non_success: frozenset[str]) -> list[SuccessClaim]:
        """Return the claims that the patterns find in ``text``, one per type at most."""
        hits = self._set.hits(text)
        if not hits:
            return []
        claims = []
        is_plain = not may_deny(text)
        for claim_type, numbered in self._by_type:
            patterns = [pattern for number, pattern in numbered if number in hits]
            if not patterns:
                continue
            claim = _first_claim(
                text,
                claim_type,
                patterns,
                is_success=claim_type not in non_success,
                is_plain=is_plain,
                is_own=claim_type in self.own,
            )
            if claim is not None:
                claims.append(claim)
        return claims


def _choices(packs: Sequence[RulePack]) -> dict[tuple[str, str], list[frozenset[str]]]:
    choices: dict[tuple[str, str], list[frozenset[str]]] = {}
    for pack in packs:
        own: dict[tuple[str, str], frozenset[str]] = {}
        for pattern in pack.claim_patterns:
            for found in _CHOICE.finditer(pattern.pattern.source):
                place = pattern.claim_type, found["field"]
                values = frozenset(part.strip().casefold() for part in found["values"].split("|"))
                own[place] = own.get(place, frozenset()) | values
        for place, values in own.items():
            choices.setdefault(place, []).append(values)
    return choices


_plans: dict[tuple[int, ...], PatternPlan] = {}


def plan_for(packs: Sequence[RulePack]) -> PatternPlan:
    """Return the plan of these packs. It holds them, so their identities cannot be taken by other objects."""
    key = tuple(map(id, packs))
    plan = _plans.get(key)
    if plan is None:
        if len(_plans) >= _KEPT_PLANS:
            _plans.clear()
        plan = _plans[key] = PatternPlan(packs)
    return plan


def _first_claim(
    text: str, claim_type: str, patterns: list[ClaimPattern], *, is_success: bool, is_plain: bool, is_own: bool
) -> SuccessClaim | None:
    """``is_plain``: nothing in ``text`` denies anything. ``is_own``: a pattern of the user's, which no grammar stands by."""
    span: tuple[int, int] | None = None
    subject: dict[str, Any] = {}
    for pattern in patterns:
        has_groups = bool(pattern.pattern.group_names)
        if span is not None and not has_groups:
            continue
        if is_plain and not has_groups and not is_own:
            match = pattern.pattern.search(text)
            span = match.span() if match is not None else None
            continue
        for count, match in enumerate(pattern.pattern.finditer(text)):
            if count >= _MATCHES_READ:
                break
            if is_own and is_success:
                if not is_asserted(text, match.span(), pattern.pattern.source.lower()):
                    continue
            elif not is_plain and is_denied(text, match.span()):
                continue
            if span is None:
                span = match.span()
            if not has_groups:
                break
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
