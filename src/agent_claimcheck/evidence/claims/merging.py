"""Settles what a speaker stands by: later denials take claims back, and a repeated claim is one claim.

A reader must not miss: a denial takes back only what it speaks about. "The flight could not be booked" after "I booked
the hotel" takes back nothing; "I was wrong, the booking did not go through" does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim

_TAKES_BACK = late_pattern(
    r"\b(?:i was (?:wrong|mistaken)|(?:my|a) mistake|mistakenly|misspoke|misstated|premature|"
    r"(?:my|the|an?) (?:earlier|previous|last) (?:message|statement|reply|answer|claim)|"
    r"i (?:earlier|previously|incorrectly|wrongly) (?:said|told|stated|reported)|"
    r"did(?: not|n't|nt) (?:actually )?go through|apolog\w+ for the (?:confusion|error|mistake))\b"
)
"""Ways to take back what was said, whatever it was."""

_CORRECTS = late_pattern(r"\b(?:in fact|actually|really|turns out|correction)\b")
"""Words that turn the denial of a deed into a correction; alone they say too little."""

_DISTINGUISHING = ("id", "email", "url", "path")
_TELLING = ("date", "money")
_NUMBER = late_pattern(r"\d+")
_WORD = late_pattern(r"[a-z]{3,}")


class Said(Struct, frozen=True):
    """One thing said: a claim, or (``claim`` is ``None``) a denial of the class ``denied``, with its sentence."""

    claim: SuccessClaim | None
    denied: str = ""
    sentence: str = ""


def settle(said: Iterable[Said], *, across_messages: bool) -> tuple[SuccessClaim, ...]:
    """Return the claims that stand after everything was said, in the order of their last wording.

    ``across_messages`` also merges a claim with an earlier one of its class that names no other thing.
    """
    standing: dict[tuple[Any, ...], SuccessClaim] = {}
    for item in said:
        if item.claim is None:
            _withdraw(standing, item)
            continue
        key = _key(item.claim)
        if key in standing and _are_two_deeds(standing[key], item.claim):
            key = (*key, item.claim.subject["object"])
        earlier = standing.pop(key, None)
        if earlier is None and across_messages:
            earlier = _pop_alike(standing, item.claim)
        if earlier is None:
            standing[key] = item.claim
        else:
            claim = _united(earlier, item.claim)
            standing[_key(claim)] = claim
    return tuple(standing.values())


def _are_two_deeds(one: SuccessClaim, other: SuccessClaim) -> bool:
    """True for "created the branch and opened PR 77": one clause, one class, two things."""
    mine, theirs = one.subject.get("object"), other.subject.get("object")
    return one.span == other.span and bool(mine and theirs) and mine != theirs


def _key(claim: SuccessClaim) -> tuple[Any, ...]:
    subject = claim.subject
    values = tuple(tuple(sorted(subject[kind])) for kind in _DISTINGUISHING if kind in subject)
    if values:
        return (claim.type, values)
    thing, names = subject.get("object"), tuple(subject.get("name", ()))
    if thing is None and not names:
        # In a language whose objects are not read, "created (20 July)" and "created (24 July)" are two.
        thing = tuple(value for kind in _TELLING for value in subject.get(kind, ()))
    return (claim.type, (), thing, names)


def _pop_alike(standing: dict[tuple[Any, ...], SuccessClaim], claim: SuccessClaim) -> SuccessClaim | None:
    """Take out the latest claim of the same class, said in another message, that may be about the same thing."""
    for looked, key in enumerate(reversed(standing)):
        if looked >= 40:
            return None
        earlier = standing[key]
        if (
            earlier.type == claim.type
            and earlier.step != claim.step
            and _are_compatible(earlier.subject, claim.subject)
        ):
            return standing.pop(key)
    return None


def _are_compatible(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """True when two subjects name no different thing: shared values where both name some."""
    shared = False
    for kind in (*_DISTINGUISHING, "money", "date", "name"):
        mine, theirs = one.get(kind), other.get(kind)
        if mine and theirs:
            if set(mine).isdisjoint(theirs):
                return False
            shared = True
    if shared:
        return True
    mine, theirs = one.get("object"), other.get("object")
    if mine and theirs and _NUMBER.findall(mine) != _NUMBER.findall(theirs):
        return False
    return not mine or not theirs or not set(_WORD.findall(mine)).isdisjoint(_WORD.findall(theirs))


def _united(earlier: SuccessClaim, later: SuccessClaim) -> SuccessClaim:
    subject = dict(later.subject)
    for kind, value in earlier.subject.items():
        mine = subject.get(kind)
        if mine is None:
            subject[kind] = value
        elif isinstance(mine, list) and isinstance(value, list):
            subject[kind] = [*mine, *(item for item in value if item not in mine)]
    return msgspec.structs.replace(later, subject=subject, confidence=max(earlier.confidence, later.confidence))


def _withdraw(standing: dict[tuple[Any, ...], SuccessClaim], denial: Said) -> None:
    if not standing:
        return
    retracts = _TAKES_BACK.search(denial.sentence) is not None or (
        denial.denied != "" and _CORRECTS.search(denial.sentence) is not None
    )
    words = set(_WORD.findall(denial.sentence)) if not retracts else set()
    for key in list(reversed(standing))[:40]:
        claim = standing[key]
        if denial.denied and claim.type not in (denial.denied, "completed"):
            continue
        if not denial.denied and not retracts:
            continue
        named = [value.lower() for kind in _DISTINGUISHING for value in claim.subject.get(kind, ())]
        mentioned = [value for value in named if value in denial.sentence]
        if named and not mentioned and re.search(r"\d{3}", denial.sentence):
            continue
        thing = set(_WORD.findall(str(claim.subject.get("object", ""))))
        if retracts or mentioned or (denial.denied and thing and not thing.isdisjoint(words)):
            if mentioned or retracts or claim.type == denial.denied:
                del standing[key]
            if not denial.denied:
                return
