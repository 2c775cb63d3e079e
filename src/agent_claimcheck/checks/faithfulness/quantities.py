"""What numbers do together: more and less, the cheapest, from X to Y, how many, and what it adds up to.

A reader must not miss: a comparison is judged only where both sides, or the whole list, stand in the evidence with one
number each that fits the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_claimcheck.checks.faithfulness.aim import Aim
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.judgement import Judgement
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem, stems
from agent_claimcheck.checks.faithfulness.readings import Reading
from agent_claimcheck.checks.faithfulness.units import Cell, Unit

_WORD = re.compile(r"[A-Za-z]+")
_FROM_TO = re.compile(r"\bfrom\b.{1,60}?\bto\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_EXTREME = re.compile(r"\b(most|least)\s+([a-z]{3,20})|\b([a-z]{3,20}est|best|worst)\b", re.IGNORECASE)
_COMPARED = re.compile(r"\b(more|less|fewer)\s+([a-z]{3,20})?|\b([a-z]{3,20}er|more|less|worse)\b", re.IGNORECASE)
_SECOND = re.compile(r"\b(?:second|third|fourth|next|one of the|among the|2nd|3rd)\b", re.IGNORECASE)
_OF_THEM = re.compile(r"^\s{0,2}(?:of (?:them|these|those|which)|are|is|were|was|remain)\b", re.IGNORECASE)
_GENERIC = frozenset(
    stem(word)
    for word in ("result", "item", "entry", "record", "match", "row", "option", "hit", "found", "issue", "one")
)
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
        *_counts(text, readings, index, settled),
        *_sums(text, readings, index, settled),
    ]
    return found, settled


def _numbers(readings: Sequence[Reading]) -> list[Reading]:
    return [reading for reading in readings if reading.kind == "number"]


def _direction(text: str, readings: list[Reading], index: EvidenceIndex, settled: set[int]) -> Iterator[Judgement]:
    """From X to Y: the direction of the verb, the difference and the share must fit the two numbers."""
    found = _FROM_TO.search(text)
    if found is None:
        return
    inside = [r for r in _numbers(readings) if found.start() < r.start < found.end() and r.start > found.start()]
    after = [r for r in _numbers(readings) if r.start >= found.end()]
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
    for reading in _numbers(readings):
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
    if not left or not right or word is None:
        return
    is_more = _goes_up(word)
    if is_more is None:
        return
    wanted = _wanted(word[2] or word[3] or word[1], text)
    one = _measured([index.units[number] for number in left[0].units], wanted)
    two = _measured([index.units[number] for number in right[0].units], wanted)
    if one is None or two is None or one[2] == two[2] or one[1].key != two[1].key:
        return
    shown = f"{one[1].shown} and {two[1].shown}"
    if (one[2] > two[2]) == is_more:
        yield Judgement("supported", f"the evidence has {shown}", one[0].piece, shown)
    else:
        yield Judgement("contradicted", f"the evidence has {shown}", one[0].piece, shown)


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


def _counts(text: str, readings: list[Reading], index: EvidenceIndex, settled: set[int]) -> Iterator[Judgement]:
    """How many: the length of the list that the counted word names."""
    for reading in _numbers(readings):
        if reading.unit or reading.number != int(reading.number) or reading.number > 10_000:
            continue
        rest = text[reading.end : reading.end + 60]
        state = _counted_state(rest, index) if _OF_THEM.match(rest) else None
        if state is not None:
            settled.add(reading.start)
            size, shown, piece = state
            yield _judge_count(reading, size, shown, piece)
            continue
        if not reading.noun:
            continue
        lists = [item for item in index.listings if item.name and reading.noun in set(item.name)]
        sizes = {item.size for item in lists}
        if not sizes and reading.noun in _GENERIC and len(index.listings) == 1:
            lists = index.listings
            sizes = {index.listings[0].size}
        if not sizes and len(index.listings) == 1 and index.listings[0].size and not index.find(reading):
            members = [unit for unit in index.units if unit.group == index.listings[0].group]
            if (
                members
                and any(reading.noun in unit.words for unit in members[:3])
                and not _is_column(reading.noun, members)
            ):
                lists, sizes = index.listings, {index.listings[0].size}
        if not sizes or (index.find(reading) and int(reading.number) not in sizes):
            continue
        settled.add(reading.start)
        if int(reading.number) in sizes:
            yield Judgement("supported", f"the list has {int(reading.number)} members", lists[0].piece)
        elif len(sizes) == 1 and not _is_partial(text, reading) and not index.is_given(reading):
            yield _judge_count(reading, lists[0].size, f"a list of {lists[0].size}", lists[0].piece)


def _is_column(noun: str, members: Sequence[Unit]) -> bool:
    """True when the noun names a number that each member has: "40 visits" adds up a column, it counts no rows."""
    return any(noun in cell.key and any(r.kind == "number" for r in cell.readings) for cell in members[0].cells)


def _is_partial(text: str, reading: Reading) -> bool:
    """True when the number may count only some of the list: "the top 3 results", "3 more items"."""
    before = text[max(0, reading.start - 24) : reading.start].lower()
    return bool(
        re.search(r"\b(?:top|first|last|these|other|only|remaining|another|following|least|most|of)\s$", before)
    )


def _counted_state(rest: str, index: EvidenceIndex) -> tuple[int, str, int] | None:
    """For "two of them are open": how many members of the one list are in that state."""
    terms = lexicon().terms
    for found in _WORD.finditer(rest):
        known = terms.get(found[0].lower())
        if known is None:
            continue
        groups: dict[int, list[Unit]] = {}
        for unit in index.units:
            if unit.group >= 0 and any(terms.get(cell.raw.lower(), (-1, 0))[0] == known[0] for cell in unit.cells):
                groups.setdefault(unit.group, []).append(unit)
        if len(groups) == 1:
            units = next(iter(groups.values()))
            size = sum(any(terms.get(cell.raw.lower()) == known for cell in unit.cells) for unit in units)
            return size, f"{size} of {len(units)} are {found[0]}", units[0].piece
    return None


def _judge_count(reading: Reading, size: int, shown: str, piece: int) -> Judgement:
    if int(reading.number) == size:
        return Judgement("supported", f"the evidence has {shown}", piece, shown)
    return Judgement("contradicted", f"the evidence has {shown} where the answer says {reading.raw!r}", piece, shown)


def _sums(text: str, readings: list[Reading], index: EvidenceIndex, settled: set[int]) -> Iterator[Judgement]:
    """What it adds up to: a column of one list, two numbers of one record, or a price times a quantity."""
    words = {word.lower() for word in _WORD.findall(text)}
    if not words & lexicon().sum:
        return
    targets = [r for r in _numbers(readings) if r.start not in settled and not index.find(r)]
    if len(targets) != 1:
        return
    target = targets[0]
    totals = list(_totals(index))
    said = [r.number for r in _numbers(readings) if r is not target]
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
