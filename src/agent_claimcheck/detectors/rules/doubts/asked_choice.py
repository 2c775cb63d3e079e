"""The doubt that another of a few values was asked for: "mark it inspected", and the call wrote ``clean``.

The patterns of a pack name the values that a claim of its kind may have: ``(?P<status>clean|dirty|inspected)``.

A reader must not miss: this never accuses, and a value of which the request speaks by its stem was asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.packs.language import RulePack

_CHOICE = re.compile(r"\(\?P<(?P<field>\w+)>(?P<values>[A-Za-z _-]{2,30}(?:\|[A-Za-z _-]{2,30}){1,20})\)")
_STEM = 5
_LONGEST = 20_000


def asks_another_choice(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when the request names another value of a claimed field than was claimed."""
    for _, claim in evidence.success_claims:
        for field, told in claim.subject.items():
            if not isinstance(told, str):
                continue
            values = next(
                (found for pack in evidence.packs if told.casefold() in (found := _values(pack, claim.type, field))),
                None,
            )
            if values is None:
                continue
            request = "\n".join(evidence.asked)[:_LONGEST].casefold()
            if _names(told.casefold(), request):
                continue
            other = next((value for value in sorted(values) if _names(value, request)), None)
            if other is not None:
                return Doubt("undecided", f"the request names {other!r}, and the {field} that was claimed is {told!r}")
    return None


def _names(value: str, request: str) -> bool:
    return re.search(rf"\b{re.escape(value[: max(_STEM, len(value) - 2)])}", request) is not None


@lru_cache(maxsize=512)
def _choices(source: str) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (found["field"], frozenset(part.strip().casefold() for part in found["values"].split("|")))
        for found in _CHOICE.finditer(source)
    )


def _values(pack: RulePack, claim_type: str, field: str) -> frozenset[str]:
    """Return the values that the patterns of ``claim_type`` know for ``field``."""
    found: set[str] = set()
    for pattern in pack.claim_patterns:
        if pattern.claim_type == claim_type:
            for name, values in _choices(pattern.pattern.source):
                if name == field:
                    found |= values
    return frozenset(found)
