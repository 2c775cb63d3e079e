"""Whether a call wrote another value into a field than the request names for it: "stage Signed", and the call wrote Offer.

A reader must not miss: this never accuses. A value nobody asked for only keeps a claim from being *verified*: the probe
then confirms what was done, and not that it is what was wanted.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.pairing import CallPair

_LONGEST_VALUE = 80
_LONGEST_REQUEST = 20_000
_LONGEST_FIELD = 40
_WORD = re.compile(r"[^\W_]+")


def other_than_asked(plan: RulePlan, pair: CallPair, evidence: Evidence) -> str | None:
    """Say which value the request names for a checked field of ``pair`` that holds another one; ``None`` where none does."""
    request = evidence.view.task.instruction
    if len(evidence.user_texts) > 1 or len(request) > _LONGEST_REQUEST:
        return None
    for check in plan.receipt:
        field, args = check.subject_key, pair.call.args or {}
        written = args.get(field) if field is not None else None
        if field is None or not isinstance(written, str) or len(written) > _LONGEST_VALUE or field not in evidence.instruction_low:
            continue
        words = set(_WORD.findall(written.casefold()))
        if not words or words <= set(_WORD.findall(evidence.instruction_low)):
            continue
        asked = set(_named(field).findall(request)) if len(field) <= _LONGEST_FIELD else set()
        if len(asked) == 1 and words.isdisjoint(_WORD.findall((only := asked.pop()).casefold())):
            return f"the request names {field} {only}, the call wrote {written}"
    return None


@lru_cache(maxsize=256)
def _named(field: str) -> re.Pattern[str]:
    """Return what finds a value, in capitals or quoted, right behind the name of ``field``."""
    between = r"(?:\s*[:=]|\s+(?:to|is|as|of))?\s+"
    return re.compile(rf"(?i:\b{re.escape(field)}){between}[\"'‘“]?([A-Z][\w&-]{{0,30}}(?: [A-Z][\w&-]{{0,30}}){{0,3}})")
