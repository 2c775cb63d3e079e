"""How many there are: a number that counts, against the length of the list that its noun names.

A reader must not miss: what is counted may be a part of the list. A count is judged only where the list is plainly the one that
is meant; of a list without a name only more than it holds is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_claimcheck.checks.faithfulness.evidence_index import EvidenceIndex
from agent_claimcheck.checks.faithfulness.judgement import Judgement
from agent_claimcheck.checks.faithfulness.lexicon import lexicon, stem, stems
from agent_claimcheck.checks.faithfulness.readings import Reading, numbers_of
from agent_claimcheck.checks.faithfulness.units import Listing, Unit

_WORD = re.compile(r"[A-Za-z]+")
_OF_THEM = re.compile(r"^\s{0,2}(?:of (?:them|these|those|which)|are|is|were|was|remain)\b", re.IGNORECASE)
_GENERIC = frozenset(
    stem(word)
    for word in ("result", "item", "entry", "record", "match", "row", "option", "hit", "found", "issue", "one")
)
_HOW_MANY = re.compile(
    r"\b(?:there (?:are|were)(?: currently| now)?|found|returned|lists?|shows?)(?: a total of| exactly| only)? \Z",
    re.IGNORECASE,
)
_MORE = re.compile(r"\s(?:more|other|others|further|additional)\b", re.IGNORECASE)
_COUNTED = re.compile(r"(?:\s[A-Za-z]+){0,3}")


def judge_counts(text: str, readings: list[Reading], index: EvidenceIndex, settled: set[int]) -> Iterator[Judgement]:
    """How many: the length of the list that the counted word names."""
    for reading in numbers_of(readings):
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
        if not sizes and not index.find(reading) and (bare := _bare_list(rest, index)) is not None:
            yield from _more_than(bare, reading, text, index, settled)
            continue
        if not sizes or (index.find(reading) and int(reading.number) not in sizes):
            continue
        settled.add(reading.start)
        if int(reading.number) in sizes:
            yield Judgement("supported", f"the list has {int(reading.number)} members", lists[0].piece)
        elif len(sizes) == 1 and not _is_partial(text, reading) and not index.is_given(reading):
            yield _judge_count(reading, lists[0].size, f"a list of {lists[0].size}", lists[0].piece)


def _more_than(
    bare: Listing, reading: Reading, text: str, index: EvidenceIndex, settled: set[int]
) -> Iterator[Judgement]:
    """Judge a count by a list without a name: as many members are support, more than there are is wrong."""
    is_too_many = reading.number > bare.size and _says_how_many(text, reading) and not index.is_given(reading)
    if int(reading.number) == bare.size or is_too_many:
        settled.add(reading.start)
        yield _judge_count(reading, bare.size, f"a list of {bare.size}", bare.piece)


def _bare_list(rest: str, index: EvidenceIndex) -> Listing | None:
    """Return the one list of the evidence when it has no name and the tool that returned it is called after what is counted.

    "3 open PRs" of a list that ``list_prs`` returned. What is counted may be a part of it, so only more than it holds is wrong.
    """
    if len(index.listings) != 1 or len(index.pieces) != 1 or index.listings[0].name or not index.listings[0].size:
        return None
    counted = _COUNTED.match(rest)
    is_named = counted is not None and not stems(counted[0].lower()).isdisjoint(stems(index.pieces[0].subject))
    return index.listings[0] if is_named else None


def _says_how_many(text: str, reading: Reading) -> bool:
    """True for "there are 3" and "found 3", not for the next 3, or 3 more."""
    return _HOW_MANY.search(text[: reading.start]) is not None and _MORE.match(text, reading.end) is None


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
