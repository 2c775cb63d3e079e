"""The words that the offline reading knows: units, directions, states that exclude each other, and words that mean alike."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from agent_claimcheck.core.word_files import read_sections, words_of_lines

_SPLIT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
_ENDINGS = ("ings", "ing", "edly", "ed", "ies", "es", "s", "ly")


class Lexicon:
    """The sections of ``words.txt`` in the form in which they are used."""

    def __init__(self) -> None:
        rows = read_sections(Path(__file__).with_name("words.txt"))
        self.up, self.down = words_of_lines(rows["up"]), words_of_lines(rows["down"])
        self.more, self.less = words_of_lines(rows["more"]), words_of_lines(rows["less"])
        self.most, self.least = words_of_lines(rows["most"]), words_of_lines(rows["least"])
        self.sum, self.about = words_of_lines(rows["sum"]), words_of_lines(rows["about"])
        self.stop = words_of_lines(rows["stop"])
        self.numbers = {word: int(number) for word, number in (row.split() for row in rows["numbers"])}
        self.scales = {word: int(number) for word, number in (row.split() for row in rows["scales"])}
        self.measures = {row.split()[0]: frozenset(stem(word) for word in row.split()[1:]) for row in rows["measure"]}
        self.units: dict[str, tuple[str, float]] = {}
        for row in rows["units"]:
            name, _, words = row.partition(":")
            self.units.update(dict.fromkeys(words.split(), _unit(name)))
        self.key_units = {word: _unit(name) for word, name in (row.split() for row in rows["key_units"])}
        self.alike: dict[str, frozenset[str]] = {}
        for line in rows["alike"]:
            group = frozenset(stem(word) for word in line.split())
            for word in group:
                self.alike[word] = self.alike.get(word, frozenset()) | group
        self.terms: dict[str, tuple[int, int]] = {}
        for number, line in enumerate(rows["terms"]):
            for place, words in enumerate(line.split("|")):
                self.terms.update(dict.fromkeys(words.split(), (number, place)))

    def related(self, words: frozenset[str]) -> frozenset[str]:
        """Return the stems ``words`` and every stem that means alike."""
        wider = set(words)
        for word in words:
            wider |= self.alike.get(word, frozenset())
        return frozenset(wider)


lexicon = cache(Lexicon)


def stem(word: str) -> str:
    """Return a rough stem: words that differ in an ending only have the same one.

    >>> stem("assignee") == stem("assigned"), stem("prices") == stem("price")
    (True, True)
    """
    word = word.lower()
    for ending in _ENDINGS:
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            word = word[: -len(ending)]
            break
    word = word.rstrip("e")
    return word[:6] if word else word


def stems(text: str) -> frozenset[str]:
    """Return the stems of the telling words of a text or a key; ``unit_price`` and ``unitPrice`` give the same."""
    stop = lexicon().stop
    return frozenset(stem(word) for word in _SPLIT.findall(text) if word.lower() not in stop and not word.isdigit())


def _unit(name: str) -> tuple[str, float]:
    unit, _, factor = name.partition("*")
    return unit, float(factor or 1)
