"""Whether a failed check compared a change with what it was a change of: 20 were received, and the stock reads 130.

A reader must not miss: this keeps a check from accusing, and confirms nothing. A total that a look-up saw before and that did
not move by what was written stays a contradiction.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_MORE = late_pattern(
    r"\b(?:add(?:s|ed|ing)?|receiv\w+|restock\w*|replenish\w*|book(?:ed)? in|deposit\w*|top(?:ped)?[ -]?up|credit\w*|award\w*|gave"
    r"|give[ns]?|increas\w+|increment\w*|rais\w+|earn\w*|load\w*|refill\w*)\b"
)
_EITHER = late_pattern(
    r"\b(?:adjust\w*|remov\w+|took|take[ns]?|withdr[aeo]w\w*|subtract\w*|deduct\w*|debit\w*|decreas\w+|decrement\w*|reduc\w+|consum\w+"
    r"|issu\w+|spen[dt]\w*|redeem\w*|used?|by [+-]?\d)\b"
)
"""Words for a change of a total, upwards or whichever way."""
_TOTALS = late_pattern(
    r"(?:^|_)(?:balance|total|stock|on_?hand|level|inventory|points|credits?|available|remaining|sum|count)(?:$|_)"
)
_MOST_LOOKUPS = 50
_ROUNDING = 6


def is_running_total(failed: FieldResult, pair: CallPair, probe: Step, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when ``failed`` may hold the total against what the call added to it or took from it."""
    written, total = _number(failed.expected), _number(failed.actual)
    field = failed.path.rsplit(".", 1)[-1]
    if failed.op != "equals" or written is None or total is None or not _TOTALS.search(field.casefold()):
        return False
    told = [value for _, value in walk_values(pair.call.args or {}) if isinstance(value, str)]
    words = " ".join([*evidence.effect(pair).words, claim.quote, *told[:_MOST_LOOKUPS]]).replace("_", " ").casefold()
    adds = _MORE.search(words) is not None
    if (not adds and _EITHER.search(words) is None) or _is_set_to(written, claim.quote):
        return False
    before = _seen_before(field, pair, probe, evidence)
    if before is not None:
        return round(abs(total - before), _ROUNDING) == round(abs(written), _ROUNDING)
    return not adds or total > written


def _is_set_to(written: float, quote: str) -> bool:
    """True for "adjusted to 20", which tells the total itself."""
    return re.search(rf"\bto\W{{1,3}}{re.escape(f'{written:g}')}(?![\d.]*\d)", quote) is not None


def _seen_before(field: str, pair: CallPair, probe: Step, evidence: Evidence) -> float | None:
    """Return what the last look-up of the record before the call showed under ``field``."""
    wanted = {str(value).casefold() for _, value in walk_values(probe.args or {})}
    for other in reversed(evidence.calls[-_MOST_LOOKUPS:]):
        is_look = evidence.effect(other).kind == "read" or other.call.name == probe.name
        if other.result is None or other.result.i > pair.call.i or not is_look:
            continue
        if not wanted <= {str(value).casefold() for _, value in walk_values(other.call.args or {})}:
            continue
        body = parse_output(other.result.output)
        found = next((value for path, value in walk_values(body) if path.rsplit(".", 1)[-1] == field), None)
        number = _number(found)
        if number is not None:
            return number
    return None


def _number(value: Any) -> float | None:
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,15}(?:\.\d{1,6})?", value.strip()):
        return float(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
