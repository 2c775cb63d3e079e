"""What numbers do together: more and less, the cheapest, from X to Y, how many, and what it adds up to.

A reader must not miss: a comparison is judged only where both sides, or the whole list, stand in the evidence with one
number each that fits the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_claimcheck.checks.faithfulness.aim import Aim
from agent_claimcheck.checks.faithfulness.counts import judge_counts
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.judgement import Judgement
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, numbers_of
from agent_claimcheck.checks.faithfulness.units import Cell, Unit

_WORD = re.compile(r"[A-Za-z]+")
_FROM_TO = re.compile(r"\bfrom\b.{1,60}?\bto\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-Z][a-z]{2,30}\b")
_MOST_LABELLED = 500  # units in which the labels of two compared things are looked for
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_EXTREME = re.compile(r"\b(most|least)\s+([a-z]{3,20})|\b([a-z]{3,20}est|best|worst)\b", re.IGNORECASE)
_COMPARED = re.compile(r"\b(more|less|fewer)\s+([a-z]{3,20})?|\b([a-z]{3,20}er|more|less|worse)\b", re.IGNORECASE)
_SECOND = re.compile(r"\b(?:second|third|fourth|next|one of the|among the|2nd|3rd)\b", re.IGNORECASE)
_CLOSE = 1e-6
_ADDS_UP = re.compile(
    r"\badds? up to|\badded up|\bin total\b|\bsum of\b|\baltogether\b|\bcomes? to\b|\bcombined\b", re.IGNORECASE
)
_MOST_SUMMED = 14  # numbers whose partial sums are tried
_FILTER = re.compile(
    r"\b(?:available|in stock|that|which|with|under|within|below|above|remaining|other|your|my|suitable|matching|non-?stop|direct)\b",
    re.IGNORECASE,
)


def judge_quantities(
    text: str, readings: list[Reading], aims: list[Aim], index: EvidenceIndex
) -> tuple[list[Judgement], set[int]]:
    """Return the judgements, and the starts of the values that they settle."""
    settled: set[int] = set()
    found = [
        *_direction(text, readings, index, settled),
        *_comparison(text, aims, index),
        *_extreme(text, aims, index),
        *judge_counts(text, readings, index, settled),
        *_sums(text, readings, index, settled),
    ]
    return found, settled


def _direction(text: str, readings: list[Reading], index: EvidenceIndex, settled: set[int]) -> Iterator[Judgement]:
    """From X to Y: the direction of the verb, the difference and the share must fit the two numbers."""
    found = _FROM_TO.search(text)
    if found is None:
        return
    inside = [r for r in numbers_of(readings) if found.start() < r.start < found.end() and r.start > found.start()]
    after = [r for r in numbers_of(readings) if r.start >= found.end()]
    if not inside or not after or not index.find(inside[0]) or not index.find(after[0]):
        return
    first, last = inside[0].number, after[0].number
    words = {word.lower() for word in _WORD.findall(text)}
    rises, falls = bool(words & lexicon().up), bool(words & lexicon().down)
    if rises != falls and first != last and (last > first) != rises:
        yield Judgement(
            "contradicted", f"it goes from {inside[0].raw} to {after[0].raw}", None, f"{inside[0].raw}, {after[0].raw}"
        )
        return
    if rises != falls:
        yield Judgement("supported", f"it goes from {inside[0].raw} to {after[0].raw}")
    for reading in numbers_of(readings):
        if reading in (inside[0], after[0]) or not (rises or falls):
            continue
        change = abs(last - first)
        share = 100 * change / abs(first) if first else 0.0
        fitting = share if reading.unit == "%" else change
        settled.add(reading.start)
        if abs(fitting - reading.number) <= max(reading.step, 0.01 * fitting * reading.is_about, _CLOSE):
            yield Judgement("supported", f"the change is {fitting:g}")
        elif not index.find(reading):
            yield Judgement(
                "contradicted",
                f"the change from {inside[0].raw} to {after[0].raw} is {fitting:g}",
                None,
                f"{inside[0].raw}, {after[0].raw}",
            )


def _measured(units: Sequence[Unit], wanted: frozenset[str]) -> tuple[Unit, Cell, float] | None:
    """Return the one number of ``units`` under a wanted word, or their only number."""
    found = [
        (unit, cell, reading.number)
        for unit in units
        for cell in unit.cells
        for reading in cell.readings
        if reading.kind == "number" and len(cell.readings) == 1
    ]
    fitting = [item for item in found if item[1].key & wanted] if wanted else []
    if len({item[2] for item in fitting}) == 1:
        return fitting[0]
    return found[0] if not fitting and len({item[2] for item in found}) == 1 else None


def _wanted(word: str, text: str) -> frozenset[str]:
    """Return the stems under which the measure of a comparing word stands, with the other words of the statement."""
    measures = lexicon().measures.get(word.lower(), frozenset())
    return lexicon().related(measures | (stems(text) - {stem(word)}))


def _comparison(text: str, aims: list[Aim], index: EvidenceIndex) -> Iterator[Judgement]:
    than = _THAN.search(text)
    if than is None:
        return
    left = [aim for aim in aims if aim.is_named and aim.end <= than.start()]
    right = [aim for aim in aims if aim.is_named and aim.start >= than.end()]
    word = next((found for found in _COMPARED.finditer(text[: than.start()])), None)
    is_more = None if word is None else _goes_up(word)
    if word is None or is_more is None:
        return
    measure = word[2] or word[3] or word[1]
    if left and right:
        wanted = _wanted(measure, text)
        one = _measured([index.units[number] for number in left[0].units], wanted)
        two = _measured([index.units[number] for number in right[0].units], wanted)
        is_alike = one is not None and two is not None and one[1].key == two[1].key
    else:
        one = _labelled(text[: word.start()], measure, index)
        two = _labelled(text[than.end() :], measure, index)
        is_alike = (
            one is not None and two is not None and one[1].key != two[1].key and len(one[1].key ^ two[1].key) == 2
        )
    if one is None or two is None or not is_alike or one[2] == two[2]:
        return
    shown = f"{one[1].shown} and {two[1].shown}"
    if (one[2] > two[2]) == is_more:
        yield Judgement("supported", f"the evidence has {shown}", one[0].piece, shown)
    else:
        yield Judgement("contradicted", f"the evidence has {shown}", one[0].piece, shown)


def _labelled(part: str, measure: str, index: EvidenceIndex) -> tuple[Unit, Cell, float] | None:
    """Return the one number of the evidence whose label holds the one name of ``part`` and a measure that is compared.

    "Paris population: 2,103,000" is labelled so, where no record is called Paris.
    """
    names = frozenset(stem(found[0]) for found in _CAPITAL.finditer(part)) - {stem("The")}
    measures = lexicon().measures.get(measure.lower(), frozenset())
    if len(names) != 1 or not measures:
        return None
    labelled = [
        (unit, cell, cell.readings[0].number)
        for unit in index.units[:_MOST_LABELLED]
        for cell in unit.cells
        if len(cell.readings) == 1 and cell.readings[0].kind == "number" and names <= cell.key and measures & cell.key
    ]
    return labelled[0] if len(labelled) == 1 else None


def _goes_up(found: re.Match[str]) -> bool | None:
    word = (found[1] or found[3]).lower()
    if word == "more":
        return True
    if word in ("less", "fewer"):
        return False
    return True if word in lexicon().more else False if word in lexicon().less else None


def _extreme(text: str, aims: list[Aim], index: EvidenceIndex) -> Iterator[Judgement]:
    found = _EXTREME.search(text)
    if found is None or _SECOND.search(text) or _FILTER.search(text):
        return
    word = (found[2] or found[3]).lower()
    if found[1]:
        is_most = found[1].lower() == "most"
    elif word in lexicon().most or word in lexicon().least:
        is_most = word in lexicon().most
    else:
        return
    for aim in aims:
        own = [index.units[number] for number in aim.units if index.units[number].group >= 0]
        if abs(aim.start - found.end()) > 60 and abs(found.start() - aim.end) > 60:
            continue
        if not aim.is_named or len({unit.group for unit in own}) != 1 or len(own) != 1:
            continue
        siblings = [unit for unit in index.units if unit.group == own[0].group]
        wanted = _wanted(word, found[0])
        measures = [(unit, _measured([unit], wanted)) for unit in siblings]
        known = [(unit, item) for unit, item in measures if item is not None]
        if len(siblings) < 2 or len(known) != len(siblings):
            continue
        values = [item[2] for _, item in known]
        best = max(values) if is_most else min(values)
        mine = next(item for unit, item in known if unit is own[0])
        winner = next(item for _, item in known if item[2] == best)
        if mine[2] == best:
            yield Judgement("supported", f"of {len(siblings)} it has {mine[1].shown}", own[0].piece, mine[1].shown)
        elif mine[1].key == winner[1].key:
            yield Judgement(
                "contradicted",
                f"another has {winner[1].shown}, it has {mine[1].shown}",
                own[0].piece,
                winner[1].shown,
            )
        return


def _sums(text: str, readings: list[Reading], index: EvidenceIndex, settled: set[int]) -> Iterator[Judgement]:
    """What it adds up to: a column of one list, two numbers of one record, or a price times a quantity."""
    words = {word.lower() for word in _WORD.findall(text)}
    if not words & lexicon().sum:
        return
    targets = [r for r in numbers_of(readings) if r.start not in settled and not index.find(r)]
    if len(targets) != 1:
        return
    target = targets[0]
    totals = list(_totals(index))
    said = [r.number for r in numbers_of(readings) if r is not target]
    if any(_is(target, total) for total, _, _ in totals) or _is_product(target, said):
        settled.add(target.start)
        yield Judgement("supported", "it is what the evidence adds up to")
        return
    spoken = lexicon().related(stems(text))
    fitting = {
        round(total, 6): (total, shown, piece) for total, shown, piece in totals if shown & spoken or len(totals) == 1
    }
    if (
        len(said) == 2
        and "each" in words
        and all(index.find(r) for r in readings if r.kind == "number" and r is not target)
    ):
        fitting = {round(said[0] * said[1], 6): (said[0] * said[1], frozenset({"product"}), -1)}
    if (
        len(fitting) == 1
        and _ADDS_UP.search(text)
        and len(index.units) <= _MOST_SUMMED
        and not index.is_given(target)
        and not _is_part(target, index)
    ):
        total, _, piece = next(iter(fitting.values()))
        settled.add(target.start)
        yield Judgement(
            "contradicted", f"the evidence adds up to {total:g}", None if piece < 0 else piece, f"{total:g}"
        )


def _is_part(target: Reading, index: EvidenceIndex) -> bool:
    """True when some of the evidence's numbers add up to the target: it may sum up a part. Many numbers: always true."""
    numbers = [
        reading.number
        for unit in index.units[:40]
        for cell in unit.cells
        for reading in cell.readings
        if reading.kind == "number"
    ]
    if len(numbers) > _MOST_SUMMED:
        return True
    sums = {0.0}
    for number in numbers:
        sums |= {round(number + other, 4) for other in sums}
    return any(_is(target, total) for total in sums)


def _totals(index: EvidenceIndex) -> Iterator[tuple[float, frozenset[str], int]]:
    columns: dict[tuple[int, str], list[tuple[float, Cell, int]]] = {}
    for number, unit in enumerate(index.units):
        bare: list[tuple[float, Cell]] = []
        for cell in unit.cells:
            if len(cell.readings) == 1 and cell.readings[0].kind == "number":
                if unit.group >= 0:
                    columns.setdefault((unit.group, cell.name), []).append((cell.readings[0].number, cell, unit.piece))
                bare.append((cell.readings[0].number, cell))
        if unit.is_record and 2 <= len(bare) <= 12 and unit.group < 0 and number < 200:
            yield sum(value for value, _ in bare), frozenset(word for _, cell in bare for word in cell.key), unit.piece
    for (_, _), items in columns.items():
        if len(items) >= 2:
            yield sum(value for value, _, _ in items), items[0][1].key, items[0][2]


def _is(target: Reading, total: float) -> bool:
    return abs(target.number - total) <= max(target.step if target.step < 0.5 else 0.0, _CLOSE)


def _is_product(target: Reading, said: Sequence[float]) -> bool:
    return any(_is(target, one * two) for one in said for two in said)
