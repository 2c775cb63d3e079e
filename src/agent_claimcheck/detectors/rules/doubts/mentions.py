"""The doubt that call and state probe do not show what a claim names: its ids, times, amounts, names and numbers.

A reader must not miss: this never accuses. Where a value is shown by neither, the probe confirmed some write, and nobody
knows that it was the claimed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.confirmed import Confirmed, Doubt
from agent_claimcheck.detectors.rules.doubts.weekdays import WEEKDAYS, weekday_of
from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.payload import text_of
from agent_claimcheck.evidence.values.value_text import TypedValue, extract_values, walk_values
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_PLAIN_KINDS = ("id", "email", "path", "url")
_MOMENTS = {"date": frozenset({"date", "datetime"}), "time": frozenset({"time", "datetime"})}
_MOMENT_KINDS = frozenset().union(*_MOMENTS.values())
_MAY_BE_MOMENT = re.compile(r"\d|noon|midnight|midday", re.IGNORECASE)
_NAMING = frozenset((*_PLAIN_KINDS, *_MOMENTS, "name"))
_DIGIT = late_pattern(r"\d")
_NUMBER = late_pattern(r"(?<![\w.,:/-])\d{1,15}(?:[.,]\d{1,6})*(?![\w:/-])")
_NEW_VALUE = late_pattern(r"\bto\W{1,3}(?P<value>[^\W_][\w-]{0,40}(?: [\w-]{1,40}){0,2}?)(?: and)?\W*$", re.IGNORECASE)
_WORD = late_pattern(r"[^\W_]+")
_LENGTH = late_pattern(r"^(\d+)-(?:min\w*|hours?|days?|weeks?|months?|nights?|people|persons?)$")
_UTC = late_pattern(r"\s?(?:UTC|GMT)\b")
_OFFSET = re.compile(r"(?<=\d)[+-]\d\d:?\d\d$")
_EDGE = late_pattern(r"\b")
_ARTICLES = frozenset({"a", "an", "my", "our", "the", "your"})
_JOINTS = (" and ", ", and ", ", ", " & ")
_SMALL = 12
"""Smaller whole numbers count and enumerate."""
_MOST_CALLS = 50
_LONGEST = 20_000
_LONGEST_MOMENT = 300


def named_and_not_shown(confirmed: Confirmed) -> Doubt | None:
    """Doubt a claim of which neither the call nor the state probe shows some value that it names.

    Only the words of extracted claims are looked at: what a declared claim names is compared by its rule.
    """
    claim = confirmed.claim
    if claim.source != "extracted" or is_test_claim(claim.type):
        return None
    unshown = not_shown(claim, confirmed.pair, confirmed.probe, confirmed.evidence)
    if unshown is None:
        return None
    return Doubt("receipt_only", f"the claim names {unshown}, which the call and the state probe do not show")


def not_shown(claim: SuccessClaim, pair: CallPair, probe: Step | None, evidence: Evidence) -> str | None:
    """Return the first value the claim names that neither the call nor ``probe`` holds; ``None`` when all are there."""
    count = claim.values.get("count") or claim.subject.get("at_least")
    if isinstance(count, int) and count > 1 and not (_counts_tests(count, evidence) or _is_held(count, pair, probe)):
        return f"{count} of them"
    if _NAMING.isdisjoint(claim.values) and not _DIGIT.search(claim.quote) and not _NEW_VALUE.search(claim.quote):
        return None
    return next(_missing(claim, _shown_by(pair, probe, evidence), evidence), None)


def _counts_tests(count: int, evidence: Evidence) -> bool:
    """True for a number that a call returned and another claim tells of tests: "fixed in parse.py, 136 tests passing"."""
    is_told = any(
        is_test_claim(claim.type) and count in (claim.subject.get("count"), claim.subject.get("at_least"))
        for _, claim in evidence.success_claims
    )
    number = re.compile(rf"(?<!\d){count}(?!\d)")
    return is_told and any(
        pair.result is not None and number.search(evidence.output_text(pair.result)[:_LONGEST])
        for pair in evidence.calls[:_MOST_CALLS]
    )


def _is_held(count: int, pair: CallPair, probe: Step | None) -> bool:
    """True when a field of the call, and one of what ``probe`` read, hold the very number: ``tickets: 4``."""
    held = [{value for _, value in walk_values(source)} for source in (pair.call.args, probe and probe.output)]
    return all(count in values or str(count) in values for values in held)


def marks_not_shown(claim: SuccessClaim, pair: CallPair, probe: Step | None, evidence: Evidence) -> Iterator[str]:
    """Yield the ids, addresses, paths, dates and times of ``claim`` that neither the calls nor ``probe`` hold."""
    shown = _shown_by(pair, probe, evidence)
    yield from _missing_ids(claim, shown)
    yield from _missing_moments(claim, shown, evidence)


def _shown_by(pair: CallPair, probe: Step | None, evidence: Evidence) -> _Shown:
    output = pair.result.output if pair.result is not None else None
    read = probe.output if probe is not None else None
    return _Shown([*_left_standing(evidence), pair.call.args, output, read])


def _left_standing(evidence: Evidence) -> list[Any]:
    """Return what the calls that worked carried, without the values that a later change of the same record replaced."""
    standing: list[Any] = []
    changed: dict[tuple[str | None, tuple[tuple[str, str], ...]], dict[str, Any]] = {}
    for write in evidence.writes[:_MOST_CALLS]:
        args = write.pair.call.args
        if not write.is_ok or not args:
            continue
        ids = evidence.argument_ids(write.pair.call)
        if not ids or family_of(write.effect.verb_class) != "change":
            standing.append(args)
            continue
        record = changed.setdefault((write.pair.call.name, tuple(sorted(ids.items()))), {})
        for key, value in args.items():
            before = record.get(key)
            record[key] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return [*standing, *changed.values()]


class _Shown:
    """What calls and probe show: as one text, and as the moments in it. Each is read when a claim names such a thing."""

    def __init__(self, sources: list[Any]) -> None:
        self._sources = sources
        self._moments: list[TypedValue] = []
        # The call and its probe stand last, and most often show what was said.
        self._unread = _find_moments(reversed(sources))

    @computed
    def text(self) -> str:
        """All of it, case-folded."""
        return " ".join(map(text_of, self._sources))[:_LONGEST].casefold()

    def moments(self) -> Iterator[TypedValue]:
        """Yield the dates and times; a source is searched when those before it were not enough."""
        yield from self._moments
        for moment in self._unread:
            self._moments.append(moment)
            yield moment


def _missing(claim: SuccessClaim, shown: _Shown, evidence: Evidence) -> Iterator[str]:
    yield from _missing_ids(claim, shown)
    names = _texts(claim.values.get("name"))
    absent = [name for name in names if not _is_named(name, shown.text)]
    for name in absent:
        if _is_listed(name, names, absent, claim.quote) or not _is_known(name, evidence):
            yield name
    yield from _missing_moments(claim, shown, evidence)
    for number in _numbers(claim, shown):
        if not (number.isdigit() and _counts_tests(int(number), evidence)):
            yield number
    new = _NEW_VALUE.search(claim.quote)
    if new is None or _is_moment(new["value"], claim):
        return
    if not all(word in shown.text for word in _WORD.findall(new["value"].casefold()) if word not in _ARTICLES):
        yield new["value"]


def _is_moment(said: str, claim: SuccessClaim) -> bool:
    """True for the "15 May" of "moved to 15 May", which is compared as a date."""
    return any(said.startswith(value) for kind in _MOMENTS for value in _texts(claim.values.get(kind)))


def _missing_ids(claim: SuccessClaim, shown: _Shown) -> Iterator[str]:
    values = claim.values
    for kind in _PLAIN_KINDS:
        for value in _texts(values.get(kind)):
            said = _LENGTH.sub(r"\1", value.casefold()).removeprefix("#").removeprefix("./")
            if said not in shown.text:
                yield value


def _missing_moments(claim: SuccessClaim, shown: _Shown, evidence: Evidence) -> Iterator[str]:
    values = claim.values
    for kind, kinds in _MOMENTS.items():
        for value in _texts(values.get(kind)):
            if _is_absent(value, kinds, shown, claim.quote, evidence):
                yield value


def _numbers(claim: SuccessClaim, shown: _Shown) -> Iterable[str]:
    """Yield the plain numbers of the claim that are not shown; those inside a date or a time were compared as such."""
    inside = " ".join(word for kind in (*_MOMENTS, *_PLAIN_KINDS) for word in _texts(claim.values.get(kind)))
    for number in _NUMBER.findall(claim.quote):
        plain = number.replace(",", "")
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        is_small = plain.isdigit() and len(plain) < 3 and int(plain) <= _SMALL
        if not is_small and number not in inside and plain not in shown.text.replace(",", ""):
            yield number


def _find_moments(sources: Iterable[Any]) -> Iterator[TypedValue]:
    for source in sources:
        for _, value in walk_values(source):
            if isinstance(value, str) and len(value) <= _LONGEST_MOMENT and _MAY_BE_MOMENT.search(value):
                for found in extract_values(value):
                    if found.kind in _MOMENT_KINDS:
                        yield found


def _is_absent(said: str, kinds: frozenset[str], shown: _Shown, quote: str, evidence: Evidence) -> bool:
    """True when call and probe hold moments of such ``kinds``, and none of them equals the one said.

    What cannot be compared shows nothing.
    """
    zoned = f"{said}Z" if _is_universal(said, quote) else said
    # The same digits on the clock show it too, whatever zone the record names.
    clock = next((one.value.removeprefix("--") for one in extract_values(said)), said) if zoned == said else None
    has_any = False
    weekday = said.casefold() if said.casefold() in WEEKDAYS else None
    for moment in shown.moments():
        if moment.kind in kinds:
            has_any = True
            if weekday is not None and weekday == weekday_of(moment.value):
                return False
            if clock is not None and clock in _OFFSET.sub("", moment.raw):
                return False
            if compare(zoned, moment.raw, "datetime", evidence.zones) == "equal":
                return False
    return has_any


def _is_universal(said: str, quote: str) -> bool:
    """True when ``quote`` gives the time ``said`` in UTC."""
    if "UTC" not in quote and "GMT" not in quote:
        return False
    return _stands_before(_UTC, said, quote)


def _is_named(name: str, text: str) -> bool:
    return any(word in text for word in _WORD.findall(name.casefold()))


def _is_listed(name: str, names: Sequence[str], absent: Sequence[str], quote: str) -> bool:
    """True for "Bob" in "Ann and Bob" when Ann is shown: one of several of a kind."""
    here = [other for other in names if other not in absent]
    pairs = [pair for other in here for pair in ((name, other), (other, name))]
    return any(_stands_before(_EDGE, f"{a}{joint}{b}", quote) for a, b in pairs for joint in _JOINTS)


def _stands_before(following: re.Pattern[str], words: str, quote: str) -> bool:
    """True when ``words`` stand somewhere in ``quote`` right before what ``following`` fits."""
    at = quote.find(words)
    while at >= 0:
        if following.match(quote, at + len(words)):
            return True
        at = quote.find(words, at + 1)
    return False


def _is_known(name: str, evidence: Evidence) -> bool:
    """True when request or results name it: the record may carry an id in its stead."""
    texts = list(evidence.asked)
    texts += [evidence.output_text(pair.result) for pair in evidence.calls if pair.result is not None]
    return any(_is_named(name, text.casefold()) for text in texts)


def _texts(values: Any) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
