"""One spelling for text that hides what it says: lower case, plain letters, no invisible characters.

A reader must not miss: folding works letter by letter, so every place in the folded text has a place in the real one.
Letters that only look like Latin ones are replaced in a second view, because in Russian or Greek text they are what they
look like.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache
from pathlib import Path

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_TAG_FIRST, _TAG_LAST = 0xE0020, 0xE007E
_FOREIGN = re.compile("[\u0250-\u02af\u0370-\u1fff\ua640-\ua69f\U0001f1e6-\U0001f1ff]")
_MIXED = re.compile(
    "[a-z][\u0370-\u1fff\ua640-\ua69f]|[\u0370-\u1fff\ua640-\ua69f][a-z]|[\u0250-\u02af\u1d00-\u1d7f\U0001f1e6-\U0001f1ff]"
)
_SPACES = frozenset(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\r\x0b\x0c\x85\u2028\u2029"
)
_STRAIGHT = {
    "‘": "'",
    "’": "'",
    "‚": "'",
    "‛": "'",
    "ʼ": "'",
    "′": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "‐": "-",
    "‑": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
}


class _Folding(dict[int, str]):
    """Folds a character when it is first met. Marks vanish: accents of Latin letters and vowel signs alike."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in _SPACES:
            folded = " "
        elif _INVISIBLE.match(char) or 0xD800 <= code <= 0xDFFF:
            folded = ""
        elif char in _STRAIGHT:
            folded = _STRAIGHT[char]
        else:
            parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", char).lower())
            kept = "".join(part for part in parts if not unicodedata.combining(part) and part not in "\u3099\u309a")
            folded = unicodedata.normalize("NFC", kept).lower()
        self[code] = folded
        return folded


_FOLDING = _Folding()
_OTHERS = re.compile(r"[^\x00-\x7f]+")
_PLAIN_BYTES = bytes(range(128))
_FEW = 16
"""Different characters up to which replacing one after the other is faster than folding run by run."""


def _fold_run(found: re.Match[str]) -> str:
    return found[0].translate(_FOLDING)


def _characters_outside_ascii(text: str) -> str:
    """Return every character of ``text`` outside ASCII once. Most texts hold none or two or three different ones."""
    if text.isascii():
        return ""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN_BYTES)
    return "".join(set(rest.decode("utf-8", "surrogatepass")))


def _fold(real: str, others: str) -> str:
    changed = {char: _FOLDING[ord(char)] for char in others if _FOLDING[ord(char)] != char}
    # What one character becomes must not be folded again by the turn of another.
    if len(changed) > _FEW or any(char in changed for folded in changed.values() for char in folded):
        return _OTHERS.sub(_fold_run, real)
    for char, folded in changed.items():
        real = real.replace(char, folded)
    return real


class Folded:
    """A text in its folded spelling. ``text`` is what is searched; ``span`` leads back to the real text.

    ``others`` are the characters outside ASCII of the real text, each once.
    """

    __slots__ = ("_ends", "is_plain", "others", "real", "text")

    def __init__(self, real: str) -> None:
        self.real = real
        self.others = _characters_outside_ascii(real)
        self.is_plain = not self.others
        self.text = real.lower() if self.is_plain else _fold(real, self.others).lower()
        self._ends: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the real text that ``[start, end)`` of the folded text came from."""
        if self.is_plain or len(self.text) == len(self.real):
            return start, end
        if self._ends is None:
            self._ends = []
            at = 0
            for char in self.real:
                at += 1 if char < "\x80" else len(_FOLDING[ord(char)])
                self._ends.append(at)
        return bisect_right(self._ends, start), min(len(self.real), bisect_right(self._ends, max(start, end - 1)) + 1)


def fold_pattern(pattern: str) -> str:
    """Fold a pattern's letters as texts are folded. White space and ASCII stay as they are."""
    return "".join(char if char.isascii() else _FOLDING[ord(char)] for char in pattern)


def has_lookalikes(folded: str, others: str) -> bool:
    """True when letters of several scripts stand in one word, or letters that exist only to look like others.

    ``others`` are the characters outside ASCII of the text before it was folded.
    """
    # Few texts hold such letters at all, and their different characters tell that faster than the text.
    may_have = _FOREIGN.search("".join(_FOLDING[ord(char)] for char in others).lower()) is not None
    return may_have and _MIXED.search(folded) is not None


def replace_lookalikes(folded: str) -> str:
    """Return ``folded`` with every letter that looks like a Latin one replaced by it. The length stays the same."""
    return folded.translate(_lookalikes())


def tag_text(text: str) -> str:
    """Return what invisible tag characters spell. Flags, which are made of tags too, are left out.

    >>> tag_text("hi" + "".join(chr(0xE0000 + ord(c)) for c in "send it"))
    'send it'
    """
    if not _TAGS.search(text):
        return ""
    kept: list[str] = []
    in_flag = False
    for char in text:
        code = ord(char)
        if char == "\U0001f3f4":
            in_flag = True
        elif _TAG_FIRST <= code <= _TAG_LAST:
            if not in_flag:
                kept.append(chr(code - 0xE0000))
        elif code != 0xE007F:
            in_flag = False
    return "".join(kept)


def selector_text(text: str) -> str:
    """Return what a run of variation selectors spells, one byte each, or nothing when it spells no text."""
    data = bytearray()
    for char in _SELECTORS.findall(text):
        code = ord(char)
        if 0xFE00 <= code <= 0xFE0F:
            data.append(code - 0xFE00)
        else:
            data.append(code - 0xE0100 + 16)
    spelled = data.decode("utf-8", "ignore") if len(data) >= 8 else ""
    return spelled if len(spelled) >= 8 and spelled.isprintable() else ""


def invisible_runs(text: str) -> int:
    """Return the length of the longest run of invisible characters, 0 for none. Longer than 15 is never typography."""
    if not has_invisible(text):
        return 0
    longest = run = 0
    for char in text:
        run = run + 1 if _INVISIBLE.match(char) else 0
        longest = max(longest, run)
    return longest


def has_invisible(text: str) -> bool:
    """True when the text holds characters that show nothing."""
    return not text.isascii() and _INVISIBLE.search(text) is not None


@cache
def _lookalikes() -> dict[int, str]:
    table: dict[int, str] = {}
    for line in Path(__file__).with_name("lookalikes.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            latin, _, others = line.partition(" ")
            table.update({ord(char): latin for char in others.split()[0]} if others.split() else {})
    return table
