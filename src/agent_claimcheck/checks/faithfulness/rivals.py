"""The value that stands in the evidence where the value of a statement should stand.

A reader must not miss: a rival is sought only in the units that the statement plainly speaks about, and only one that cannot
mean something else is taken. Two that may be meant are none.
"""

from __future__ import annotations

import re

from msgspec import Struct

from agent_claimcheck.checks.faithfulness.aim import Aim
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex, Place
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, comparable, same
from agent_claimcheck.checks.faithfulness.units import Cell, Unit
from agent_claimcheck.core.computed import computed

_FEW_UNITS = 3
_LONG_CODE = 5
_STAMPS = frozenset(
    stem(word) for word in ("timestamp", "created", "updated", "modified", "sent", "received", "time", "date")
)
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_OTHERS = re.compile(r"\b(?:variants?|options?|alternatives?)\b", re.IGNORECASE)
"""Words for things of the same name, each with values of its own."""
_AGGREGATE = re.compile(r"(?:\b|_)(?:total|sum|average|mean|median|overall|combined)(?:\b|_)", re.IGNORECASE)
"""Words for a number made of several, which a field of one record does not contradict."""
_CLAUSE = re.compile(r"[;(]|, (?:and|but|while|so) ")
_NO_READING = re.compile(
    r"\b(?:above|below|beyond|exceed(?:s|ed)?|(?:more|less|fewer|higher|lower|greater|smaller|better|worse|later|earlier|newer|older) than|"
    r"at (?:least|most)|up to|goal|target|threshold|should|not|n't|never|next|upcoming|planned|since|until|"
    r"(?:rose|fell|grew|grown|gr[eo]w|dropp?ed|improved|increased|decreased|declined|changed|up|down|went|off) by|short of|away from)\b|"
    r"\bfrom (?:version |release |tag )?\Z",
    re.IGNORECASE,
)
_NO_READING_AFTER = re.compile(
    r"\s{0,2}(?:short|away|more|less|fewer|higher|lower|above|below|better|worse|(?:goal|target|threshold|limit)\b|"
    r"(?:(?:of|points?|percent) ){0,2}[^.;]{0,30}\b(?:missing|not|will|should|out of date|outdated)\b)",
    re.IGNORECASE,
)
_LEAD = 60  # characters before a value in which it may be called a bound
_CONTEXT = 34  # characters around a value that say what it is a value of


class SaidValue(Struct, frozen=True, dict=True):
    """A value of a statement, all ``readings`` of that statement, its ``text``, what it is about, and the evidence."""

    reading: Reading
    readings: list[Reading]
    text: str
    aim: Aim
    index: EvidenceIndex

    @computed
    def places(self) -> list[Place]:
        """Every place of the evidence that holds the value."""
        return self.index.find(self.reading)

    @computed
    def around(self) -> frozenset[str]:
        """The stems of the words around the value, but for those that name what the statement is about."""
        return _around(self.reading, self.text) - self.aim.words

    @computed
    def near(self) -> frozenset[str]:
        """Those words, and what the value counts."""
        noun = frozenset((self.reading.noun,)) if self.reading.noun else frozenset()
        return self.around | (noun - self.aim.words)

    @computed
    def is_of_several(self) -> bool:
        """True where the statement speaks of a sum."""
        return not lexicon().sum.isdisjoint(self.text.lower().split())

    def is_said(self, other: Reading) -> bool:
        """True when the statement holds ``other`` too."""
        return any(same(said, other) for said in self.readings)


def rival_of(value: SaidValue) -> Place | None:
    """Return what the evidence has in place of ``value``, unless the statement holds that too or may speak of another unit."""
    swapped = _swapped(value)
    if swapped is not None and value.is_said(swapped.reading):
        swapped = None
    rival = swapped or _in_its_place(value)
    if rival is None or value.index.is_given(value.reading) or _is_no_reading(value) or _is_elsewhere(value):
        return None
    return rival


