"""Faithfulness without a model: the values and words of a statement against the one unit of evidence it speaks about.

A reader must not miss: ``contradicted`` needs a unit that the statement plainly speaks about (by a name, an id, or
several of its words) and in it another value of the same kind under the same word. Anything less is ``unverifiable``.
"""

from __future__ import annotations

from agent_claimcheck.checks.faithfulness import quantities, quotes, states
from agent_claimcheck.checks.faithfulness.aim import Aim, aims_of
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex, Place
from agent_claimcheck.checks.faithfulness.judgement import Judgement
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, read_values
from agent_claimcheck.checks.faithfulness.rivals import SaidValue, fits_another, is_only_of_siblings, rival_of
from agent_claimcheck.checks.faithfulness.statements import Statement

_COVERED = 0.7  # share of a statement's words that one unit must hold when nothing but names agrees
_MOST_UNITS = 300
_MOST_NAMED = 4  # missing parts that a reason lists


def judge(statement: Statement, index: EvidenceIndex, carried: list[Aim] | None = None) -> Judgement:
    """Judge one statement. Never raises. ``carried`` holds what the statement before it named, and is brought up to date."""
    text = statement.text
    readings = read_values(text)
    aims = aims_of(text, readings, index, carried or [])
    if carried is not None and any(aim.is_named for aim in aims):
        carried[:] = [aim for aim in aims if aim.is_named and len(aim.units) == 1]
    counted, settled = quantities.judge_quantities(text, readings, aims, index)
    found = [*quotes.judge_quotes(text, index), *counted, *states.judge_states(text, aims, index)]
    missing = list(states.open_states(text, aims, index))
    for reading in readings:
        if reading.start in settled:
            continue
        judged = _judge_value(reading, readings, text, aims, index)
        if judged is None:
            missing += [reading.raw] if reading.kind != "name" else []
        else:
            found.append(judged)
    return _sum_up(found, missing, statement, index)


def _sum_up(found: list[Judgement], missing: list[str], statement: Statement, index: EvidenceIndex) -> Judgement:
    against = [one for one in found if one.verdict == "contradicted"]
    if against and not statement.is_hedged:
        return against[0]
    if not found:
        nowhere = f"; {_named(missing)} is not in it" if missing else ""
        return Judgement(verdict="unverifiable", reason=f"nothing in it can be compared with the evidence{nowhere}")
    if all(one.is_weak for one in found) and not _is_covered(statement, found, index):
        return Judgement(
            verdict="unverifiable", reason="what it names stands in the evidence, what it says of it does not"
        )
    if missing:
        return Judgement(verdict="unverifiable", reason=f"a part of it is not in the evidence: {_named(missing)}")
    if against:
        return Judgement(verdict="unverifiable", reason=f"a part of it is a guess, and {against[0].reason}")
    return next((one for one in found if not one.is_weak), found[0])


def _named(missing: list[str]) -> str:
    named = ", ".join(repr(part) for part in dict.fromkeys(missing[:_MOST_NAMED]))
    return named + (", ..." if len(missing) > _MOST_NAMED else "")


def _is_covered(statement: Statement, found: list[Judgement], index: EvidenceIndex) -> bool:
    """True when most of the statement's telling words stand in one unit of evidence."""
    words = stems(statement.text)
    pieces = {one.piece for one in found if one.piece is not None}
    units = [unit for unit in index.units if unit.piece in pieces]
    best = max((len(words & lexicon().related(unit.words)) for unit in units[:_MOST_UNITS]), default=0)
    return bool(words) and best >= _COVERED * len(words)


def _judge_value(
    reading: Reading, readings: list[Reading], text: str, aims: list[Aim], index: EvidenceIndex
) -> Judgement | None:
    """Return support or contradiction for one value, ``None`` when the evidence settles neither."""
    aim = _aim_for(reading, aims)
    if aim is None:
        places = index.find(reading)
    else:
        value = SaidValue(reading, readings, text, aim, index)
        places = value.places
        own = [place for place in places if place.unit in aim.units]
        if own:
            fitting = [place for place in own if not fits_another(value, place)]
            return _support(index, fitting[0]) if fitting else None
        rival = rival_of(value)
        if rival is not None:
            shown = _shown(rival)
            return Judgement(
                verdict="contradicted",
                reason=f"the evidence has {shown} where the answer says {reading.raw!r}",
                piece=index.units[rival.unit].piece,
                deciding=shown,
            )
        if places and reading.kind != "name" and is_only_of_siblings(value):
            return None
    if places and (aim is None or reading.kind != "name"):
        return _support(index, places[0])
    if reading.kind == "name" and reading.norm in index.text:
        return Judgement(verdict="supported", reason=f"{reading.raw!r} stands in the evidence", is_weak=True)
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


def _support(index: EvidenceIndex, place: Place) -> Judgement:
    shown = _shown(place)
    return Judgement(
        verdict="supported",
        reason=f"the evidence has {shown}",
        piece=index.units[place.unit].piece,
        deciding=shown,
        is_weak=place.reading.kind in ("name", "code"),
    )


def _shown(place: Place) -> str:
    cell = place.cell
    value = cell.raw if len(cell.raw) <= 60 else place.reading.raw
    return f"{cell.name}: {value}" if cell.name else value
