"""Tells which language a message is written in, and whether the finder can read it at all.

A reader must not miss: "cannot be read" is an answer of its own. It keeps a claim in a language without data from
passing as "nothing was claimed".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.language_files import function_words
from agent_claimcheck.evidence.word_lists import WordLists

_KANA = late_pattern("[\u3040-\u30ff]")
_HAN = late_pattern("[\u4e00-\u9fff\u3400-\u4dbf]")
_HANGUL = late_pattern("[\uac00-\ud7af]")
_CYRILLIC = late_pattern("[\u0400-\u04ff]")
_CYRILLIC_WORD = late_pattern("[\u0400-\u04ff]+")
_NOT_RUSSIAN = late_pattern("[іїєґўјљњћђџәғқңөұүһ]")
_LATIN = late_pattern("[A-Za-z\u00c0-\u024f]")
_LETTER = late_pattern(r"[^\W\d_]")
_NOT_LATIN = late_pattern(
    "[^\x00-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf-\u024f\u2010-\u2064\u20a0-\u20bf\u2190-\u23ff\u2500-\u2767\ufe0f\U0001f300-\U0001f64f]"
)
"""Anything but Latin letters, and punctuation, symbols and pictures that hold no letter. One search passes over most texts."""
_FOREIGN_LETTER = late_pattern("[åæøěůřčšžďťňőűățșđāēīūģķļņėįųþðơưạ-ỹ]")
"""Letters that none of the languages with data uses."""
_MOST_WORDS = 600
_SAMPLE = 4000
"""Characters looked at: enough to know a language, and a bound on the work."""

_SURELY_ENGLISH = 0.45
"""Share of known words from which a text is English without asking further."""

_SHARE = 0.22
"""A language must know at least this share of the words of a text; below it the text is in none we know."""

_ONLY_ENGLISH = frozenset(("the", "and", "your", "you", "this", "have", "with"))
"""Words that no other language shares count twice."""

_CHECKED = 12
"""Words up to which English is doubted where a word of a language without data stands in it."""

_SHORT = 5
_SHORT_SHARE = 0.34
"""In a text of up to ``_SHORT`` words one chance word must not decide."""

_LONG = 20
"""Beyond so many words a list of names may be long, and English is still told by half the share."""


_VALUE_SIGN = late_pattern(r"[\d@_]|://")
_SPOKEN = late_pattern(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_UNSPACED = late_pattern("[!-~]+")
"""A run of ASCII signs: without spaces between words an id or an address stands right beside them."""


class LanguageReading(NamedTuple):
    """``code`` is the best known language or ``None``; ``is_readable`` is false when the text says something unread.

    ``rivals`` are languages with as many votes as ``code``: "he" is a word of two.
    """

    code: str | None
    is_readable: bool
    rivals: tuple[str, ...] = ()


_ENGLISH = LanguageReading("en", True)


def identify(text: str, words: list[str], distinct: set[str]) -> LanguageReading:
    """Identify the language of lower-case ``text``; ``words`` are its words without punctuation, ``distinct`` as a set.

    Ids, numbers and addresses are in no language: they do not count, unless the text is English anyhow.
    """
    if not text.isascii() and _NOT_LATIN.search(text, 0, _SAMPLE):
        other = _by_script(text[:_SAMPLE])
        if other is not None:
            return other
    if len(words) > _MOST_WORDS:
        words = words[:_MOST_WORDS]
        distinct = set(words)
    english = function_words()["latin"]["en"]
    is_english = len(_ONLY_ENGLISH & distinct) > 1 or len(english & distinct) >= _SURELY_ENGLISH * len(words)
    if is_english and (len(words) > _CHECKED or _unread().signs.isdisjoint(distinct)):
        return _ENGLISH
    if _VALUE_SIGN.search(text):
        spoken = " ".join(word for word in text[:_SAMPLE].split() if not _VALUE_SIGN.search(word))
        words = _SPOKEN.findall(spoken)[:_MOST_WORDS]
    # Masked quotations and code are runs of "x"; they are in no language.
    lower = [word for word in words if word.isalpha() and len(word) > 1 and not word.startswith("xx")]
    if not lower or sum(map(len, lower)) < 0.4 * len("".join(words)):
        return _ENGLISH if is_english else LanguageReading(None, True)
    known = sum(1 + (word in _ONLY_ENGLISH) for word in words if word in english)
    count, rivals = _most_votes(words, _owners())
    needed = _SHARE * len(lower) if len(lower) > _SHORT else _SHORT_SHARE * len(lower)
    enough = max(1, min(needed, len(lower) / 3))
    foreign = _count_unread(text, lower, distinct)
    if foreign > max(count, known) and foreign >= enough:
        return LanguageReading(None, False)
    if is_english:
        return _ENGLISH
    if count > known and count >= enough:
        return LanguageReading(rivals[0], True, rivals[1:])
    rivals = rivals if count and count == known else ()
    if len(lower) > _LONG:
        needed = _SHARE / 2 * len(lower)
    elif not text.isascii():
        # Names have letters that English does not use, but so have other languages; "a" is a word of many.
        known -= words.count("a")
        needed = _SHORT_SHARE * len(lower)
    if known > needed:
        return LanguageReading("en", True, rivals)
    return LanguageReading(None, _is_terse(text, lower))


def _is_terse(text: str, lower: list[str]) -> bool:
    """Two or three plain words ("Checking availability") are no sentence one must have read."""
    return len(lower) <= 2 and text.isascii()


def _count_unread(text: str, lower: list[str], distinct: set[str]) -> int:
    """Return how many of the words ``lower`` speak for one language without data: known ones, and those of odd letters."""
    has_letters = not text.isascii() and _FOREIGN_LETTER.search(text) is not None
    if not has_letters and _unread().signs.isdisjoint(distinct):
        return 0
    known = _most_votes(lower, _unread().owners)[0]
    return known + sum(_FOREIGN_LETTER.search(word) is not None for word in lower) if has_letters else known


def _most_votes(words: list[str], owners: dict[str, tuple[str, ...]]) -> tuple[int, tuple[str, ...]]:
    """Vote over the languages of ``owners``; a word that several share counts for each. Ties are all returned."""
    votes: dict[str, int] = {}
    for word in words:
        for code in owners.get(word, ()):
            votes[code] = votes.get(code, 0) + 1
    if not votes:
        return 0, ()
    most = max(votes.values())
    return most, tuple(sorted(code for code, count in votes.items() if count == most))


@lru_cache(maxsize=1)
def _owners() -> dict[str, tuple[str, ...]]:
    """Return the languages with data, English apart, that have a word."""
    return _owners_of((code, words) for code, words in function_words()["latin"].items() if code != "en")


class _Unread(NamedTuple):
    """The words of languages without data: whose each is, and those that no English text holds but by chance."""

    owners: dict[str, tuple[str, ...]]
    signs: frozenset[str]


@lru_cache(maxsize=1)
def _unread() -> _Unread:
    owners = _owners_of(WordLists("unread_languages").table("words").items())
    return _Unread(owners, frozenset(owners) - function_words()["latin"]["en"])


def _owners_of(languages: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    owners: dict[str, list[str]] = {}
    for code, words in languages:
        for word in words:
            owners.setdefault(word, []).append(code)
    return {word: tuple(dict.fromkeys(codes)) for word, codes in owners.items()}


def _by_script(text: str) -> LanguageReading | None:
    """Return a reading if the text is mostly not in Latin letters, else ``None``."""
    latin, letters = _count_letters(text)
    if 1 < letters - latin <= 0.35 * letters:
        text = _UNSPACED.sub(_without_values, text)
        latin, letters = _count_letters(text)
    if letters - latin <= max(1, 0.35 * letters):
        # Two CJK characters already say something between Latin names.
        dense = len(_HAN.findall(text)) + len(_KANA.findall(text)) + len(_HANGUL.findall(text))
        if dense < 2 or dense * 4 < latin:
            return None
    kana, han, hangul = len(_KANA.findall(text)), len(_HAN.findall(text)), len(_HANGUL.findall(text))
    scripts = function_words()
    if hangul > kana + han:
        return LanguageReading("ko", True) if "hangul" in scripts else LanguageReading(None, False)
    if kana:
        return LanguageReading("ja", True) if "kana" in scripts else LanguageReading(None, False)
    if han:
        return LanguageReading("zh", True) if "han" in scripts else LanguageReading(None, False)
    cyrillic = len(_CYRILLIC.findall(text))
    if cyrillic * 2 > letters - latin:
        return _cyrillic(text, scripts)
    return LanguageReading(None, False)


def _count_letters(text: str) -> tuple[int, int]:
    return len(_LATIN.findall(text)), len(_LETTER.findall(text))


def _without_values(run: re.Match[str]) -> str:
    return " " if _VALUE_SIGN.search(run[0]) else run[0]


def _cyrillic(text: str, scripts: dict[str, dict[str, frozenset[str]]]) -> LanguageReading:
    if _NOT_RUSSIAN.search(text):
        return LanguageReading(None, False)
    words = _CYRILLIC_WORD.findall(text)
    best, share = None, 0.0
    for code, known in scripts.get("cyrillic", {}).items():
        hits = sum(1 for word in words if word in known) / max(1, len(words))
        if hits > share:
            best, share = code, hits
    first = next(iter(scripts.get("cyrillic", {})), None)
    return LanguageReading(best or first, share >= 0.25 or len(words) <= 2)
