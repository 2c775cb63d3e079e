"""Values of a call that differ from what was claimed or asked: £46 of a claimed £64, the 24th for the 23rd.

A reader must not miss: this accuses nobody. An amount may be a part, a price without tax or in cents, and another time may
have been agreed on; so the claim is left open, or the reason says what differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.quantities import is_close, read_quantity
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.writes import Write

_AMOUNT = late_pattern(r"(?:^|_|[a-z](?=A))(?:amount|sum|total)(?:_(?:gbp|eur|usd))?$", re.IGNORECASE)
_MINUTES = late_pattern(r"(?:^|_|[a-z](?=M))(?:min|mins|minutes)$", re.IGNORECASE)
_MOMENT = late_pattern(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?")
_MOST_MULTIPLE = 1_000


def other_amount(claim: SuccessClaim, done: Sequence[Write]) -> str | None:
    """Say that the one call of the claimed kind wrote another amount than ``claim`` tells, and that nothing returned it."""
    said = claim.values.get("money")
    named = [write for write in done if class_covers(claim.verb_class or claim.type, write.effect)]
    if not isinstance(said, list) or len(said) != 1 or len(named) != 1:
        return None
    told = read_quantity(said[0])
    pair = named[0].pair
    amounts = [(key, number) for key, number in _numbers(pair.call.args) if _AMOUNT.search(key)]
    if told is None or len(amounts) != 1:
        return None
    key, written = amounts[0]
    others = [number for _, number in _numbers(parse_output(pair.result.output) if pair.result is not None else None)]
    if any(_may_be(told.value, number) for number in (written, *others)):
        return None
    return f"the claim says {said[0]}, {pair.call.name} wrote {key} {written:g}"


def other_minutes(done: Sequence[Write], evidence: Evidence) -> str | None:
    """Say that the one call that worked wrote another number of minutes than the only one that the closing text tells."""
    told = evidence.told.minutes if len(done) == 1 else None
    if told is None:
        return None
    pair = done[0].pair
    written = [(key, number) for key, number in _numbers(pair.call.args) if _MINUTES.search(key)]
    returned = [number for _, number in _numbers(parse_output(pair.result.output) if pair.result is not None else None)]
    if len(written) != 1 or told in (written[0][1], *returned):
        return None
    return f"the closing text says {told} minutes, {pair.call.name} wrote {written[0][0]} {written[0][1]:g}"


def other_time(proof: Write, evidence: Evidence) -> str | None:
    """Say that ``proof`` wrote another day or hour than the only one that the request names."""
    asked = evidence.request.named_time
    if asked is None:
        return None
    texts = [value.strip() for _, value in walk_fields(proof.pair.call.args or {}) if isinstance(value, str)]
    written = {text: f"{found[1]}T{found[2]}" for text in texts if (found := _MOMENT.fullmatch(text)) is not None}
    if len(written) != 1 or asked in written.values():
        return None
    return f"the request names {asked}, the call wrote {next(iter(written))}"


def _numbers(value: Any) -> Iterator[tuple[str, float]]:
    for key, leaf in walk_fields(value) if isinstance(value, dict | list) else ():
        quantity = read_quantity(leaf, strict=True)
        if quantity is not None and abs(quantity.value) < 1e15:
            yield key, float(quantity.value)


def _may_be(told: float, number: float) -> bool:
    """True when ``number`` may be what was told: the same, in cents, with a point for thousands, or one of several alike."""
    if any(is_close(told * one, abs(number)) or is_close(told, abs(number) * one) for one in (1, 100, 1000)):
        return True
    times = told / abs(number) if number else 0.0
    return 1.5 < times <= _MOST_MULTIPLE and is_close(times, round(times))
