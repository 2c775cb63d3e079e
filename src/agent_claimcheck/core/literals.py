"""Many fixed words looked for in a text at once, in one pass however many there are.

A reader must not miss: the answer is yes or no. Where a word stands is asked afterwards, and only of the few texts that
hold one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_claimcheck.core.computed import computed


class Literals:
    """A set of literal strings. Upper and lower case differ; fold words and text alike to ignore it."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(words)

    def stand_in(self, text: str) -> bool:
        """Say whether at least one of the words is a part of ``text``. The time is linear in the text alone.

        >>> Literals(["brown", "fox"]).stand_in("a quick brown dog"), Literals(["fox"]).stand_in("dog")
        (True, False)
        """
        return self._pattern.search(text.encode("utf-8", "replace")) is not None

    @computed
    def _pattern(self) -> Any:
        import re2

        return re2.compile("|".join(re2.escape(word) for word in self._words).encode())
