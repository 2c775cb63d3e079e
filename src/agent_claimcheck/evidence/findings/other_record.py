"""The claim names a record that no call touched, while the calls touched another, or only some of those named.

What it catches: "Order 551 has been cancelled" after ``cancel_order("515")``; "ord-1 and ord-2 are cancelled" after one call.
Why it matters: the call succeeded, so nothing else looks wrong, and the record that was named is as it was.
Example: two digits changed places between the request and the call.
Limits: every call that could have done it must be a known write with a known outcome. One record: each successful call
carries an id of the same form and length, no result shows both ids in one record or the one as a part of the other, no text says
that they are one, and no look-up by the one gave the other.
Several: they must be listed together ("A and B", "orders 1, 2 and 3"), and one of them must have been touched by its id.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.disclosure import discloses_trouble
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.receipts.done_counts import done_count
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write, surely_done

ID = "other_record"
POWER: Power = "accuse"

_NUMBER = late_pattern(r"(?<![\w$€£.,:/-])(?!(?:19|20)\d\d(?!\d))\d{3,12}(?![\w.,:/-])")
_NUMBERED = late_pattern(
    r"\b(?P<noun>[a-z]{3,20}s)\s+#?(?P<list>\d{1,12}(?:,\s*#?\d{1,12}){0,20}),?\s+(?:and|&)\s+#?(?P<last>\d{1,12})(?![\w.,:/%-]*\d)"
    r"(?!\s*(?:am|pm|o'clock|%)\b)",
    re.IGNORECASE,
)
_NOT_RECORDS = late_pattern(
    r"(?:days|hours|minutes|times|pages|lines|steps|tests|weeks|months|years|versions|between|items)$", re.IGNORECASE
)
_CHOICE = late_pattern(
    r"(?:^|_)(?:from|to|start|end|first|last|begin|stop|range|filters?|where|query|criteria|conditions?|labels?|tags?|all|sql)"
    r"(?:$|_)|(?:From|To|Start|End|Range|Filter|Query)$",
    re.IGNORECASE,
)
_DIGITS = late_pattern(r"\d+")
_EQUALS = late_pattern(r"\b(?:is|id|has|are|as|called|known|aka|became|now|ist|heißt|est|es)\b|=|[-–]>|→|\(|:")
_PARTS = late_pattern(r"\b(?:not|instead|rather|than|and|or|but|with|before|after|nor)\b")
"""What stands between two names of one thing, and what tells two things apart."""
_LINE = late_pattern(r"[^\n.]{3,300}")
_MOST_LINES = 1_000
_LONGEST_TEXT = 20_000
_DEPTH, _MOST_INNER = 4, 50
_MOST_VALUES = 400
_MOST_RECORDS = 3000
_SHORT_TEXT = 300
_OF_FIELDS = frozenset({"updated", "changed", "edited", "modified", "corrected", "renamed", "set", "adjusted"})
"""Deeds whose object is mostly a field: what is changed of a record is the record."""
_STEM, _SHORT_STATE = 5, 30
_MOST_ASKED = 200
"""Look-ups that are asked which record they gave."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding per claim."""
    for index, claim in evidence.compared_claims:
        if claim.source != "extracted" or claim.confidence < SURE_CLAIM or claim.type == "completed":
            continue
        single, several = _named(claim)
        if not single and not several:
            continue
        done = surely_done(evidence.candidates(index))
        if not done:
            continue
        if several and not _are_records(claim, done):
            continue
        said = _other_of(single, claim, done, evidence) if single else _left_out(several, claim, done, evidence)
        if said is None:
            continue
        yield on_claim(ID, POWER, index, claim, reason=said, steps=tuple(write.step for write in done[-3:]))


