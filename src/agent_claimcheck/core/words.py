"""The words of a text for a set test: a cheap "surely not" before a pattern that costs ten times as much.

A reader must not miss: a "no" is certain for patterns of whole ASCII words that ignore case, a "yes" only says that the
pattern has to be asked.
"""

from __future__ import annotations

from collections.abc import Iterable

_APART = bytes(code if chr(code).isalnum() or code == 95 else 32 for code in range(128)) + b" " * 128
_ODD = b"?"
_ODD_LETTERS = ("\u0130", "\u0131", "\u017f")
"""Letters that a pattern without case takes for ``i`` and ``s``, though their lower case is no ASCII letter."""


def words_of(text: str) -> list[bytes]:
    """Return the runs of ASCII letters, digits and ``_`` of ``text`` in lower case, as bytes.

    >>> words_of("All done, it isn't 3.5")
    [b'all', b'done', b'it', b'isn', b't', b'3', b'5']
    """
    words = text.lower().encode("utf-8", "replace").translate(_APART).split()
    if not text.isascii() and any(letter in text for letter in _ODD_LETTERS):
        words.append(_ODD)
    return words


class AnyWord:
    """A set of whole words, one of which a text must hold before a pattern made of them can match.

    >>> AnyWord("failed sorry").may_be_in(words_of("Sorry about that")), AnyWord("failed").may_be_in(words_of("fail"))
    (True, False)
    """

    def __init__(self, words: str | Iterable[str]) -> None:
        listed = words.split() if isinstance(words, str) else words
        self._words = frozenset([_ODD, *(word.encode() for word in listed)])

    def may_be_in(self, words: Iterable[bytes]) -> bool:
        """Return False when ``words``, from ``words_of``, hold none of them."""
        return not self._words.isdisjoint(words)