def fits_another(value: SaidValue, place: Place) -> bool:
    """True when the record has another value under the very words of the statement: "12 open" of 21 open and 12 closed."""
    unit, cell = value.index.units[place.unit], place.cell
    if value.reading.kind in ("name", "code") or not unit.is_parsed or not cell.name:
        return False
    mine = value.near & cell.key
    return any(
        mine < (value.near & other.key)
        and len(other.readings) == 1
        and comparable(value.reading, other.readings[0])
        and not value.is_said(other.readings[0])
        for other in unit.cells
    )


def is_only_of_siblings(value: SaidValue) -> bool:
    """True when the one record that is meant has another value in that field, and only records beside it have this one."""
    aim, units = value.aim, value.index.units
    if len(aim.units) != 1 or value.reading.kind == "code":
        return False
    own = units[aim.units[0]]
    fields = {cell.name for cell in own.cells if cell.name and len(cell.readings) == 1}
    return own.group >= 0 and all(
        place.cell.name in fields and units[place.unit].group == own.group for place in value.places
    )


def _swapped(value: SaidValue) -> Place | None:
    """Return what the named record has where only other records of its kind have the statement's value."""
    aim, index, kind = value.aim, value.index, value.reading.kind
    if not aim.is_named or not value.places or len(aim.units) != 1 or kind in ("name", "code"):
        return None
    own = index.units[aim.units[0]]
    if not own.is_parsed:
        return None
    keys = {place.cell.name for place in value.places}
    if len(keys) != 1 or "" in keys or not all(_is_sibling(index.units[place.unit], value) for place in value.places):
        return None
    alike = [cell for cell in own.cells if len(cell.readings) == 1 and cell.readings[0].kind == kind]
    around = lexicon().related(value.around)
    for cell in alike:
        if cell.name in keys and (len(alike) == 1 or around & cell.key):
            return Place(aim.units[0], cell, cell.readings[0])
    return None


def _is_elsewhere(value: SaidValue) -> bool:
    """True when the value stands in another unit that the statement may as well speak about."""
    reading, aim, index = value.reading, value.aim, value.index
    if not value.places:
        if reading.kind != "number" or reading.unit in ("s", "m", "g", "B", "mo"):
            return False
        if reading.noun and not reading.unit and not value.is_of_several:
            return False
        return index.can_come_to(reading, [r.number for r in value.readings if r.kind == "number"])
    if not aim.is_named or _OTHERS.search(value.text):
        return True
    for place in value.places:
        unit = index.units[place.unit]
        if not unit.names or unit.names & aim.names or place.unit in aim.units:
            return True
        is_in_its_group = unit.group >= 0 and any(index.units[own].group == unit.group for own in aim.units)
        if not is_in_its_group and not _is_sibling(unit, value):
            return True
    return False


def _is_sibling(unit: Unit, value: SaidValue) -> bool:
    """True for a record of the same shape: the same keys, so that its value belongs to something else."""
    shape = {cell.name for cell in unit.cells}
    return any(
        len(shape & {cell.name for cell in value.index.units[own].cells}) >= max(1, len(shape) - 1)
        for own in value.aim.units
    )


def _in_its_place(value: SaidValue) -> Place | None:
    """Return the value that stands where the statement's value should stand, when there is exactly one such place."""
    if _ends_a_range(value.reading, value.text):
        return None
    near = value.near if value.is_of_several else lexicon().related(value.near)
    by_kind = [
        Place(number, cell, other)
        for number in value.aim.units
        for cell in value.index.units[number].cells
        for other in cell.readings
        if _may_be_rival(value, cell, other)
    ]
    by_key = [
        place
        for place in by_kind
        if near & (place.cell.key - value.aim.words) and _fits(value.reading, place.cell, place.reading)
    ]
    nearest = _nearest(by_key, near, value)
    if nearest is not None and _is_sure(value):
        return nearest
    if len({place.reading.norm for place in by_kind}) == 1 and _is_telling(value, by_kind[0]):
        return by_kind[0]
    return None


