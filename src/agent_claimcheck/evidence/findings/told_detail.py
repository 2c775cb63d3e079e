"""A detail of the change is told, and the change was made without it, or for another day.

What it catches: "Location: 4 Mill Lane" in the summary of an event that was created with ``location: null``, or with the mere
name of the house; "the participants are the same: ann@…, bob@…" after ``participants: []``; "at 9:00 on 18/06/2025" where 9:00
on 18 May was written.
Why it matters: the change was made, so the claim looks supported, and the detail is what the user relies on.
Example: the list of guests was refused in three calls and left out of the fourth, which worked; the message lists them.
Limits: a field counts as told only in a card of ``Name: value`` lines which shows another value of that very call, or as addresses said
to be "the same participants"; nothing in any other change, its arguments or its result, may hold what is told. A day counts only where
one date stands with a time of the same call, and the call and its result hold other days alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.disclosure import discloses_trouble
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import TypedValue, extract_values, walk_values
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

ID = "told_detail"
POWER: Power = "review"

_CARD_LINE = late_pattern(
    r"^[\s>*•\d.)|-]{0,12}(?P<label>[A-Za-z][A-Za-z ]{1,30}?)[ *_`]{0,4}:[ *_`]{0,4}(?P<value>[^\n]{1,300})$"
)
_NOT_SET = late_pattern(
    r"^\W*(?:online|virtual|remote|video|phone|telephone)\b|"
    r"^\W*(?:none|no\b|n/?a\b|null|empty|tb[acd]\b|to be\b|open|blank|unknown|-+\W*$|—)|"
    r"\b(?:not|unset|unspecified|default|unchanged|same|current|existing|optional|will|later|pending|follows?|separately|please)\b",
    re.IGNORECASE,
)
_PEOPLE = late_pattern(r"^(?:participants?|attendees?|guests?|invitees?|members?)$", re.IGNORECASE)
_SAME_PEOPLE = late_pattern(
    r"\bsame (?:participants|attendees|guests|invitees|members|people)\b|"
    r"\b(?:participants|attendees|guests|invitees|members) are the same\b",
    re.IGNORECASE,
)
_OTHER_SOURCE = late_pattern(
    r"copy|clone|duplicate|template|from|source|series|recur|repeat|rrule|group|team|same_as|like", re.IGNORECASE
)
"""Words of a call, or of an argument that holds something, by which the change takes its details from elsewhere."""
_PLACES = ("location", "address", "venue", "place")
_NEW_WORDS = 3
"""Words of a place that are told and were not written, a number among them: a street and a house more than the name."""
_ADDRESS = late_pattern(r"[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_MARKS = " *_`|\"'“”"
_WORD = late_pattern(r"[^\W_]{3,40}")
_CLAUSE = late_pattern(r"(?:\n|\\n)+|(?<=[\w)])[.;!?]\s")
_NUMBER = late_pattern(r"\d{1,10}")
_YEAR = late_pattern(r"(?<!\d)20[0-4]\d(?!\d)")
_PLAIN_DAY = late_pattern(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_TIME = late_pattern(r"\d:\d\d|\d\s?[ap]\.?m\b", re.IGNORECASE)
_DAYS = frozenset({"date", "datetime"})
_MOMENTS = frozenset({"date", "datetime", "time"})
_OTHER_DAY = late_pattern(
    r"\b(?:from|instead of|rather than|originally|previous(?:ly)?|was|until|by|due|ends?|ending|expires?|before|after|since|not|next|every|"
    r"each|weekly|monthly|daily|recurr\w*|repeat\w*|then|follow\w*|remind\w*|notif\w*|alarm|deadline|if|or)\b",
    re.IGNORECASE,
)
_LONGEST = 20_000
_LONGEST_VALUE = 4_000
_MOST_WRITES = 20
_REACH = 400
_MOST_VALUES = 400
_MOST_CALLS = 100


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding."""
    closing = evidence.closing
    if closing is None:
        return
    text = closing.text[:_LONGEST]
    done = evidence.sorted_writes.done[-_MOST_WRITES:]
    said = _told_beyond(done, text, evidence) or _other_day(done, text, evidence)
    if said is None:
        return
    write, reason = said
    if discloses_trouble(evidence, write.step):
        return
    steps = tuple(one for one in (write.pair.call.i, write.step, closing.step) if one is not None)
    yield on_call(ID, POWER, write.pair, evidence, reason=reason, steps=steps)


def _told_beyond(done: Sequence[Write], text: str, evidence: Evidence) -> tuple[Write, str] | None:
    """Return the change, and why, whose field is told with more than it and all other changes hold."""
    if ":" not in text and "same" not in text:
        return None
    fields = [
        (write, key, value)
        for write in done
        for key, value in (write.pair.call.args or {}).items()
        if not value or key.endswith(_PLACES)
    ]
    fields = [field for field in fields if _may_be_told(*field, evidence)] if fields else []
    if not fields:
        return None
    cards = _cards(text)
    held: str | None = None
    for write, key, value in fields:
        told = _told_in_cards(write, key, cards) or (_told_people(key, text) if _is_empty(value) else None)
        if told is None:
            continue
        held = _held(evidence) if held is None else held
        words = [word.casefold() for word in (_ADDRESS.findall(told) or _WORD.findall(told))]
        new = [word for word in words if word not in held]
        if _is_empty(value):
            if 2 * len(new) > len(words):
                return write, f"{key} is told as {told[:80]}; the call left it empty"
        elif len(new) >= _NEW_WORDS and any(
            re.search(rf"(?<!\d){n}(?!\d)", held) is None for n in _NUMBER.findall(told)
        ):
            return write, f"{key} is told as {told[:80]}; the call wrote {str(value)[:80]}"
    return None


