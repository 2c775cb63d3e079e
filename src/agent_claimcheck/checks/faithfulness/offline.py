"""Faithfulness without a model: the values and words of a statement against the one unit of evidence it speaks about.

A reader must not miss: ``contradicted`` needs a unit that the statement plainly speaks about (by a name, an id, or
several of its words) and in it another value of the same kind under the same word. Anything less is ``unverifiable``.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from agent_claimcheck.checks.faithfulness import quantities, quotes, states
from agent_claimcheck.checks.faithfulness.aim import Aim, aims_of
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, comparable, read_values, same
from agent_claimcheck.checks.faithfulness.statements import Statement
from agent_claimcheck.checks.faithfulness.units import Cell, Unit

StatementVerdict = Literal["supported", "contradicted", "unverifiable"]

_STAMPS = frozenset(
    stem(word) for word in ("timestamp", "created", "updated", "modified", "sent", "received", "time", "date")
)
_COVERED = 0.7  # share of a statement's words that one unit must hold when nothing but names agrees
_MOST_UNITS = 300
_FEW_UNITS = 3
_LONG_CODE = 5
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OTHERS = re.compile(r"\b(?:variants?|options?|alternatives?)\b", re.IGNORECASE)
"""Words for things of the same name, each with values of its own."""
_AGGREGATE = re.compile(r"(?:\b|_)(?:total|sum|average|mean|median|overall|combined)(?:\b|_)", re.IGNORECASE)
"""Words for a number made of several, which a field of one record does not contradict."""
_CONTEXT = 34  # characters around a value that say what it is a value of


class Judgement(Struct, frozen=True, kw_only=True):
    """What the evidence says of one statement. ``deciding`` is the piece of evidence and its words that decide.

    ``is_weak`` marks support that only says that a name or an id stands in the evidence.
    """

    verdict: StatementVerdict
    reason: str
    piece: int | None = None
    deciding: str = ""
    is_weak: bool = False


def judge(statement: Statement, index: EvidenceIndex, carried: list[Aim] | None = None) -> Judgement:
    """Judge one statement. Never raises. ``carried`` holds what the statement before it named, and is brought up to date."""
    text = statement.text
    readings = read_values(text)
    aims = aims_of(text, readings, index, carried or [])
    if carried is not None and any(aim.is_named for aim in aims):
        carried[:] = [aim for aim in aims if aim.is_named and len(aim.units) == 1]
    counted, settled = quantities.judge_quantities(text, readings, aims, index)
    found = [
        *quotes.judge_quotes(text, readings, aims, index),
        *counted,
        *states.judge_states(text, readings, aims, index),
    ]
    votes = [Judgement(verdict=v.verdict, reason=v.reason, piece=v.piece, deciding=v.deciding) for v in found]
    open_values = states.count_open_states(text, aims, index)
    for reading in readings:
        if reading.start in settled:
            continue
        vote = _judge_value(reading, readings, text, aims, index)
        if vote is None:
            open_values += reading.kind != "name"
        else:
            votes.append(vote)
    return _sum_up(votes, open_values, statement, index)


def _sum_up(votes: list[Judgement], open_values: int, statement: Statement, index: EvidenceIndex) -> Judgement:
    against = [vote for vote in votes if vote.verdict == "contradicted"]
    if against and not statement.is_hedged:
        return against[0]
    if not votes:
        return Judgement(verdict="unverifiable", reason="nothing in it can be compared with the evidence")
    if all(vote.is_weak for vote in votes) and not _is_covered(statement, votes, index):
        return Judgement(
            verdict="unverifiable", reason="what it names stands in the evidence, what it says of it does not"
        )
    if against or open_values:
        return Judgement(verdict="unverifiable", reason="a part of it is not in the evidence")
    return votes[0]


def _is_covered(statement: Statement, votes: list[Judgement], index: EvidenceIndex) -> bool:
    """True when most of the statement's telling words stand in one unit of evidence."""
    words = stems(statement.text)
    pieces = {vote.piece for vote in votes if vote.piece is not None}
    units = [unit for unit in index.units if unit.piece in pieces]
    best = max((len(words & lexicon().related(unit.words)) for unit in units[:_MOST_UNITS]), default=0)
    return bool(words) and best >= _COVERED * len(words)


