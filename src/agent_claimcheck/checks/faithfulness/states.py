"""States that exclude each other: open and closed, available and not, all and none.

A reader must not miss: a state counts only for the record that the statement names, and "not" turns it around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.checks.faithfulness.aim import Aim
from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.judgement import Judgement
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem, stems
from agent_claimcheck.checks.faithfulness.units import Cell, Unit

_WORD = re.compile(r"[A-Za-z][\w.-]*[\w]|[A-Za-z]")
_NOT = re.compile(
    r"\b(?:not|no|no longer|never|isn't|aren't|wasn't|weren't|hasn't|haven't|doesn't|don't|didn't|without|neither|nor)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"^(?:all|every|each|both)\b(?: of)?(?: the)?", re.IGNORECASE)
_NONE = re.compile(r"^(?:none of|no|neither of|not one of|not a single)\b(?: the)?", re.IGNORECASE)
_IS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|be|remains?|stays?|not|it's|isn't|aren't)\b[^,.;:]{0,24}\Z", re.IGNORECASE
)
_AFTER_VERB = re.compile(
    r"\s{0,2}(?:[.,;!]|\Z|(?:on|in|at|with|by|for|yesterday|today|because|after|before)\b)", re.IGNORECASE
)
_WINDOW = 40
_LONGEST_STATE = 30


def judge_states(text: str, aims: list[Aim], index: EvidenceIndex) -> Iterator[Judgement]:
    """Yield judgements on states of named records, and on "all" and "none" of a list."""
    every = _quantifier(text)
    if every is not None:
        yield from _judge_every(text, every, index)
        return
    for aim in aims:
        if not aim.is_named and (aim.weight < 2 or len(index.units) > 3):
            continue
        part = _part_of(text, aim, aims)
        units = [index.units[number] for number in aim.units]
        yield from _judge_terms(part, units, index)
        yield from _judge_flags(part, units, aim, index)


def _part_of(text: str, aim: Aim, aims: list[Aim]) -> str:
    """Return the part of the statement that is about ``aim``: up to the next name, from the start for the first."""
    if len(aims) == 1 or not aim.is_named:
        return text
    place = aims.index(aim)
    start = 0 if place == 0 else aim.start
    return text[start : aims[place + 1].start] if place + 1 < len(aims) else text[start:]


def _judge_terms(part: str, units: list[Unit], index: EvidenceIndex) -> Iterator[Judgement]:
    terms = lexicon().terms
    for found in _WORD.finditer(part):
        word = found[0].lower()
        known = terms.get(word)
        if known is None or _is_negated(part, found.start()):
            continue
        values = [(unit, cell, term) for unit in units for cell in unit.cells if (term := _state_of(cell)) is not None]
        same_class = [(unit, cell, term) for unit, cell, term in values if term[0] == known[0]]
        if not same_class:
            continue
        if any(term == known for _, _, term in same_class):
            unit, cell, _ = next(item for item in same_class if item[2] == known)
            yield Judgement("supported", f"the evidence has {cell.shown}", unit.piece, cell.shown)
        elif (
            _is_said(part, found, same_class[0][1])
            and len({term for _, _, term in same_class}) == 1
            and not index.says(word)
            and _only_last(units, same_class[0][0])
        ):
            unit, cell, _ = same_class[0]
            yield Judgement(
                "contradicted",
                f"the evidence has {cell.shown} where the answer says {word!r}",
                unit.piece,
                cell.shown,
            )


def open_states(text: str, aims: list[Aim], index: EvidenceIndex) -> Iterator[str]:
    """Yield the states that records are said to be in where the evidence has only states of another kind for them."""
    if sum(aim.is_named for aim in aims) < 2 or _quantifier(text) is not None:
        return
    for aim in aims:
        if aim.is_named and (state := _open_state(_part_of(text, aim, aims), aim, index)) is not None:
            yield state


def _open_state(part: str, aim: Aim, index: EvidenceIndex) -> str | None:
    cells = [(cell, term) for number in aim.units for cell in index.units[number].cells if (term := _state_of(cell))]
    shown = " ".join(cell.raw.lower() for cell, _ in cells)
    for found in _WORD.finditer(part):
        known = lexicon().terms.get(found[0].lower())
        if known is None or not cells or not _is_said(part, found, cells[0][0]):
            continue
        if all(term[0] != known[0] for _, term in cells) and found[0].lower() not in shown:
            return found[0]
    return None


def _is_said(part: str, found: re.Match[str], cell: Cell) -> bool:
    """True when the word is said of the record ("is open", "low priority"), not used to pick it ("the open ones")."""
    before, after = part[max(0, found.start() - 30) : found.start()], part[found.end() : found.end() + 16]
    if found[0].endswith("ed") and _AFTER_VERB.match(part, found.end()):
        return True
    return _IS.search(before) is not None or bool(stems(after.split(",")[0]) & lexicon().related(cell.key))


def _only_last(units: list[Unit], unit: Unit) -> bool:
    """True when no later unit about the same thing could hold a newer state."""
    return all(other.piece <= unit.piece for other in units)


def _state_of(cell: Cell) -> tuple[int, int] | None:
    text = cell.raw.strip().lower()
    if len(text) > _LONGEST_STATE:
        return None
    return lexicon().terms.get(text) or next(
        (lexicon().terms[word] for word in text.split() if word in lexicon().terms), None
    )


def _judge_flags(part: str, units: list[Unit], aim: Aim, index: EvidenceIndex) -> Iterator[Judgement]:
    for unit in units:
        for cell in unit.cells:
            if cell.flag is None or not cell.key:
                continue
            said = _says_flag(part, cell)
            if said is None:
                continue
            if said == cell.flag:
                yield Judgement("supported", f"the evidence has {cell.shown}", unit.piece, cell.shown)
            elif len(units) == 1 and (aim.is_named or aim.weight >= 3) and not _was_asked_for(cell, said, index):
                yield Judgement("contradicted", f"the evidence has {cell.shown}", unit.piece, cell.shown)


def _was_asked_for(cell: Cell, said: bool, index: EvidenceIndex) -> bool:
    """True when a call set this field so: the record that was read may be an older one."""
    return index.says(f'"{cell.name}": {str(said).lower()}')


def _says_flag(part: str, cell: Cell) -> bool | None:
    """Return what the text says of a yes-or-no field: true, false, or nothing."""
    wanted = {stem(word) for word in cell.name.replace("_", " ").split()} - {"is", "has", "in"}
    if not wanted:
        return None
    words = list(_WORD.finditer(part))
    for found in words:
        word = found[0].lower()
        if (
            stem(word) in wanted
            and wanted <= {stem(other[0]) for other in words}
            and _IS.search(part[max(0, found.start() - 30) : found.start()])
        ):
            return not any(_is_negated(part, other.start()) for other in words if stem(other[0].lower()) in wanted)
        if word.startswith(("un", "in")) and stem(word[2:]) in wanted and len(wanted) == 1:
            return _is_negated(part, found.start())
    return None


def _is_negated(part: str, at: int) -> bool:
    before = part[max(0, at - _WINDOW) : at]
    for mark in (",", ";", ":", " and ", " but "):
        before = before.rsplit(mark, 1)[-1]
    return _NOT.search(before) is not None


def _quantifier(text: str) -> bool | None:
    """Return true for a statement on all, false for one on none, ``None`` for any other."""
    if _ALL.match(text):
        return True
    return False if _NONE.match(text) else None


def _judge_every(text: str, every: bool, index: EvidenceIndex) -> Iterator[Judgement]:
    groups: dict[int, list[Unit]] = {}
    for unit in index.units:
        if unit.group >= 0:
            groups.setdefault(unit.group, []).append(unit)
    for units in groups.values():
        if len(units) < 2:
            continue
        holds = [_holds(unit, text) for unit in units]
        known = [value for value in holds if value is not None]
        if len(known) != len(units):
            continue
        fine = all(known) if every else not any(known)
        shown = ", ".join(
            sorted({cell.shown for unit in units for cell in unit.cells if cell.flag is not None or _state_of(cell)})
        )
        if fine:
            yield Judgement("supported", f"it holds for all {len(units)} records", units[0].piece, shown)
        else:
            yield Judgement(
                "contradicted",
                f"it does not hold for all {len(units)} records: {shown[:120]}",
                units[0].piece,
                shown[:160],
            )
        return


def _holds(unit: Unit, text: str) -> bool | None:
    for cell in unit.cells:
        if cell.flag is not None:
            said = _says_flag(text[4:], cell)
            if said is not None:
                return said == cell.flag
        state = _state_of(cell)
        if state is not None:
            for found in _WORD.finditer(text):
                known = lexicon().terms.get(found[0].lower())
                if known is not None and known[0] == state[0]:
                    return (known == state) != _is_negated(text, found.start())
    return None
