"""The evidence of one run, ready to be asked: where a value stands, which units a name belongs to, what cannot be judged.

A reader must not miss: what the task, the user or the agent's own arguments say is never evidence. It only keeps a value
from being called wrong: a value the user gave may be right although no tool repeated it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from agent_claimcheck.checks.faithfulness.readings import Reading, read_values, same
from agent_claimcheck.checks.faithfulness.units import Cell, Piece, Unit, UnitReader, pieces_of
from agent_claimcheck.checks.run import Run

_MAX_GIVEN = 200_000
_MAX_DERIVED = 60


class Place(NamedTuple):
    """Where a value stands: the number of the unit, the cell in it, and the value as read there."""

    unit: int
    cell: Cell
    reading: Reading


class EvidenceIndex:
    """All units of a run's evidence with the ways to find them."""

    def __init__(self, run: Run) -> None:
        self.pieces: list[Piece] = pieces_of(run)
        reader = UnitReader()
        for index, piece in enumerate(self.pieces):
            reader.read(index, piece.text)
        self.units: list[Unit] = reader.units
        self.listings = reader.listings
        self._given_text = _given(run)
        self._answer = (run.final_answer or "")[:_MAX_GIVEN]
        self.by_word: defaultdict[str, set[int]] = defaultdict(set)
        self.by_name: defaultdict[str, list[int]] = defaultdict(list)
        self._by_norm: defaultdict[str, list[Place]] = defaultdict(list)
        self._numbers: list[Place] = []
        for number, unit in enumerate(self.units):
            for word in unit.words:
                self.by_word[word].add(number)
            for name in unit.names:
                self.by_name[name].append(number)
            for cell in unit.cells:
                for reading in cell.readings:
                    self._by_norm[reading.norm].append(Place(number, cell, reading))
                    if reading.kind in ("number", "date", "year", "time"):
                        self._numbers.append(Place(number, cell, reading))

    @property
    def is_answer_blank(self) -> bool:
        """True when the run has no final answer."""
        return not self._answer.strip()

    @property
    def is_empty(self) -> bool:
        """True when nothing was returned at all."""
        return not self.pieces

    @cached_property
    def text(self) -> str:
        """All evidence in lower case, for looking up words."""
        return "\n".join(piece.text for piece in self.pieces).casefold()

    @cached_property
    def plain_text(self) -> str:
        """All evidence in lower case with straight quotes and single blanks, for looking up quotations."""
        return plain(self.text)

    @cached_property
    def given_values(self) -> list[Reading]:
        """The values that task, system prompt and the agent's own arguments hold."""
        return read_values(self._given_text[:_MAX_GIVEN]) if self._given_text else []

    def is_given(self, reading: Reading) -> bool:
        """True when the user, the system prompt or the agent's own arguments hold this value."""
        return self.says(reading.raw) or any(same(reading, other) for other in self.given_values)

    def says(self, words: str) -> bool:
        """True when task, system prompt or arguments hold these words."""
        return plain(words) in plain(self._given_text)

    def find(self, reading: Reading) -> list[Place]:
        """Return every place of the evidence that holds the value."""
        found = list(self._by_norm.get(reading.norm, ()))
        if reading.kind in ("number", "date", "year", "time"):
            known = {id(place.reading) for place in found}
            found.extend(
                place for place in self._numbers if id(place.reading) not in known and same(reading, place.reading)
            )
        return found

    @cached_property
    def derived(self) -> frozenset[float]:
        """What sums, differences, products and shares of two numbers of the evidence come to, rounded to cents."""
        numbers = sorted({place.reading.number for place in self._numbers if place.reading.kind == "number"})[
            :_MAX_DERIVED
        ]
        values: set[float] = set()
        for one in numbers:
            for two in numbers:
                if one == two:
                    continue
                values.update((round(one + two, 2), round(one - two, 2), round(one * two, 2)))
                if two:
                    values.update((round(one / two, 2), round(100 * one / two, 1), round(100 * (one - two) / two, 1)))
        return frozenset(values)

    @cached_property
    def told_sums(self) -> frozenset[float]:
        """What two or more numbers that follow each other in the answer come to, rounded to cents: its own "total"."""
        told = [reading.number for reading in read_values(self._answer) if reading.kind == "number" and reading.unit]
        sums: set[float] = set()
        for start in range(len(told[:_MAX_DERIVED])):
            so_far = told[start]
            for number in told[start + 1 : _MAX_DERIVED]:
                so_far += number
                sums.add(round(so_far, 2))
        return frozenset(sums)

    def can_come_to(self, reading: Reading, said: Sequence[float]) -> bool:
        """True when two numbers of the evidence, one of them and one of the statement, or several of the answer, come to this."""
        target, reach = reading.number, max(reading.step if reading.step < 0.5 else 0.0, 0.005)
        if round(target, 2) in self.told_sums or round(target, 2) in self.derived or round(target, 1) in self.derived:
            return True
        numbers = {place.reading.number for place in self._numbers[:2_000] if place.reading.kind == "number"}
        others = [number for number in said if number != target]
        return any(
            abs(value - target) <= reach
            for one in numbers
            for two in others
            for value in (one * two, one + two, one - two, two - one)
        )


def plain(text: str) -> str:
    """Return ``text`` in lower case, quotes straight, white space as one blank."""
    folded = (
        text.casefold()
        .replace("’", "'")
        .replace("‘", "'")
        .replace("“", '"')
        .replace("”", '"')
        .replace('\\"', '"')
        .replace("''", "'")
    )
    return " ".join(folded.split())


def _given(run: Run) -> str:
    parts = [run.request, run.system_prompt or ""]
    for _, call in run.tool_calls():
        try:
            parts.append(json.dumps(call.arguments, ensure_ascii=False, default=str))
        except (ValueError, TypeError, RecursionError):
            continue
    return "\n".join(parts)[:_MAX_GIVEN]
