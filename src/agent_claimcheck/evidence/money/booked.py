"""What a change booked: the one amount that its record holds afterwards and did not hold before.

A reader must not miss: where two amounts may have been booked before the agent spoke again, nothing is said of either.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.value_text import walk_values

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence
    from agent_claimcheck.evidence.writes import Write
    from agent_claimcheck.trace.pairing import CallPair

CENT = 0.011
"""Difference below which two amounts are the same."""
_FILLED_IN = late_pattern(r"(?:^|_)(?:difference|refund|charge|amount|adjustment)(?:$|_)")
_BACK = late_pattern(r"refund|reimburs|payback|chargeback")
_OUT = late_pattern(r"^(?:payment|charge|debit|purchase|sale)$")
_MOST_CALLS = 400
_MOST_FACTOR = 12
"""Persons, nights or months for which an amount may be told one by one."""
_MOST_TOLD = 10
_MOST_EARLIER = 50
_PRICE = late_pattern(r"price|amount|cost|fee|rate|total|fare|refund|difference|charge|deposit|balance", re.IGNORECASE)
_MOST_VALUES = 4_000


class Booking(Struct, frozen=True):
    """One amount that one change booked. ``before`` and ``step`` show the record without and with it.

    ``is_back`` is true where the money went back to the customer, ``None`` where the record does not say. ``record`` is its id,
    ``currency`` a code in lower case, '' where none is named, ``earlier`` are the amounts booked before it.
    """

    amount: float
    is_back: bool | None
    before: int
    step: int
    record: str
    currency: str
    earlier: tuple[float, ...] = ()

    def may_be_meant(self, told: Sequence[float], moved: Sequence[float]) -> bool:
        """True when an amount of ``moved`` may stand for this one, by rounding, as a part, a share or a sum of ``told``."""
        booked = abs(self.amount)
        if booked < CENT or len(told) > _MOST_TOLD or any(abs(one - booked) < CENT for one in told):
            return True
        if any(_is_rounded(one, booked) or _is_share(one, booked) or _is_share(booked, one) for one in moved):
            return True
        before = sum(self.earlier)
        known = (*self.earlier, before, before - self.amount, before + self.amount)  # what is paid in all by now
        if any(abs(one - abs(other)) < CENT for one in moved for other in known):
            return True
        sums = (sum(some) for n in range(2, len(told) + 1) for some in itertools.combinations(told, n))
        if any(abs(one - booked) < CENT for one in sums):
            return True
        return any(abs(abs(one - other) - booked) < CENT for one, other in itertools.combinations(told, 2))


def _is_rounded(said: float, booked: float) -> bool:
    return abs(said - booked) < 1 and (said == int(said) or booked == int(booked))


def _is_share(one: float, other: float) -> bool:
    """True when ``other`` is a few times ``one``, or the same in cents."""
    if one < CENT:
        return True
    times = round(other / one)
    return (1 < times <= _MOST_FACTOR or times == 100) and abs(one * times - other) < CENT * times


def bookings(evidence: Evidence) -> Iterator[Booking]:
    """Yield the amounts that are surely all that was booked before the agent spoke next."""
    spoke = [message.step for message in evidence.messages if message.step is not None]
    seen: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    unsure = {write.pair.call.i for write in evidence.writes}
    done = {write.pair.call.i: write for write in evidence.sorted_writes.done}
    unsure -= done.keys() | {write.pair.call.i for write in evidence.sorted_writes.failed}
    group: list[tuple[tuple[str, str] | None, list[Booking]]] = []
    since = -1
    for pair in evidence.calls[:_MOST_CALLS]:
        spoken = bisect_right(spoke, since)
        if spoken < len(spoke) and spoke[spoken] < pair.call.i:
            yield from _only(group)
            group, since = [], pair.call.i
        if pair.call.i in unsure:
            group.append((None, []))
        record = _record_of(pair, evidence)
        name = _name_of(record)
        write = done.get(pair.call.i)
        if write is not None:
            group.append((name, _new_in(write, record, seen.get(name) if name else None)))
        if name is not None and pair.result is not None and isinstance(record, dict):
            seen[name] = pair.result.i, record
    yield from _only(group)


def is_priced(amount: float, evidence: Evidence) -> bool:
    """True when some result holds the amount as a price or the like: it may be told of a part of what was booked."""
    for pair in evidence.calls[:_MOST_CALLS]:
        for path, value in itertools.islice(walk_values(_record_of(pair, evidence)), _MOST_VALUES):
            if _is_number(value) and abs(abs(value) - amount) < CENT and _PRICE.search(path[-200:]):
                return True
    return False


def _record_of(pair: CallPair, evidence: Evidence) -> Any:
    if pair.result is None:
        return None
    return evidence.receipt(pair).parsed if isinstance(pair.result.output, str) else pair.result.output


def _only(group: Sequence[tuple[tuple[str, str] | None, list[Booking]]]) -> Iterator[Booking]:
    booked = [booking for _, some in group for booking in some]
    if len(booked) == 1 and len({name for name, _ in group}) == 1:
        yield booked[0]


def _name_of(record: Any) -> tuple[str, str] | None:
    """Return key and value of the field that names the record: its first id."""
    if isinstance(record, dict):
        for key, value in itertools.islice(record.items(), 20):
            low = key.lower() if isinstance(key, str) else ""
            if (low == "id" or low.endswith("_id")) and isinstance(value, str | int) and not isinstance(value, bool):
                return low, str(value)[:200]
    return None


def _new_in(write: Write, record: Any, before: tuple[int, dict[str, Any]] | None) -> list[Booking]:
    """Return what the record holds after the change and did not hold before: entries of a list, or an amount filled in."""
    if before is None:
        return []
    step, old = before
    (_, name), found = _name_of(record) or ("", ""), []
    for key, value in record.items():
        was = old.get(key, value)  # a field that was not shown before says nothing
        for entry in _added(value, was):
            amount = _amount_of(entry)
            if amount is not None:
                is_back = _is_back(entry, amount, key.lower(), was)
                earlier = tuple(known for known in map(_amount_of, was[:_MOST_EARLIER]) if known is not None)
                currency = _currency(entry) or _currency(record)
                found.append(Booking(amount, is_back, step, write.step, name, currency, earlier))
        if was is None and _is_number(value) and _FILLED_IN.search(key.lower()):
            found.append(Booking(float(value), None, step, write.step, name, _currency(record)))
    return found


def _added(value: Any, was: Any) -> Sequence[Any]:
    """Return the entries that a list has behind those it had."""
    is_longer = isinstance(value, list) and isinstance(was, list) and len(was) < len(value)
    return value[len(was) :] if is_longer and value[: len(was)] == was else ()


def _currency(record: dict[str, Any]) -> str:
    return next((str(value).lower() for key, value in record.items() if "currency" in str(key).lower()), "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12


def _amount_of(entry: Any) -> float | None:
    if not isinstance(entry, dict):
        return None
    amounts = [float(value) for key, value in entry.items() if "amount" in str(key).lower() and _is_number(value)]
    return amounts[0] if len(amounts) == 1 else None


def _is_back(entry: dict[str, Any], amount: float, key: str, was: Sequence[Any]) -> bool | None:
    """Say by the words of the entry, or by its sign among payments, whether it pays back."""
    words = [value.lower() for name, value in entry.items() if isinstance(value, str) and "id" not in str(name).lower()]
    if "refund" in key or any(_BACK.search(word) for word in words):
        return True
    if any(_OUT.search(word) for word in words):
        return amount < 0
    earlier = [known for known in map(_amount_of, was) if known]
    if "payment" in key and earlier and amount and all(known > 0 for known in earlier):
        return amount < 0  # in a ledger of other things the sign may mean anything
    return None
