"""Calls that have nothing to do with a claim: they changed something, and it was something else.

A reader must not miss: a call of unknown effect blocks an accusation, so a call is a bystander only when the claim names
what it is about, the call is not of the claimed class and carries words that a person can read, none of its values stands
in any result before it, and not one longer word of them in the request or in what was claimed. Internal ids, amounts in
minor units, hashes and coordinates are never said, so a call that carries nothing but these may be the one. Commands and
edits of files are never bystanders: what they carry is of another kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_NAMES = frozenset({"id", "email", "path", "quote", "money", "name"})
"""Kinds of value that tell one record from another."""

_TELLING = late_pattern(r"[\w@.+-]{4,}")
"""Words of a value long enough to tie it to what was said."""

_PHRASE = late_pattern(r"[^\W\d_]{3,} [^\W\d_]{2,}")
"""Two words, as people write them."""

_LONGEST_VALUE = 400
_MOST_VALUES = 40


def is_bystander(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when ``pair`` did another kind of thing, with values that nobody asked for, claimed, or returned before."""
    effect = evidence.effect(pair)
    if effect.is_shell or effect.is_file_change or class_covers(claim.verb_class or claim.type, effect):
        return False
    if not _names_something(claim):
        return False
    carried = _carried(pair)
    if not any(_PHRASE.search(value) for value in carried) or len(carried) > _MOST_VALUES:
        return False
    # The cheap questions first: what was said is one text, what was returned has to be written out to be searched.
    if _is_told(carried, claim, evidence) or _returned_what_is_claimed(pair, claim, evidence):
        return False
    return not _was_returned_before(pair, carried, evidence)


def _is_told(carried: list[str], claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when a value of the call, or one longer word of it, was said or claimed."""
    said = evidence.said_low
    for value in carried:
        if _stands_in(value, said):
            return True
    told = [part for value in carried for part in (value, *_TELLING.findall(value))]
    claimed = (claim.quote, *(str(value) for _, value in walk_values(claim.subject)))
    texts = (said, *(text.casefold() for text in claimed))
    return any(_stands_in(part, text) for text in texts for part in told)


def _was_returned_before(pair: CallPair, carried: list[str], evidence: Evidence) -> bool:
    """True when a result before the call holds one of its values."""
    earlier = (other.result for other in evidence.calls if other.result is not None and other.result.i < pair.call.i)
    returned = (evidence.output_text(result).casefold() for result in earlier)
    return any(_stands_in(value, text) for text in returned for value in carried)


def _names_something(claim: SuccessClaim) -> bool:
    if claim.source == "structured" and claim.subject:
        return True
    return bool(claim.subject.get("id")) or not _NAMES.isdisjoint(claim.values)


def _returned_what_is_claimed(pair: CallPair, claim: SuccessClaim, evidence: Evidence) -> bool:
    if pair.result is None:
        return False
    text = evidence.output_text(pair.result).casefold()
    return any(_stands_in(str(value).casefold(), text) for _, value in walk_values(claim.subject) if value != "")


def _carried(pair: CallPair) -> list[str]:
    """Return the values of a call, case-folded. A long text says too much to be compared, so it counts as related."""
    carried = []
    for _, value in walk_values(pair.call.args or {}):
        if isinstance(value, str):
            if value.strip():
                carried.append(value.strip().casefold() if len(value) <= _LONGEST_VALUE else "")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            carried.append(str(value))
    return carried


def _stands_in(value: str, text: str) -> bool:
    """True when ``value`` stands in ``text`` and is no piece of a longer word or number there."""
    if value not in text:
        return False
    at = text.find(value)
    while value and at >= 0:
        end = at + len(value)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(value, at + 1)
    return not value
