"""A quick look whether a text may hold something at all, in one pass however many words are looked for.

A reader must not miss: the answer is yes or no. Where and what is asked afterwards, of the few texts that get a yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern


class Quick:
    """A pattern of ours on the engine whose time is linear in the text. ``\\b \\w \\s`` know ASCII alone.

    >>> Quick(r"(?i)\\bfox").is_in("A Foxglove"), Quick("brown|fox").is_in("dog")
    (True, False)
    """

    def __init__(self, pattern: str) -> None:
        self._source = pattern

    def is_in(self, text: str) -> bool:
        """Say whether the pattern fits somewhere in ``text``."""
        return self._set.Match(text.encode("utf-8", "replace")) is not None

    @computed
    def _set(self) -> Any:
        # A set of one: it does not look for where the pattern fits.
        return _search_set([self._source])


class QuickWords:
    """Many words looked for as they are written, also inside a word: which of them does a text hold?

    >>> QuickWords(["fox", "dog", "brown"]).in_text("a brown foxglove")
    ['fox', 'brown']
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(words)

    def in_text(self, text: str) -> list[str]:
        """Return the words that stand in ``text``, in the order they were given."""
        return [self._words[number] for number in sorted(self._set.Match(text.encode("utf-8", "replace")) or ())]

    @computed
    def _set(self) -> Any:
        return _search_set([re.escape(word) for word in self._words])


class GatedPatterns:
    """Patterns taken out of texts, each asked only where one of its words stands: a look for a word costs a fraction of a pattern.

    >>> GatedPatterns([(["longer"], r"no longer"), (["plan"], r"your plan")]).taken_from("it no longer hurts")
    'it  hurts'
    """

    def __init__(self, rows: Iterable[tuple[Iterable[str], str]]) -> None:
        self._rows = [(tuple(words), late_pattern(pattern)) for words, pattern in rows]

    def taken_from(self, text: str) -> str:
        """Return ``text`` without what the patterns find, one after the other."""
        for words, pattern in self._rows:
            for word in words:
                if word in text:
                    text = pattern.sub("", text)
                    break
        return text


def _search_set(patterns: Iterable[str]) -> Any:
    import re2

    patterns_of = re2.Set.SearchSet()
    for pattern in patterns:
        patterns_of.Add(pattern.encode())
    patterns_of.Compile()
    return patterns_of
