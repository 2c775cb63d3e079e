"""The doubt that another of a few values was asked for: "mark it inspected", and the call wrote ``clean``.

The patterns of a pack name the values that a claim of its kind may have: ``(?P<status>clean|dirty|inspected)``.

A reader must not miss: this never accuses, and a value of which the request speaks by its stem was asked for.
"""

from __future__ import annotations

import re

from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.patterns import plan_for

_STEM = 5
_LONGEST = 20_000


def asks_another_choice(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when the request names another value of a claimed field than was claimed."""
    choices = plan_for(evidence.packs).choices
    if not choices:
        return None
    for _, claim in evidence.success_claims:
        for field, told in claim.subject.items():
            if not isinstance(told, str):
                continue
            known = choices.get((claim.type, field), ())
            values = next((found for found in known if told.casefold() in found), None)
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
