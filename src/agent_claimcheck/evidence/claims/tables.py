"""Tells how listed records stand from what was done: "| Order 48214 | Cancelled |" from "| Cancel order 48214 | Done |".

A reader must not miss: of a table its head tells them apart, of a list with "Status: ..." in it that the states differ. A
table without a head, or with a head that names no state, is read like any other text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.word_lists import WordLists

_RULE = late_pattern(r"[ \t|:+-]*")
_LONGEST_LABEL = 30
_MOST_FIELDS = 50
_WORD = re.compile(r"[^\W\d_]+")


def is_record_cell(text: str, start: int) -> bool:
    """True when the cell at ``start`` of the lower-case ``text`` tells how a listed record stands."""
    dashes = text.rfind("--", 0, start)
    begin = text.rfind("\n", 0, dashes) + 1 if dashes > 0 else 0
    if begin < 2 or "\n\n" in text[begin:start]:
        return False
    rule = text[begin : text.find("\n", dashes)]
    head = text[text.rfind("\n", 0, begin - 1) + 1 : begin - 1].strip(" \t|").split("|")
    if "|" not in rule or not _RULE.fullmatch(rule) or len(head) < 2:
        return False
    states, deeds = _heads()
    first = set(_WORD.findall(head[0]))
    return deeds.isdisjoint(first) and any(not states.isdisjoint(_WORD.findall(column)) for column in head[1:])


def is_state_field(text: str, at: int) -> bool:
    """True when what stands at ``at`` of the lower-case ``text`` is the value of a field such as "Status:"."""
    return _label().search(text, max(0, at - _LONGEST_LABEL), at) is not None


def lists_states(text: str) -> bool:
    """True when the lower-case ``text`` gives two records, or more, a state each, and not all the same."""
    found = {match[1] for match in islice(_field().finditer(text), _MOST_FIELDS)}
    return len(found) > 1


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
