"""A quick look whether a text may hold something at all, in one pass however many words are looked for.

A reader must not miss: the answer is yes or no. Where and what is asked afterwards, of the few texts that get a yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from agent_claimcheck.core.computed import computed


class Quick:
    """A pattern of ours on the engine whose time is linear in the text. ``\\b \\w \\s`` know ASCII alone.

    >>> Quick(r"(?i)\\bfox").is_in("A Foxglove"), Quick.of_words(["brown", "fox"]).is_in("dog")
    (True, False)
    """

    def __init__(self, pattern: str) -> None:
        self._source = pattern

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Quick:
        """Look for any of ``words`` as they are written, also inside a word."""
        return cls("|".join(re.escape(word) for word in words))

    def is_in(self, text: str) -> bool:
        """Say whether the pattern fits somewhere in ``text``."""
        return self._pattern.search(text.encode("utf-8", "replace")) is not None

    @computed
    def _pattern(self) -> Any:
        import re2

        return re2.compile(self._source.encode())
