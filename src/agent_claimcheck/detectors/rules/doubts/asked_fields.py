"""The doubt that a call wrote another value than the request names: "stage Signed", and the call wrote Offer.

So it is with the one time, length, address or file of a request, where the claim openly names another.

A reader must not miss: this never accuses. The probe confirms what was done, and not that it is what was wanted.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.words import plain_words
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Confirmed, Doubt
from agent_claimcheck.detectors.rules.operators import ABSENT_REASON, Fields, run_against
from agent_claimcheck.detectors.rules.plans import RulePlan
from agent_claimcheck.detectors.rules.subject import named_values
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.pairing import CallPair

_LONGEST_VALUE = 80
_LONGEST_REQUEST = 20_000
_LONGEST_FIELD = 40


def other_than_asked(confirmed: Confirmed) -> Doubt | None:
    """Doubt a claim when the request names another value for a checked field of its call than the field holds."""
    plan, pair, evidence = confirmed.plan, confirmed.pair, confirmed.evidence
    other = _another_value(plan, pair, evidence) or _another_than_the_field_named(plan, pair, evidence)
    return Doubt("undecided", other) if other is not None else None


def _another_than_the_field_named(plan: RulePlan, pair: CallPair, evidence: Evidence) -> str | None:
    """Say which field of ``pair`` holds another value than the request gives right behind the name of that field."""
    args = pair.call.args or {}
    fields = [key for check in plan.receipt if (key := check.subject_key) is not None and key in args]
    if not fields:
        return None
    request, low = evidence.shared("standing_request", lambda: _request(evidence))
    if len(request) > _LONGEST_REQUEST:
        return None
    for field in fields:
        written = args[field]
        if field not in low or not isinstance(written, str) or len(written) > _LONGEST_VALUE:
            continue
        words = set(plain_words(written.casefold()))
        if words.issubset(plain_words(low)):
            continue
        asked = set(named_in_capitals(field).findall(request)) if len(field) <= _LONGEST_FIELD else set()
        if len(asked) == 1 and words.isdisjoint(plain_words((only := asked.pop()).casefold())):
            return f"the request names {field} {only}, the call wrote {written}"
    return None


def _request(evidence: Evidence) -> tuple[str, str]:
    """Return the standing request as it is written, and case-folded."""
    request = "\n".join(standing_turns(evidence))
    return request, request.casefold()


def _another_value(plan: RulePlan, pair: CallPair, evidence: Evidence) -> str | None:
    """Say which field of ``pair`` differs from the one value of its kind that the request or the closing text names."""
    for check in plan.receipt:
        if check.asked is None:
            continue
        for source, value in named_values(check.asked, evidence):
            output = pair.result.output if pair.result is not None else None
            fields = Fields(args=pair.call.args, output=output, subject={}, evidence=evidence)
            result = run_against(check, value, fields, source)
            if result.result == "fail" and result.reason != ABSENT_REASON:
                return f"{source} names {value}, and {check.path} is {result.actual}"
    return None


@lru_cache(maxsize=256)
def named_in_capitals(field: str, *, may_be_of: bool = True) -> re.Pattern[str]:
    """Return what finds a value, in capitals or quoted, right behind the name of ``field``; with ``may_be_of`` behind its "of" too."""
    between = rf"(?:\s*[:=]|\s+(?:to|is|as{'|of' if may_be_of else ''}))?\s+"
    return re.compile(
        rf"(?i:\b{re.escape(field)}){between}[\"'‘“]?([A-Z][\w&-]{{0,30}}(?: [A-Z][\w&-]{{0,30}}){{0,3}})"
    )
