"""Whether several of one thing were asked for, or are told: in words of many languages, by a sum, or by the lines of a list.

A reader must not miss: this keeps a repeat from accusing, so in doubt several were wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.words import plain_words
from agent_claimcheck.evidence.asked.deeds import CLASS_OF_VERB
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import MONTH_PATTERN
from agent_claimcheck.evidence.values.quantities import is_close, read_quantity
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.word_lists import WordLists

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_ENGLISH = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ENGLISH_WORDS = late_pattern(r"\b(?:an?|and|for|i|in|is|it|me|my|of|please|the|to|with|you|your)\b", re.IGNORECASE)
_WITHOUT_SPACES = frozenset({"ja", "ko", "zh"})
_TIMES = late_pattern(
    r"(?<![\w.])(?:\d{1,3} ?[x×]|[x×] ?\d{1,3}|\d{1,3} of (?:them|these|those|each))(?!\w)", re.IGNORECASE
)
_SEVERAL = late_pattern(r"\b(?:couple|eleven|twelve|\w{3,6}teen|twenty|thirty|forty|fifty)\b", re.IGNORECASE)
_SURPLUS = late_pattern(
    r"\b(?:twice|(?:two|three|several|multiple) times|duplicat\w+|second (?:time|copy|one)|a second|double[- ]?\w+|surplus"
    r"|once too often)\b",
    re.IGNORECASE,
)
"""How a reply owns up to one too many."""
_COUNTED = re.compile(
    rf"(?<![\w:./,-])(?:[2-9]|1\d|20)(?!\d)(?![:./,-]\d)(?!\.? ?(?:de )?{MONTH_PATTERN}\b)(?!\.)(?! ?(?:h|am|pm|uhr|%|€|\$|eur|usd)\b)"
    r" [^\W\d_]{3,}",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_LEAF = 20_000, 80
_MOST_CALLS, _MOST_LINES = 50, 2_000


def asks_for_several(texts: Sequence[str], language: str | None) -> bool:
    """True when one of ``texts``, which the user wrote, speaks of several of something."""
    for text in texts:
        if _TIMES.search(text) or _SEVERAL.search(text):
            return True
        if language not in (None, "en"):
            if _COUNTED.search(text) or _says_several(text, str(language)):
                return True
        elif not _is_english(text):
            return True  # the reply is in English and the request is not: how many it asks for is not known
    return False


def _is_english(text: str) -> bool:
    return _ENGLISH_WORDS.search(text) is not None or not CLASS_OF_VERB.keys().isdisjoint(plain_words(text.casefold()))


def tells_several(closing: str, count: int, language: str | None) -> bool:
    """True when the closing text tells that there are ``count`` of a thing, or that one is too many."""
    text = closing[:_LONGEST]
    if _SURPLUS.search(text):
        return True
    if language not in (None, "en"):
        return _COUNTED.search(text) is not None or _says_several(text, str(language))
    words = [*_ENGLISH[count : count + 1], *(("both", "pair") if count == 2 else ())]
    if any(re.search(rf"\b{word}\b", text, re.IGNORECASE) for word in words):
        return True
    return any(re.match(rf"{count}(?!\d)", found[0]) for found in _COUNTED.finditer(text))


def is_a_part_of(args: dict[str, Any], count: int, texts: Sequence[str]) -> bool:
    """True when a sum that the user named is that of ``count`` such calls: 600 in two transfers of 300."""
    numbers = {
        float(value) for _, value in walk_values(args) if isinstance(value, int | float) and value and value is not True
    }
    if not numbers:
        return False
    named = [
        quantity.value for text in texts for word in _numbers_in(text) if (quantity := read_quantity(word)) is not None
    ]
    return any(is_close(number * count, one) for number in numbers for one in named)


def is_listed_more_than_once(values: Sequence[str], before: int, evidence: Evidence) -> bool:
    """True when a list that the run read before step ``before`` holds two entries with all of ``values``."""
    wanted = [value.casefold().strip() for value in values if value]
    if not wanted or any(len(value) > _LONGEST_LEAF for value in wanted):
        return False
    for pair in evidence.calls[:_MOST_CALLS]:
        if pair.call.i >= before:
            return False
        if pair.result is None or evidence.effect(pair).kind != "read":
            continue
        found = 0
        for line in _entries(parse_output(pair.result.output)):
            found += all(value in line for value in wanted)
            if found > 1:
                return True
    return False


def _entries(output: Any) -> Iterator[str]:
    """Yield the entries of the lists in a result, and the lines of a text, case-folded."""
    if isinstance(output, str):
        yield from output[:_LONGEST].casefold().split("\n")[:_MOST_LINES]
        return
    level, seen = [output], 0
    while level and seen < _MOST_LINES:
        node = level.pop()
        seen += 1
        if isinstance(node, dict):
            level += [child for child in node.values() if isinstance(child, dict | list)]
        elif isinstance(node, list):
            for item in node[:_MOST_LINES]:
                yield "\n".join(str(leaf) for _, leaf in walk_values(item))[:_LONGEST].casefold()


def _numbers_in(text: str) -> list[str]:
    return re.findall(r"(?<![\w.,:/-])\d{1,9}(?:[.,]\d{1,3})*(?![\w:/-]*\d)", text[:_LONGEST])


def _says_several(text: str, language: str) -> bool:
    pattern = _words_of(language)
    return pattern is not None and pattern.search(text[:_LONGEST]) is not None


@lru_cache(maxsize=32)
def _words_of(language: str) -> re.Pattern[str] | None:
    try:
        words = WordLists("copies").pattern(language)
    except KeyError:
        return None
    return re.compile(words if language in _WITHOUT_SPACES else rf"\b(?:{words})\b", re.IGNORECASE)