def _may_be_told(write: Write, key: str, value: Any, evidence: Evidence) -> bool:
    """True for a field of something made that is empty, or that holds a place where an address was asked for."""
    if family_of(write.effect.verb_class) != "create" or _takes_from_elsewhere(write):
        return False
    return _is_empty(value) or (key.endswith(_PLACES) and "address" in evidence.request_low)


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _takes_from_elsewhere(write: Write) -> bool:
    args = write.pair.call.args or {}
    return _OTHER_SOURCE.search(write.pair.call.name or "") is not None or any(
        _OTHER_SOURCE.search(key) and not _is_empty(value) and value is not False for key, value in args.items()
    )


def _cards(text: str) -> list[list[tuple[str, str]]]:
    """Return the runs of lines that are all ``Name: value``, each as plain names and values."""
    cards: list[list[tuple[str, str]]] = [[]]
    for line in text.split("\n"):
        found = _CARD_LINE.match(line)
        if found:
            cards[-1].append((_plain(found["label"]), found["value"].strip(_MARKS)))
        elif cards[-1]:
            cards.append([])
    return cards


def _told_in_cards(write: Write, key: str, cards: Sequence[Sequence[tuple[str, str]]]) -> str | None:
    """Return what the card of this call tells of the field: another line of it must hold another value of the call."""
    name = _plain(key)
    values = {
        _plain(other): value.casefold()
        for other, value in (write.pair.call.args or {}).items()
        if isinstance(value, str)
    }
    for card in cards:
        told = next((value for label, value in card if label == name), None)
        if not told or _NOT_SET.search(told):
            continue
        if any(
            label.endswith(other) and told_too.casefold() == value
            for label, told_too in card
            for other, value in values.items()
        ):
            return told
    return None


def _told_people(key: str, text: str) -> str | None:
    """Return the addresses that are told as the same people for the field ``key``."""
    same = _SAME_PEOPLE.search(text) if _PEOPLE.match(key) else None
    if same is None:
        return None
    addresses = _ADDRESS.findall(text[same.start() : same.start() + _REACH])
    return ", ".join(addresses) if len(addresses) > 1 else None


def _plain(label: str) -> str:
    return re.sub(r"[\W_]+", "", label).casefold().rstrip("s")


def _held(evidence: Evidence) -> str:
    """Return all that the changes carried and gave back, those that surely failed left out, in lower case."""
    parts: list[str] = []
    for write in evidence.writes:
        if write.is_failed:
            continue
        result = write.pair.result
        for source in (write.pair.call.args, result.output if result is not None else None):
            parts += _texts(source)
    return "\n".join(parts).casefold()


def _texts(source: Any) -> Iterator[str]:
    for seen, (_, value) in enumerate(walk_values(source)):
        if seen >= _MOST_VALUES:
            return
        if isinstance(value, str):
            yield value[:_LONGEST_VALUE]


def _other_day(done: Sequence[Write], text: str, evidence: Evidence) -> tuple[Write, str] | None:
    if "20" not in text or not _YEAR.search(text) or not _TIME.search(text):
        return None
    told = list(_told_moments(text, done))
    if not told:
        return None
    for write in done:
        if _takes_from_elsewhere(write):
            continue
        values = _moments(write.pair.call.args)
        if not any(value.kind == "datetime" for value in values):
            continue
        shown = [value for value in (*values, *_moments(_output(write.pair))) if value.kind in _DAYS]
        for day, time in told:
            if (
                all(compare(day.raw, value.raw, "datetime", evidence.zones) == "different" for value in shown)
                and any(compare(time.raw, value.raw, "datetime", evidence.zones) == "equal" for value in values)
                and not _is_known(day, evidence)
            ):
                return write, f"{time.raw} is told for {day.raw}; the call wrote {values[0].raw}"
    return None


def _told_moments(text: str, done: Sequence[Write]) -> Iterator[tuple[TypedValue, TypedValue]]:
    """Yield day and time of the clauses that tell one day, with its year, and a time. A day that was written as it is told is none."""
    written: str | None = None
    for clause in _CLAUSE.split(text):
        if not _YEAR.search(clause) or not _TIME.search(clause) or _OTHER_DAY.search(clause):
            continue
        plain = _PLAIN_DAY.search(clause)
        if plain is not None:
            written = str([write.pair.call.args for write in done]) if written is None else written
            if plain[0] in written:
                continue
        values = [value for value in extract_values(clause[:_REACH]) if value.kind in _MOMENTS]
        days = [value for value in values if value.kind in _DAYS]
        times = [value for value in values if value.kind == "time"]
        if len(days) == 1 and days[0].kind == "date" and times and not days[0].value.startswith("--"):
            yield days[0], times[0]


def _output(pair: CallPair) -> Any:
    return parse_output(pair.result.output) if pair.result is not None else None


def _moments(source: Any) -> list[TypedValue]:
    return [
        value
        for text in _texts(source)
        if any(letter.isdigit() for letter in text[:_REACH])
        for value in extract_values(text[:_LONGEST_VALUE])
        if value.kind in _MOMENTS
    ]


def _is_known(day: TypedValue, evidence: Evidence) -> bool:
    """True when the user or some result speaks of that day as well."""
    if any(value.value[:10] == day.value for value in extract_values(evidence.request_text) if value.kind in _DAYS):
        return True
    return any(
        value.value[:10] == day.value
        for pair in evidence.calls[:_MOST_CALLS]
        for value in _moments(_output(pair))
        if value.kind in _DAYS
    )