def _named(claim: SuccessClaim) -> tuple[str, list[str]]:
    """Return the one record the claim names, or those it lists; both empty when neither is clear."""
    values = claim.values.get("id")
    raw = [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
    ids = [_plain(value) for value in raw]
    listed = _NUMBERED.search(claim.quote)
    if listed and not _NOT_RECORDS.search(listed["noun"]):
        return "", [*_DIGITS.findall(listed["list"]), listed["last"]]
    if len(ids) > 1:
        return "", ids if _are_coordinated(ids, claim.quote) else []
    if len(ids) == 1:
        is_clear = len(ids[0]) >= 3 or (raw[0].startswith("#") and ids[0].isdigit())
        return (ids[0], []) if is_clear and _DIGITS.search(ids[0]) else ("", [])
    numbers = _NUMBER.findall(str(claim.values.get("object") or ""))
    return (numbers[0], []) if len(numbers) == 1 else ("", [])


def _are_coordinated(ids: Sequence[str], quote: str) -> bool:
    """True when nothing but commas, "and" and marks stands between the ids."""
    joined = r"\W{0,4}(?:,|and|&|,\s*and)\W{0,4}".join(re.escape(one) for one in ids[:30])
    return re.search(joined, quote, re.IGNORECASE) is not None


def _other_of(named: str, claim: SuccessClaim, done: Sequence[Write], evidence: Evidence) -> str | None:
    if any(_touches(write, named, evidence) for write in done):
        return None
    form, noun = _form(named), _noun_before(named, claim.quote)
    if not noun and (claim.verb_class or claim.type) not in _OF_FIELDS and _is_of_another(named, claim.quote):
        return None
    written: list[str] = []
    for write in done:
        ids = record_ids(write.pair.call.args)
        if not ids and write.pair.result is not None and named in str(claim.values.get("object") or ""):
            # "I created issue #9": the result of the making knows its number.
            ids = record_ids(write.pair.result.output)
        alike = [value for key, value in ids.items() if _form(value) == form and _may_name(key, named, noun, write)]
        if not alike:
            return None
        written += alike
    shown = evidence.shared("other_record.shown", lambda: _Shown(evidence))
    if shown.as_one(named, frozenset(written)) or _are_told_as_one(named, written, evidence):
        return None
    spelt = _spellings(done)
    wrote = ", ".join(spelt.get(one, one) for one in sorted(set(written))[:3])
    return f"the claim names {_as_said(named, claim)}, the calls wrote {wrote}"


def _is_of_another(named: str, quote: str) -> bool:
    """True for "the blocker of PROJ-12": the deed was done to a thing that the record only places; a change of a field is of it."""
    return (
        re.search(rf"\w (?:of|in|on|under|within|for)\W{{1,3}}#?{re.escape(named)}", quote, re.IGNORECASE) is not None
    )


def _as_said(named: str, claim: SuccessClaim) -> str:
    """Return the id as the claim spells it."""
    found = re.search(re.escape(named), claim.quote, re.IGNORECASE)
    return found[0] if found is not None else named


def _spellings(done: Sequence[Write]) -> dict[str, str]:
    """Return how the calls spell their values, by the plain form in which they are compared."""
    texts = (
        value
        for write in done
        for source in (write.pair.call.args, write.pair.result.output if write.pair.result is not None else None)
        for _, value in walk_values(source)
        if isinstance(value, str) and len(value) <= _SHORT_TEXT
    )
    return {_plain(text): text.strip() for text in texts}


def _noun_before(named: str, quote: str) -> str:
    """Return the word that says what ``named`` is ("order" of "order #551"); '' when there is none."""
    match = re.search(rf"([a-z]{{3,20}})\s+(?:number\s+|no\.?\s+|id\s+)?#?{re.escape(named)}", quote, re.IGNORECASE)
    return match[1].lower() if match else ""


def _may_name(key: str, named: str, noun: str, write: Write) -> bool:
    """True when an argument ``key`` holds ids of the kind the claim names: an order's id is no invoice's."""
    if not named.isdigit():
        # Ids with letters of their own ("r1001") say what they are.
        return True
    words = key.split("_")
    # The last word of a compound says what it is: an ``order_line_id`` is no order's.
    owner = words[:-1] if len(words) > 1 else words
    return bool(noun) and (noun == owner[-1] or (len(words) == 1 and noun in write.effect.words))


def _left_out(named: Sequence[str], claim: SuccessClaim, done: Sequence[Write], evidence: Evidence) -> str | None:
    if any(_takes_several(write) for write in done):
        return None
    left = [one for one in dict.fromkeys(named) if not any(_touches(write, one, evidence) for write in done)]
    left = [one for one in left if not _is_seen_done(one, claim, evidence)]
    if not left or len(left) == len(set(named)) or _may_be_done_together(len(left), evidence):
        return None
    if discloses_trouble(evidence, done[-1].step):
        return None
    return (
        f"no successful call touched {', '.join(_as_said(one, claim) for one in left[:3])}, which the claim names too"
    )


def _are_records(claim: SuccessClaim, done: Sequence[Write]) -> bool:
    """True when the listed numbers are those of things that the calls are about: "orders 1 and 2" of ``cancel_order``.

    Ages, degrees and the like are listed in the same words. Ids with letters of their own say what they are.
    """
    listed = _NUMBERED.search(claim.quote)
    if listed is None or _NOT_RECORDS.search(listed["noun"]):
        return True
    one = listed["noun"].casefold().removesuffix("s")
    return any(one in write.effect.words or one in _words_of_keys(write) for write in done)


def _words_of_keys(write: Write) -> set[str]:
    return {word for key in record_ids(write.pair.call.args) for word in key.split("_")}


def _is_seen_done(named: str, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when a look-up of the record shows the state that is claimed: it was so before, or came with another one."""
    stem = (claim.verb_class or claim.type)[:_STEM].casefold()
    for pair in evidence.calls[-_MOST_ASKED:]:
        if pair.result is None or evidence.effect(pair).kind != "read" or len(stem) < _STEM:
            continue
        if _flat(pair.call.args).same_as(named) and any(
            isinstance(value, str) and len(value) <= _SHORT_STATE and value.casefold().startswith(stem)
            for _, value in walk_values(pair.result.output)
        ):
            return True
    return False


def _may_be_done_together(count: int, evidence: Evidence) -> bool:
    """True when some call tells that it did that many, at least: ``archive_orders_before`` gave back ``{"archived": 2}``."""
    for write in evidence.writes[-_MOST_ASKED:]:
        output = write.pair.result.output if write.pair.result is not None else None
        counted = done_count(output) if isinstance(output, dict) and not write.is_failed else None
        if counted is not None and counted[1] >= max(count, 2):
            return True
    return False


def _takes_several(write: Write) -> bool:
    """True for a call that chooses its records by a range or a filter: rows 3 to 5, all spam."""
    return any(_CHOICE.search(key) for key in write.pair.call.args or {})


def _touches(write: Write, named: str, evidence: Evidence) -> bool:
    """True when arguments or result of the call carry the id, alone or with a prefix or inside a longer text."""
    known: dict[int, _Values | None] = evidence.shared("other_record.values", dict)
    if write.step not in known:
        known[write.step] = _values_of(write)
    values = known[write.step]
    return values is None or bool(values.same_as(named))


def _values_of(write: Write) -> _Values | None:
    """Return what the call carries; ``None`` for more than is looked at."""
    found: dict[str, None] = {}
    for source in (write.pair.call.args or {}, write.pair.result.output if write.pair.result is not None else None):
        for seen, (_, value) in enumerate(walk_values(source)):
            if seen >= _MOST_VALUES:
                return None
            if not isinstance(value, bool) and isinstance(value, str | int | float):
                found[_plain(str(value))] = None
    return _Values(found)


def _flat(source: Any) -> _Values:
    values = (value for _, value in itertools.islice(walk_values(source), _MOST_VALUES))
    return _Values(_plain(str(value)) for value in values if isinstance(value, str | int | float))


class _Values:
    """Some values, plain, and which of them are the same as an id. A run may claim many ids, so each is looked up."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values = frozenset(values)
        self._text = "\n".join(self._values)

    def same_as(self, named: str) -> list[str]:
        """Return the values that are ``named``, its end, or a longer text that carries it."""
        ends = (named[start:] for start in range(len(named)))
        found = [value for value in ends if value in self._values and _is_same(named, value)]
        if named in self._text:
            found += [value for value in self._values if named in value and _is_same(named, value)]
        return found


def _is_same(named: str, value: str) -> bool:
    if named == value or (len(value) >= 3 and not value.isdigit() and named.endswith(value)):
        return True
    # With a prefix ("ord-551", "W551") or inside a text, but not as the end of a longer number.
    return re.search(rf"(?<!\d){re.escape(named)}(?![^\W_])", value) is not None


class _Shown:
    """What all results of a run show together: the records in them, and their short texts."""

    def __init__(self, evidence: Evidence) -> None:
        self._is_vast = False
        """Some result holds more records than are looked at."""
        self._texts: dict[str, None] = {}
        self._asked: list[tuple[_Values, _Values]] = []
        """What each call was asked for, and what came back."""
        self._records_of: dict[str, list[frozenset[str]]] = {}
        for pair in evidence.calls:
            if pair.result is not None:
                self._add(pair.result.output)
                if len(self._asked) < _MOST_ASKED and evidence.effect(pair).kind == "read":
                    self._asked.append((_flat(pair.call.args), _flat(pair.result.output)))
        self._values = _Values(self._records_of)

    def as_one(self, named: str, written: frozenset[str]) -> bool:
        """True when a record, or a short text, carries ``named`` and one of ``written``: two names of one thing."""
        if self._is_vast and written:
            return True
        if any(named in text and any(other in text for other in written) for text in self._texts):
            return True
        if any(self._gave(asked, given, named, written) for asked, given in self._asked):
            return True
        records = (record for value in self._values.same_as(named) for record in self._records_of[value])
        return any(not written.isdisjoint(record) for record in records)

    @staticmethod
    def _gave(asked: _Values, given: _Values, named: str, written: frozenset[str]) -> bool:
        """True when a look-up by the one name gave the other and does not tell it from a record of the first name."""
        if not asked.same_as(named) or given.same_as(named):
            return False
        return any(given.same_as(other) for other in written)

    def _add(self, output: Any) -> None:
        if isinstance(output, str):
            for line in [output] if len(output) <= _SHORT_TEXT else _LINE.findall(output[:_LONGEST_TEXT])[:_MOST_LINES]:
                self._texts[line.casefold()] = None
            return
        stack: list[tuple[Any, frozenset[str]]] = [(output, frozenset())]
        seen = 0
        while stack and seen < _MOST_RECORDS:
            item, around = stack.pop()
            seen += 1
            if isinstance(item, list):
                is_table = any(isinstance(row, list) for row in item[:_MOST_RECORDS])
                for row in item[:_MOST_RECORDS] if is_table else ():
                    if isinstance(row, list):
                        self._keep(frozenset(_plain(str(cell)) for cell in row if isinstance(cell, str | int)))
                stack.extend((child, around) for child in item[:_MOST_RECORDS])
            elif isinstance(item, dict):
                here = _scalars(item) | around
                self._keep(here)
                for key, value in item.items():
                    if isinstance(value, str | int) and _DIGITS.search(key):
                        self._keep(frozenset((_plain(key), _plain(str(value)))))
                    if isinstance(value, list):
                        stack.append((value, here))
                    elif isinstance(value, dict):
                        stack.append((value, _scalars(item)))
        self._is_vast = self._is_vast or bool(stack)

    def _keep(self, record: frozenset[str]) -> None:
        for value in record if len(record) > 1 else ():
            self._records_of.setdefault(value, []).append(record)


def _scalars(record: dict[str, Any]) -> frozenset[str]:
    """Return the values of an object and of the objects in it; a list in it holds records of their own."""
    found: set[str] = set()
    level = [record]
    for _ in range(_DEPTH):
        found.update(_plain(str(value)) for node in level for value in node.values() if isinstance(value, str | int))
        level = [value for node in level for value in node.values() if isinstance(value, dict)][:_MOST_INNER]
    return frozenset(found)


def _are_told_as_one(named: str, written: Sequence[str], evidence: Evidence) -> bool:
    """True when the user, the instructions or a text that was read say that the two are one: "room 214 has id 881"."""
    system = evidence.view.task.system_prompt or ""
    texts = [*evidence.asked, system]
    texts += [
        pair.result.output
        for pair in evidence.calls[:_MOST_ASKED]
        if pair.result is not None and isinstance(pair.result.output, str)
    ]
    pairs = [(named, other) for other in dict.fromkeys(written)]
    return any(
        _joins(one, two, text[:_LONGEST_TEXT])
        for text in texts
        if named in text.casefold()
        for pair in pairs
        for one, two in (pair, pair[::-1])
    )


def _joins(one: str, two: str, text: str) -> bool:
    between = re.search(
        rf"(?<![^\W_]){re.escape(one)}(?![^\W_])([^.\n]{{0,40}}?)(?<![^\W_]){re.escape(two)}(?![^\W_])",
        text,
        re.IGNORECASE,
    )
    return between is not None and _EQUALS.search(between[1]) is not None and _PARTS.search(between[1]) is None


def _form(value: str) -> tuple[str, int]:
    return _DIGITS.sub("9", value), len(value)


def _plain(value: str) -> str:
    return value.strip().casefold().removeprefix("#")