def _judge_value(
    reading: Reading, readings: list[Reading], text: str, aims: list[Aim], index: EvidenceIndex
) -> Judgement | None:
    """Return support or contradiction for one value, ``None`` when the evidence settles neither."""
    places = index.find(reading)
    aim = _aim_for(reading, aims)
    if aim is not None:
        own = [place for place in places if place[0] in aim.units]
        if own:
            fitting = [place for place in own if not _fits_another(reading, readings, place, text, aim, index)]
            return _support(index, *fitting[0]) if fitting else None
        swapped = _swapped(reading, places, text, aim, index)
        if swapped is not None and any(same(said, swapped[2]) for said in readings):
            swapped = None
        rival = swapped or _rival(reading, readings, text, aim, index)
        if (
            rival is not None
            and not index.is_given(reading)
            and not _is_elsewhere(reading, places, readings, text, aim, index)
        ):
            number, cell, other = rival
            return Judgement(
                verdict="contradicted",
                reason=f"the evidence has {_shown(cell, other)} where the answer says {reading.raw!r}",
                piece=index.units[number].piece,
                deciding=_shown(cell, other),
            )
    if places and aim is None:
        number, cell, found = places[0]
        return _support(index, number, cell, found)
    if places and reading.kind != "name":
        if aim is not None and _is_only_of_siblings(reading, places, aim, index):
            return None
        number, cell, found = places[0]
        return _support(index, number, cell, found)
    if reading.kind == "name" and reading.norm in index.text:
        return Judgement(verdict="supported", reason=f"{reading.raw!r} stands in the evidence", is_weak=True)
    return None


def _fits_another(
    reading: Reading,
    readings: list[Reading],
    place: tuple[int, Cell, Reading],
    text: str,
    aim: Aim,
    index: EvidenceIndex,
) -> bool:
    """True when the record has another value under the very words of the statement: "12 open" of 21 open and 12 closed."""
    number, cell, _ = place
    if reading.kind in ("name", "code") or not index.units[number].is_parsed or not cell.name:
        return False
    near = (_near(reading, text) | ({reading.noun} if reading.noun else frozenset())) - aim.words
    mine = near & cell.key
    return any(
        mine < (near & other.key)
        and len(other.readings) == 1
        and comparable(reading, other.readings[0])
        and not any(same(said, other.readings[0]) for said in readings)
        for other in index.units[number].cells
    )


def _is_only_of_siblings(
    reading: Reading, places: list[tuple[int, Cell, Reading]], aim: Aim, index: EvidenceIndex
) -> bool:
    """True when the one record that is meant has another value in that field, and only records beside it have this one."""
    if len(aim.units) != 1 or reading.kind == "code":
        return False
    own = index.units[aim.units[0]]
    fields = {cell.name for cell in own.cells if cell.name and len(cell.readings) == 1}
    return all(
        cell.name in fields and index.units[number].group == own.group and own.group >= 0 for number, cell, _ in places
    )


def _swapped(
    reading: Reading, places: list[tuple[int, Cell, Reading]], text: str, aim: Aim, index: EvidenceIndex
) -> tuple[int, Cell, Reading] | None:
    """Return what the named record has where only other records of its kind have the statement's value."""
    if not aim.is_named or not places or len(aim.units) != 1 or reading.kind in ("name", "code"):
        return None
    own = index.units[aim.units[0]]
    if not own.is_parsed:
        return None
    keys = {cell.name for _, cell, _ in places}
    if len(keys) != 1 or "" in keys or not all(_is_sibling(index.units[number], aim, index) for number, _, _ in places):
        return None
    alike = [cell for cell in own.cells if len(cell.readings) == 1 and cell.readings[0].kind == reading.kind]
    near = lexicon().related(_near(reading, text) - aim.words)
    for cell in alike:
        if cell.name in keys and (len(alike) == 1 or near & cell.key):
            return aim.units[0], cell, cell.readings[0]
    return None


def _aim_for(reading: Reading, aims: list[Aim]) -> Aim | None:
    """Return the units that a value is about: those of the last name before it, else of the first after it."""
    around = [aim for aim in aims if not aim.is_named and aim.start <= reading.start < aim.end]
    if around:
        return around[0]
    before = [aim for aim in aims if aim.end <= reading.start]
    if before:
        return before[-1]
    after = [aim for aim in aims if aim.start >= reading.end]
    return after[0] if after else None


