"""What a statement speaks about: the units of evidence that its names and ids point to, or that share its words."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stems
from agent_claimcheck.checks.faithfulness.readings import Reading

_MOST_UNITS = 40
_COMMON_WORD = 200  # units a word may stand in and still tell units apart
_COMMON = 60  # units a name may stand in and still name something
_JOIN = re.compile(r",? (?:and|but|while|whereas|with) |, ")
_GOES_ON = re.compile(
    r",? and (?:it )?(?:also )?(?:includes?|has|comes?|costs?|offers?|holds?|weighs?|takes?|lasts?|leaves?|arrives?|starts?|ends?|is|was|"
    r"gives?|gets?|lies|opens?|closes?|needs?)\b"
)
"""A clause without a subject of its own goes on about the same thing."""
_TOKEN = re.compile(r"[^\W_][\w'.@/:-]{0,60}")


class Aim(Struct, frozen=True, kw_only=True):
    """Units of evidence that a part of a statement is about. ``[start, end)`` is the name in the statement.

    ``weight`` counts what the statement and the units share; ``is_named`` says that a name or an id does it.
    """

    units: tuple[int, ...]
    start: int
    end: int
    weight: int
    is_named: bool
    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def aims_of(text: str, readings: list[Reading], index: EvidenceIndex, carried: list[Aim]) -> list[Aim]:
    """Return what ``text`` is about, in the order of its names.

    A statement that names nothing is about what the one before it named (``carried``), else about what shares its words.
    """
    named = _named(text, index)
    if named:
        return named
    if carried:
        last = carried[-1]
        return [Aim(units=last.units, start=0, end=0, weight=3, is_named=False, names=last.names, words=last.words)]
    shared: list[Aim] = []
    for start, end in _clauses(text):
        aim = _shared(text, start, end, readings, index)
        if shared and len(shared[-1].units) == 1 and _GOES_ON.match(text, start, end):
            aim = replace(shared[-1], start=start, end=end)
        if aim is not None:
            shared.append(aim)
    if not shared:
        whole = _shared(text, 0, len(text), readings, index)
        shared = [whole] if whole is not None else []
    return shared


def _clauses(text: str) -> list[tuple[int, int]]:
    """Return the stretches of a statement that may each be about something else."""
    edges = [0, *(found.start() for found in _JOIN.finditer(text)), len(text)]
    return list(pairwise(edges))


def _named(text: str, index: EvidenceIndex) -> list[Aim]:
    low = text.casefold()
    aims: list[Aim] = []
    end = -1
    tokens = list(_TOKEN.finditer(low))
    for at, token in enumerate(tokens):
        if token.start() < end:
            continue
        for width in range(min(6, len(tokens) - at), 0, -1):
            name = low[token.start() : tokens[at + width - 1].end()].rstrip(".:,'")
            units = index.by_name.get(name)
            if (
                units
                and len(units) <= _COMMON
                and (len(name) > 2 or name.isdigit() or text[token.start()].isupper())
                and name not in lexicon().terms
                and name not in lexicon().stop
            ):
                aims.append(
                    Aim(
                        units=tuple(units[:_MOST_UNITS]),
                        start=token.start(),
                        end=token.start() + len(name),
                        weight=2,
                        is_named=True,
                        names=frozenset((name,)),
                        words=stems(name),
                    )
                )
                end = token.start() + len(name)
                break
    return _merged(aims)


def _merged(aims: list[Aim]) -> list[Aim]:
    """Let names of one record speak for it together: where two names share units, those units are meant."""
    merged: list[Aim] = []
    for aim in aims:
        if merged:
            both = tuple(unit for unit in merged[-1].units if unit in aim.units)
            if both:
                last = merged[-1]
                merged[-1] = Aim(
                    units=both, start=last.start, end=last.end, weight=last.weight + 1, is_named=True, names=last.names | aim.names,
                    words=last.words | aim.words,
                )  # fmt: skip
                continue
        merged.append(aim)
    return merged


def _shared(text: str, start: int, end: int, readings: list[Reading], index: EvidenceIndex) -> Aim | None:
    words = stems(text[start:end])
    if len(index.units) == 1:  # nothing else can be meant by a word that means alike
        words = lexicon().related(words)
    scores: Counter[int] = Counter()
    for word in words:
        holders = index.by_word.get(word, set())
        if len(holders) <= _COMMON_WORD:
            for unit in holders:
                scores[unit] += 1
    for reading in readings:
        if not start <= reading.start < end:
            continue
        for number in {place.unit for place in index.find(reading)}:
            scores[number] += 1
    if not scores:
        return None
    best = max(scores.values())
    if best < 2 and len(index.units) > 1:
        return None
    units = tuple(sorted(number for number, score in scores.items() if score == best))
    if len(units) > 3:
        return None
    return Aim(units=units, start=start, end=end, weight=best, is_named=False)
