"""What a statement speaks about: the units of evidence that its names and ids point to, or that share its words."""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct

from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, same

_MOST_UNITS = 40
_COMMON = 60  # units a name may stand in and still name something
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


def aims_of(text: str, readings: list[Reading], index: EvidenceIndex) -> list[Aim]:
    """Return what ``text`` is about, in the order of its names; one aim by shared words when it names nothing."""
    named = _named(text, index)
    if named:
        return named
    shared = _shared(text, readings, index)
    return [shared] if shared is not None else []


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
            if units and len(units) <= _COMMON and (len(name) > 2 or name.isdigit()) and name not in lexicon().terms and name not in lexicon().stop:
                aims.append(
                    Aim(
                        units=tuple(units[:_MOST_UNITS]), start=token.start(), end=token.start() + len(name),
                        weight=2, is_named=True, names=frozenset((name,)),
                    )  # fmt: skip
                )
                end = token.start() + len(name)
                break
    return _merged(aims, index)


def _merged(aims: list[Aim], index: EvidenceIndex) -> list[Aim]:
    """Let names of one record speak for it together: where two names share units, those units are meant."""
    merged: list[Aim] = []
    for aim in aims:
        if merged:
            both = tuple(unit for unit in merged[-1].units if unit in aim.units)
            if both:
                last = merged[-1]
                merged[-1] = Aim(
                    units=both, start=last.start, end=last.end, weight=last.weight + 1, is_named=True, names=last.names | aim.names,
                )  # fmt: skip
                continue
        merged.append(aim)
    return merged


def _shared(text: str, readings: list[Reading], index: EvidenceIndex) -> Aim | None:
    words = stems(text)
    scores: Counter[int] = Counter()
    for word in words:
        units = index.by_word.get(word, ())
        if len(units) <= 200:
            for unit in units:
                scores[unit] += 1
    for reading in readings:
        for number in {place[0] for place in index.find(reading)}:
            scores[number] += 1
    if not scores:
        return None
    best = max(scores.values())
    if best < 2 and len(index.units) > 1:
        return None
    units = tuple(sorted(number for number, score in scores.items() if score == best))
    if len(units) > 3:
        return None
    return Aim(units=units, start=len(text), end=0, weight=best, is_named=False)


def names_same(reading: Reading, others: list[Reading]) -> bool:
    """True when one of ``others`` means the value."""
    return any(same(reading, other) for other in others)