def _may_be_rival(value: SaidValue, cell: Cell, other: Reading) -> bool:
    """True for another value of the same kind that the statement does not hold and that may stand for its value."""
    reading, text = value.reading, value.text
    if not comparable(reading, other) or same(reading, other):
        return False
    if any(same(said, other) or _shows_the_same(said, other) for said in value.readings):
        return False
    if reading.kind == "number":
        return _AGGREGATE.search(text) is None or _AGGREGATE.search(cell.name) is not None
    if reading.kind == "code":
        return not _is_part_of(reading.norm, other.norm)
    return reading.kind != "name" or _may_be_another_name(reading, cell, other, text)


def _nearest(rivals: list[Place], near: frozenset[str], value: SaidValue) -> Place | None:
    """Return the one rival whose key holds the word that stands nearest to the value, ``None`` when several do."""
    if len({place.reading.norm for place in rivals}) <= 1:
        return rivals[0] if rivals else None
    start = value.reading.start
    for word in reversed(re.findall(r"[A-Za-z]+", value.text[max(0, start - _CONTEXT) : start])):
        if stem(word) in near:
            fitting = [place for place in rivals if lexicon().related(frozenset((stem(word),))) & place.cell.key]
            if fitting:
                return fitting[0] if len({place.reading.norm for place in fitting}) == 1 else None
    return None


def _is_sure(value: SaidValue) -> bool:
    """True when the statement names the unit, shares three words with it, or there is hardly any other evidence."""
    units = len(value.index.units)
    least = 1 if units == 1 else 2 if units <= _FEW_UNITS else 3
    return value.aim.is_named or value.aim.weight >= least


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


def _is_telling(value: SaidValue, rival: Place) -> bool:
    """True where the only value of a kind must be the one that is meant: its kind cannot stand for something else."""
    reading, aim, other = value.reading, value.aim, rival.reading
    unit = value.index.units[rival.unit]
    if reading.kind == "number":
        is_kind = bool(reading.unit) and reading.unit == other.unit
    elif reading.kind == "year":
        is_kind = other.kind == "year" and not unit.is_record
    else:
        is_kind = not (rival.cell.key & _STAMPS)
    if not is_kind or not _is_sure(value):
        return False
    shared = sum(any(same(said, own) for cell in unit.cells for own in cell.readings) for said in value.readings)
    if reading.kind == "name":
        return aim.is_named and len(value.index.units) <= _FEW_UNITS and shared >= 2
    if reading.kind == "code":
        return aim.is_named and len(aim.units) == 1 and (shared >= 2 or _shape(reading) == _shape(other))
    return not unit.is_record or (aim.is_named and len(aim.units) == 1)


def _shape(reading: Reading) -> str:
    """Return what a code looks like: 9 for digits, a for letters, the rest as it is."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", reading.norm))


def _may_be_another_name(reading: Reading, cell: Cell, other: Reading, text: str) -> bool:
    """True for the whole value of a field that the statement does not hold, and that is no code, short form or label."""
    if not cell.name or not _is_whole(cell, other) or other.raw.casefold() in text.casefold():
        return False
    if 2 * len(stems(reading.raw) & cell.key) > len(stems(reading.raw)):
        return False
    return not (_is_short_for(reading.raw, other.raw) or _is_short_for(other.raw, reading.raw))


def _is_whole(cell: Cell, other: Reading) -> bool:
    return len(other.raw) >= len(cell.raw.strip()) - 2


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


def _is_no_reading(value: SaidValue) -> bool:
    """True for a number or version that the statement does not give as the value: a bound, a change, a goal, an earlier one."""
    reading, text = value.reading, value.text
    if reading.kind not in ("number", "code"):
        return False
    before = _CLAUSE.split(text[max(0, reading.start - _LEAD) : reading.start])[-1]
    return _NO_READING.search(before) is not None or _NO_READING_AFTER.match(text, reading.end) is not None


def _ends_a_range(reading: Reading, text: str) -> bool:
    """True for the second number of "16–30"."""
    return reading.start > 1 and text[reading.start - 1] in "-–—" and text[reading.start - 2].isdigit()


def _around(reading: Reading, text: str) -> frozenset[str]:
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
