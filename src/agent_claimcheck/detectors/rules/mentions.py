"""Whether call and state probe show what the words of a claim name: its ids, times, amounts, names and numbers.

A reader must not miss: this never accuses. A value that neither shows only keeps a claim from being *verified*: the probe
then confirmed some write, and nobody knows that it was the claimed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from agent_claimcheck.detectors.rules.test_runs import is_test_claim
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.payload import text_of
from agent_claimcheck.evidence.values import TypedValue, compare, extract_values, walk_values
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_PLAIN_KINDS = ("id", "email", "path", "url")
_MOMENTS = {"date": frozenset({"date", "datetime"}), "time": frozenset({"time", "datetime"})}
_MOMENT_KINDS = frozenset().union(*_MOMENTS.values())
_MAY_BE_MOMENT = re.compile(r"\d|noon|midnight|midday", re.IGNORECASE)
_NAMING = frozenset((*_PLAIN_KINDS, *_MOMENTS, "name"))
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,15}(?:[.,]\d{1,6})*(?![\w:/-])")
_NEW_VALUE = re.compile(r"\bto\W{1,3}(?P<value>[^\W_][\w-]{0,40}(?: [\w-]{1,40}){0,2})\W*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_LENGTH = re.compile(r"^(\d+)-(?:min\w*|hours?|days?|weeks?|months?|nights?|people|persons?)$")
_SMALL = 12
"""Smaller whole numbers count and enumerate."""
_MOST_CALLS = 50
_LONGEST = 20_000
_LONGEST_MOMENT = 300


def not_shown(claim: SuccessClaim, pair: CallPair, probe: Step | None, evidence: Evidence) -> str | None:
    """Return the first value the claim names that neither the call nor ``probe`` holds; ``None`` when all are there.

    Only the words of extracted claims are looked at: what a declared claim names is compared by its rule.
    """
    if not may_be_unshown(claim):
        return None
    count = claim.values.get("count") or claim.subject.get("at_least")
    if isinstance(count, int) and count > 1:
        return f"{count} of them"
    if _NAMING.isdisjoint(claim.values) and not _DIGIT.search(claim.quote) and not _NEW_VALUE.search(claim.quote):
        return None
    others = [write.pair.call.args for write in evidence.writes[:_MOST_CALLS] if write.is_ok]
    sources = [*others, pair.call.args, pair.result.output if pair.result else None, probe.output if probe else None]
    shown = " ".join(text_of(source) for source in sources)[:_LONGEST]
    return next(iter(_missing(claim, shown, sources, evidence)), None)


def may_be_unshown(claim: SuccessClaim) -> bool:
    """False for claims whose words are not looked at."""
    return claim.source == "extracted" and not is_test_claim(claim.type)


def _missing(claim: SuccessClaim, written: str, sources: Sequence[Any], evidence: Evidence) -> Iterable[str]:
    values, text = claim.values, written.casefold()
    for kind in _PLAIN_KINDS:
        for value in _texts(values.get(kind)):
            said = _LENGTH.sub(r"\1", value.casefold()).removeprefix("#").removeprefix("./")
            if said not in text:
                yield value
    names = _texts(values.get("name"))
    absent = [name for name in names if not _is_named(name, text)]
    for name in absent:
        if _is_listed(name, names, absent, claim.quote) or not _is_known(name, evidence):
            yield name
    if any(kind in values for kind in _MOMENTS):
        shown = _moments(sources)
        for kind, kinds in _MOMENTS.items():
            for value in _texts(values.get(kind)):
                same_kind = [one for one in shown if one.kind in kinds]
                if same_kind and not _is_shown(value, same_kind, claim.quote, evidence):
                    yield value
    yield from _numbers(claim, text)
    new = _NEW_VALUE.search(claim.quote)
    if new is not None and not all(word in text for word in _WORD.findall(new["value"].casefold())):
        yield new["value"]


def _numbers(claim: SuccessClaim, text: str) -> Iterable[str]:
    """Yield the plain numbers of the claim that ``text`` lacks; those inside a date or a time were compared as such."""
    inside = " ".join(word for kind in (*_MOMENTS, *_PLAIN_KINDS) for word in _texts(claim.values.get(kind)))
    for number in _NUMBER.findall(claim.quote):
        plain = number.replace(",", "")
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        is_small = plain.isdigit() and len(plain) < 3 and int(plain) <= _SMALL
        if not is_small and number not in inside and plain not in text.replace(",", ""):
            yield number


def _moments(sources: Iterable[Any]) -> list[TypedValue]:
    return [
        found
        for source in sources
        for _, value in walk_values(source)
        if isinstance(value, str) and len(value) <= _LONGEST_MOMENT and _MAY_BE_MOMENT.search(value)
        for found in extract_values(value)
        if found.kind in _MOMENT_KINDS
    ]


def _is_shown(said: str, shown: Sequence[TypedValue], quote: str, evidence: Evidence) -> bool:
    """True when some moment of the call or the probe equals the one said. What cannot be compared shows nothing."""
    zoned = f"{said}Z" if re.search(rf"{re.escape(said)}\s?(?:UTC|GMT)\b", quote) else said
    if any(compare(zoned, one.raw, "datetime", evidence.zones) == "equal" for one in shown):
        return True
    # The same digits on the clock, whatever zone the record names.
    clock = next((one.value.removeprefix("--") for one in extract_values(said)), said)
    return zoned == said and any(clock in one.raw for one in shown)


def _is_named(name: str, text: str) -> bool:
    return any(word in text for word in _WORD.findall(name.casefold()))


def _is_listed(name: str, names: Sequence[str], absent: Sequence[str], quote: str) -> bool:
    """True for "Bob" in "Ann and Bob" when Ann is shown: one of several of a kind."""
    here = [other for other in names if other not in absent]
    return any(
        re.search(rf"{re.escape(a)}(?:,? and|,| &) {re.escape(b)}\b", quote)
        for other in here
        for a, b in ((name, other), (other, name))
    )


def _is_known(name: str, evidence: Evidence) -> bool:
    """True when request or results name it: the record may carry an id in its stead."""
    texts = [evidence.view.task.instruction, *evidence.user_texts]
    texts += [evidence.output_text(pair.result) for pair in evidence.calls if pair.result is not None]
    return any(_is_named(name, text.casefold()) for text in texts)


def _texts(values: Any) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
