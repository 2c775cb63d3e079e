"""What stands around a claim: the table or list of records, or the draft, that its words may belong to.

"| Order 48214 | Cancelled |" tells how a record stands, "| Cancel order 48214 | Done |" what was done.

A reader must not miss: of a table its head tells them apart, of a list with "Status: ..." in it that the states differ. A
table without a head, or with a head that names no state, is read like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.accounts import draft_at
from agent_claimcheck.evidence.word_lists import WordLists

_RULE = late_pattern(r"^[ \t|:]*--[ \t|:+-]*$|\n\n", re.MULTILINE)
"""The line below the head of a table, and what ends one."""
_PLAN_WORDS = (
    "plan",
    "agenda",
    "goal",
    "milestone",
    "next steps",
    "criteria",
    "to-do",
    "todo",
    "schedule",
    "checklist",
)
_PLAN = late_pattern(
    r"\b(?:(?<!executed )(?<!completed )plan|agenda|goals?|milestones|next steps|acceptance criteria|to-?dos?|to-?do list|checklist"
    r"|(?:suggested|proposed|possible|rough|draft|planned) schedule)\b[^:\n]{0,40}:[ *_]*\n"
    r"((?:[ \t]*(?:[-*•–]|\d{1,2}[.)])(?![^\n]*(?:[✅✔☑✓👍🎉]|\[x\]))[^\n]*(?:\n|\Z)|[ \t]*\n(?=[ \t]*(?:[-*•–]|\d{1,2}[.)])))+)"
)
"""The head of a list of what is to come, and the list: items without a tick, blank lines between them."""
_LONGEST_LABEL = 30
_MOST_FIELDS = 50
_CSV_MARKS = (",", ";", "\t")
_AROUND = " \t\r\n\"'"
_LONGEST_HEAD = 300
_MOST_ROWS = 100
_WORD = late_pattern(r"[^\W\d_]+")


class Surroundings:
    """Those of the claims of one lower-case message. To be asked from its front to its back: so the work stays linear."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read = 0
        self._is_in_table = False

    def holds_cell(self, start: int) -> bool:
        """True when the cell at ``start`` tells how a listed record stands."""
        for match in _RULE.finditer(self.text, self._read, max(start, self._read)):
            self._is_in_table = match[0] != "\n\n" and self._is_of_records(match.start())
        self._read = max(start, self._read)
        return self._is_in_table

    def is_state_field(self, at: int) -> bool:
        """True when what stands at ``at`` is the value of a field such as "Status:"."""
        near = self.text[max(0, at - _LONGEST_LABEL) : at]
        return (":" in near or "：" in near) and _label().search(near) is not None

    def is_in_draft(self, at: int) -> bool:
        """True for what stands in a text that the reader is to use, or in an example."""
        return at >= self._draft

    def is_planned(self, at: int) -> bool:
        """True for what stands in the list below "Here's the plan:" or "Goals:" and has no tick: it is to come."""
        return any(start <= at < end for start, end in self._plans)

    @computed
    def _plans(self) -> list[tuple[int, int]]:
        if ":" not in self.text or not any(word in self.text for word in _PLAN_WORDS):
            return []
        return [match.span(1) for match in islice(_PLAN.finditer(self.text), _MOST_FIELDS)]

    @computed
    def lists_states(self) -> bool:
        """True when two records, or more, are given a state each, and not all the same."""
        return len({match[1] for match in islice(_field().finditer(self.text), _MOST_FIELDS)}) > 1

    @computed
    def _draft(self) -> int:
        return draft_at(self.text)

    def _is_of_records(self, rule: int) -> bool:
        head = self.text[self.text.rfind("\n", 0, max(0, rule - 1)) + 1 : max(0, rule - 1)].strip(" \t|").split("|")
        if len(head) < 2:
            return False
        states, deeds = _heads()
        is_of_deeds = not deeds.isdisjoint(_WORD.findall(head[0]))
        return not is_of_deeds and any(not states.isdisjoint(_WORD.findall(column)) for column in head[1:])


def reported_rows(text: str) -> Iterator[tuple[int, int]]:
    """Yield ``[start, end)`` of the rows of a reply in CSV that say of a task that it was done: "send invoice,done"."""
    head, _, rest = text.partition("\n")
    mark = next((mark for mark in _CSV_MARKS if mark in head), None)
    if mark is None or not rest or len(head) > _LONGEST_HEAD or "|" in head:
        return
    heads = [name.strip(_AROUND).lower() for name in head.split(mark)]
    states, deeds = _heads()
    told = states | WordLists("tables").words("results")
    column = next((number for number, name in enumerate(heads) if name in told), None)
    if column is None or deeds.isdisjoint(heads):
        return
    done = WordLists("tables").words("done")
    start = len(head) + 1
    for row in islice(rest.splitlines(keepends=True), _MOST_ROWS):
        cells = row.split(mark)
        if len(cells) == len(heads) and cells[column].strip(_AROUND).lower() in done:
            yield start, start + len(row.rstrip())
        start += len(row)


@lru_cache(maxsize=1)
def _label() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_heads()[0]))})[*_\s]{{0,4}}[:：][*_\s]{{0,4}}\Z")


@lru_cache(maxsize=1)
def _field() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_heads()[0]))})[*_\s]{{0,4}}[:：][*_\s]{{0,4}}(\w+)")


@lru_cache(maxsize=1)
def _heads() -> tuple[frozenset[str], frozenset[str]]:
    lists = WordLists("tables")
    return lists.words("states"), lists.words("deeds")