def _is_elsewhere(
    reading: Reading,
    places: list[tuple[int, Cell, Reading]],
    readings: list[Reading],
    text: str,
    aim: Aim,
    index: EvidenceIndex,
) -> bool:
    """True when the value stands in another unit that the statement may as well speak about."""
    if not places:
        if reading.kind != "number" or reading.unit in ("s", "m", "g", "B", "mo"):
            return False
        if reading.noun and not reading.unit and not lexicon().sum.intersection(text.lower().split()):
            return False
        return index.can_come_to(reading, [r.number for r in readings if r.kind == "number"])
    if not aim.is_named or _OTHERS.search(text):
        return True
    for number, _, _ in places:
        unit = index.units[number]
        if not unit.names or unit.names & aim.names or number in aim.units:
            return True
        if (unit.group < 0 or all(index.units[own].group != unit.group for own in aim.units)) and not _is_sibling(
            unit, aim, index
        ):
            return True
    return False


def _is_sibling(unit: Unit, aim: Aim, index: EvidenceIndex) -> bool:
    """True for a record of the same shape: the same keys, so that its value belongs to something else."""
    shape = {cell.name for cell in unit.cells}
    return any(
        len(shape & {cell.name for cell in index.units[own].cells}) >= max(1, len(shape) - 1) for own in aim.units
    )


def _rival(
    reading: Reading, readings: list[Reading], text: str, aim: Aim, index: EvidenceIndex
) -> tuple[int, Cell, Reading] | None:
    """Return the value that stands where the statement's value should stand, when there is exactly one such place."""
    if _ends_a_range(reading, text):
        return None
    near = (_near(reading, text) | ({reading.noun} if reading.noun else frozenset())) - aim.words
    if not lexicon().sum.intersection(text.lower().split()):
        near = lexicon().related(near)
    by_key: list[tuple[int, Cell, Reading]] = []
    by_kind: list[tuple[int, Cell, Reading]] = []
    for number in aim.units:
        for cell in index.units[number].cells:
            for other in cell.readings:
                if (
                    not comparable(reading, other)
                    or same(reading, other)
                    or any(same(said, other) or _shows_the_same(said, other) for said in readings)
                ):
                    continue
                if reading.kind == "number" and _AGGREGATE.search(text) and not _AGGREGATE.search(cell.name):
                    continue
                if reading.kind == "code" and _is_part_of(reading.norm, other.norm):
                    continue
                if reading.kind == "name" and not _may_be_another_name(reading, cell, other, text):
                    continue
                by_kind.append((number, cell, other))
                if near & (cell.key - aim.words) and _fits(reading, cell, other):
                    by_key.append((number, cell, other))
    nearest = _nearest(by_key, near, reading, text)
    if nearest is not None and _is_sure(aim, index):
        return nearest
    if len({other.norm for _, _, other in by_kind}) == 1 and _is_telling(reading, by_kind[0], readings, aim, index):
        return by_kind[0]
    return None


def _nearest(
    rivals: list[tuple[int, Cell, Reading]], near: frozenset[str], reading: Reading, text: str
) -> tuple[int, Cell, Reading] | None:
    """Return the one rival whose key holds the word that stands nearest to the value, ``None`` when several do."""
    if len({other.norm for _, _, other in rivals}) <= 1:
        return rivals[0] if rivals else None
    words = re.findall(r"[A-Za-z]+", text[max(0, reading.start - _CONTEXT) : reading.start])
    for word in reversed(words):
        if stem(word) in near:
            fitting = [rival for rival in rivals if lexicon().related(frozenset((stem(word),))) & rival[1].key]
            if fitting:
                return fitting[0] if len({other.norm for _, _, other in fitting}) == 1 else None
    return None


def _is_sure(aim: Aim, index: EvidenceIndex) -> bool:
    """True when the statement names the unit, shares three words with it, or there is hardly any other evidence."""
    least = 1 if len(index.units) == 1 else 2 if len(index.units) <= 3 else 3
    return aim.is_named or aim.weight >= least


def _fits(reading: Reading, cell: Cell, other: Reading) -> bool:
    if reading.kind != "number":
        return True
    if reading.unit and other.unit:
        return reading.unit == other.unit
    if reading.unit and not cell.name:
        return False
    if reading.noun and not reading.unit:
        return reading.noun == other.noun or bool(lexicon().related(frozenset((reading.noun,))) & cell.key)
    return True


