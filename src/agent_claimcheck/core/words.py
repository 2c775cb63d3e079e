"""The words of a text for a set test: a cheap "surely not" before a pattern that costs ten times as much.

A reader must not miss: a "no" is certain for patterns of whole ASCII words that ignore case, a "yes" only says that the
pattern has to be asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent_claimcheck.core.late_pattern import late_pattern

_APART = bytes(code if chr(code).isalnum() or code == 95 else 32 for code in range(128)) + b" " * 128
_ODD = b"?"
_ODD_LETTERS = ("\u0130", "\u0131", "\u017f")
"""Letters that a pattern without case takes for ``i`` and ``s``, though their lower case is no ASCII letter."""


_SPACED = bytes(code if code > 127 or chr(code).isalnum() else 32 for code in range(256))
_ANY_WORD = late_pattern(r"[^\W_]+")


def plain_words(text: str) -> list[str]:
    """Return the runs of letters and digits of ``text``, of any script and as they are written.

    >>> plain_words("3 Äpfel, not_2")
    ['3', 'Äpfel', 'not', '2']
    """
    if text.isascii():  # bytes are told apart many times faster than words are found
        return text.encode().translate(_SPACED).decode().split()
    return _ANY_WORD.findall(text)


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


class AnyPhrase:
    """Phrases of whole ASCII words, looked for without case. Most texts are passed over by their words alone.

    >>> AnyPhrase("if", "only when").all_in("Only when it rains, or if not", words_of("Only when it rains, or if not"))
    ['Only when', 'if']
    """

    def __init__(self, *phrases: str) -> None:
        self._pattern = re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)
        self._last = AnyWord(phrase.rsplit(" ", 1)[-1] for phrase in phrases)

    def all_in(self, text: str, words: Iterable[bytes]) -> list[str]:
        """Return the phrases of ``text`` as they are written, in order; ``words`` are its words, from ``words_of``."""
        return self._pattern.findall(text) if self._last.may_be_in(words) else []