def _is_telling(
    reading: Reading, rival: tuple[int, Cell, Reading], readings: list[Reading], aim: Aim, index: EvidenceIndex
) -> bool:
    """True where the only value of a kind must be the one that is meant: its kind cannot stand for something else."""
    number, cell, other = rival
    if reading.kind == "number":
        is_kind = bool(reading.unit) and reading.unit == other.unit
    elif reading.kind == "year":
        is_kind = other.kind == "year" and not index.units[number].is_record
    else:
        is_kind = not (cell.key & _STAMPS)
    if not is_kind or not _is_sure(aim, index):
        return False
    unit = index.units[number]
    shared = sum(any(same(said, own) for own_cell in unit.cells for own in own_cell.readings) for said in readings)
    if reading.kind == "name":
        return aim.is_named and len(index.units) <= _FEW_UNITS and shared >= 2
    if reading.kind == "code":
        return aim.is_named and len(aim.units) == 1 and (shared >= 2 or _shape(reading) == _shape(other))
    return not unit.is_record or (aim.is_named and len(aim.units) == 1)


def _shape(reading: Reading) -> str:
    """Return what a code looks like: 9 for digits, a for letters, the rest as it is."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", reading.norm))


def _is_whole(cell: Cell, other: Reading) -> bool:
    return len(other.raw) >= len(cell.raw.strip()) - 2


def _may_be_another_name(reading: Reading, cell: Cell, other: Reading, text: str) -> bool:
    """True for the whole value of a field that the statement does not hold, and that is no code, short form or label."""
    if not cell.name or not _is_whole(cell, other) or other.raw.casefold() in text.casefold():
        return False
    if 2 * len(stems(reading.raw) & cell.key) > len(stems(reading.raw)):
        return False
    return not (_is_short_for(reading.raw, other.raw) or _is_short_for(other.raw, reading.raw))


def _is_part_of(one: str, two: str) -> bool:
    """True when one of two codes is in the other, but for marks: "F-1" and ``F1_active``."""
    first, second = ("".join(char for char in code if char.isalnum()) for code in (one, two))
    return (
        first != second and min(len(first), len(second)) > 1 and (second.startswith(first) or first.startswith(second))
    )


def _is_short_for(one: str, two: str) -> bool:
    """True when ``one`` is a single word in capitals ("DTW", "LUMLUM") that may stand for, or name, what ``two`` spells out."""
    is_code = one.isalpha() and one.isupper() and not two.isupper()
    return is_code and (" " in two.strip() or len(one) >= _LONG_CODE)


def _shows_the_same(one: Reading, two: Reading) -> bool:
    """True when the digits of two numbers are the same, whatever their units: "13 days" and ``days_remaining: 13``."""
    if one.kind != "number" or two.kind != "number" or (one.number < 0) != (two.number < 0) or (one.unit and two.unit):
        return False
    first, second = _DIGITS.search(one.raw), _DIGITS.search(two.raw)
    return (
        first is not None
        and second is not None
        and float(first[0].replace(",", "")) == float(second[0].replace(",", ""))
    )


def _ends_a_range(reading: Reading, text: str) -> bool:
    """True for the second number of "16–30"."""
    return reading.start > 1 and text[reading.start - 1] in "-–—" and text[reading.start - 2].isdigit()


def _near(reading: Reading, text: str) -> frozenset[str]:
    before = text[max(0, reading.start - _CONTEXT) : reading.start]
    after = text[reading.end : reading.end + _CONTEXT]
    for mark in (",", ";", " and ", "("):
        last = before.rsplit(mark, 1)[-1]
        if stems(last) or (
            reading.kind == "name" and not last.strip()
        ):  # a name in a list is under no word of the item before
            before = last
        after = after.split(mark, 1)[0]
    return stems(before) | stems(after)


def _support(index: EvidenceIndex, number: int, cell: Cell, found: Reading) -> Judgement:
    return Judgement(
        verdict="supported",
        reason=f"the evidence has {_shown(cell, found)}",
        piece=index.units[number].piece,
        deciding=_shown(cell, found),
        is_weak=found.kind in ("name", "code"),
    )


def _shown(cell: Cell, reading: Reading) -> str:
    value = cell.raw if len(cell.raw) <= 60 else reading.raw
    return f"{cell.name}: {value}" if cell.name else value
