"""Whether two texts that differ may say the same: ``Koeln`` and ``Köln``, ``St. Mary`` and ``Saint Mary``, ``DE`` and ``Germany``.

A reader must not miss: this keeps a check from accusing, and confirms nothing. Texts that hold other numbers, other names or
other words never say the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from html import unescape

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.eras import is_in_another_era
from agent_claimcheck.evidence.values.moments import MONTHS, read_moments

_TAG = late_pattern(r"<[^<>]{1,200}>")
_WORD = late_pattern(r"[^\W_]+")
_HIDDEN = late_pattern(r"[*•●]{2}|x{3,}|^\W*(?:hidden|redacted|masked|secret|encrypted)\W*$|\.\.\.$|…$", re.IGNORECASE)
_TURNS = late_pattern(
    r"^(?:no|not|non|never|un\w*|in(?:active|valid|complete)|partial\w*|partly|half|almost|failed|pending|awaiting|to|pre|ex|former\w*|kein\w*"
    r"|nicht|pas|very|highly|most|more|least|less|extra|super|top|semi|sub|double|high|low|first|second|third|new|old|other)$"
)
"""Words that make another thing, or more of it, of the word they stand beside: "not cancelled", "partially paid", "very important"."""
_RELATIVE = frozenset(
    {
        "heute",
        "jetzt",
        "now",
        "today",
        "tomorrow",
        "yesterday",
        "morgen",
        "hoy",
        "mañana",
        "demain",
        "aujourd'hui",
        "oggi",
    }
)
"""Days that depend on when they are said."""
_QUARTER = late_pattern(r"^\W*q([1-4])\W{0,3}(\d{4})\W*$|^\W*(\d{4})\W{0,3}q([1-4])\W*$", re.IGNORECASE)
_MONTH = late_pattern(r"^([^\W\d_]{3,12})\.? (\d{4})$|^(\d{4})-(\d\d)$")
_JOINTS = frozenset({"and", "und", "et", "y", "e", "en", "og", "och", "the"})
_WALL = late_pattern(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe"}
_STROKES = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
_ZONE_SPAN, _ZONE_STEP = 14 * 3600, 900
"""Seconds that two zones are apart at most, and the steps in which zones differ."""


def reads_alike(expected: str, actual: str) -> bool:
    """True when two texts without an address may say the same: in other marks, accents, order, script, cut short or hidden."""
    low = {expected.strip().casefold(), actual.strip().casefold()}
    if "@" in expected or "@" in actual:
        return False
    if _HIDDEN.search(actual) is not None:
        return _may_be_hidden(expected, actual)
    moments = read_moments(expected), read_moments(actual)
    if all(moments):
        return is_in_another_era(expected, actual)
    if any(moments) and not low.isdisjoint(_RELATIVE):
        return True
    if is_another_zone(expected, actual) or _is_in_span(expected, actual) or _is_in_span(actual, expected):
        return True
    if any(_same_words(write(expected), write(actual)) for write in (_bare, _spelt_out)):
        return True
    return (
        _is_of_another_script(expected, actual) or _is_short_code(expected, actual) or _is_short_code(actual, expected)
    )


def _may_be_hidden(expected: str, actual: str) -> bool:
    """True when what a hidden or shortened text still shows stands in the whole one."""
    shown = [part for part in re.split(r"[^\w]+|[xX]{3,}", actual) if part]
    return all(part.casefold() in expected.casefold() for part in shown)


def _bare(text: str) -> list[str]:
    """Return the words of a text without marks, accents and case."""
    low = re.sub(r"['’`]", "", _TAG.sub(" ", unescape(text)).casefold())
    decomposed = unicodedata.normalize("NFKD", "".join(_STROKES.get(char, char) for char in low))
    words = _WORD.findall("".join(char for char in decomposed if not unicodedata.combining(char)))
    return [word for word in words if word not in _JOINTS] or words


def _spelt_out(text: str) -> list[str]:
    """Return the same with two letters for each umlaut: Koeln for Köln."""
    composed = unicodedata.normalize("NFC", text).casefold()
    return _bare("".join(_UMLAUTS.get(char, char) for char in composed))


def _same_words(one: list[str], two: list[str]) -> bool:
    """True for the same letters, the same words in another order, words cut short, or more words that turn nothing round."""
    if not one or not two:
        return False
    if "".join(one) == "".join(two) or sorted(one) == sorted(two):
        return any(any(map(str.isalpha, word)) for word in one) or one == two or len("".join(one)) > 9
    numbers = [[str(int(word)) for word in words if word.isdecimal() and int(word)] for words in (one, two)]
    if all(numbers) and numbers[0] != numbers[1]:
        return False
    if all(word.isdecimal() for word in (*one, *two)):
        return numbers[0] == numbers[1] != []  # 9-17 and 09:00-17:00
    orders = ((one, two), (sorted(one), sorted(two))) if len(one) == len(two) > 1 else ()
    if any(_are_cut(zip(*order, strict=True)) for order in orders):
        return True
    less, more = sorted((set(one), set(two)), key=len)
    return less < more and not any(_TURNS.match(word) for word in more - less) and any(map(str.isalpha, less))


def _are_cut(pairs: Iterable[tuple[str, str]]) -> bool:
    """True when of each two words the one is the other, or its beginning; words with digits are never cut."""
    return all(a == b or (a.isalpha() and b.isalpha() and _is_short_for(*sorted((a, b), key=len))) for a, b in pairs)


def _is_short_for(short: str, long: str) -> bool:
    """True for the beginning of a word, and for two to four of its letters with the first and the last: St for Sankt, Blvd."""
    if long.startswith(short):
        return True
    if not 2 <= len(short) <= 4 or (short[0], short[-1]) != (long[0], long[-1]):
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _is_of_another_script(one: str, two: str) -> bool:
    """True when the letters of one are all Latin and none of the other's: Moskva for Москва."""
    letters = [[char for char in text if char.isalpha()] for text in (one, two)]
    if not all(letters):
        return False
    latin = [["LATIN" in unicodedata.name(char, "") for char in found] for found in letters]
    return (all(latin[0]) and not any(latin[1])) or (all(latin[1]) and not any(latin[0]))


def _is_short_code(code: str, name: str) -> bool:
    """True for DE or CA beside a longer name, for ``en`` beside "English", and for ``u_42`` or ``stage_4`` beside words."""
    code, name = code.strip(), name.strip()
    if any(char.isdigit() for char in name) or len(name) <= len(code) / 4:
        return False
    if any(char.isdigit() for char in code):
        return len(_WORD.findall(code.replace("_", " "))) <= 2 and " " not in code
    return len(name) > 3 and code.isalpha() and ((code.isupper() and len(code) <= 3) or len(code) == 2)


def is_another_zone(one: str, two: str) -> bool:
    """True for two wall clocks as far apart as zones are, one of which names a zone that is not known."""
    found = _WALL.search(one), _WALL.search(two)
    if found[0] is None or found[1] is None:
        return False
    first, second = (datetime.fromisoformat(f"{wall[1]}T{wall[2]}") for wall in found if wall is not None)
    apart = abs((first - second).total_seconds())
    return apart <= _ZONE_SPAN and apart % _ZONE_STEP == 0


def _is_in_span(span: str, day: str) -> bool:
    """True for a day in the quarter, or in the month, that the other text names."""
    moments = read_moments(day)
    if len(moments) != 1 or moments[0].month is None:
        return False
    named = _QUARTER.match(span)
    if named is not None:
        number, year = (named[1], named[2]) if named[1] else (named[4], named[3])
        return moments[0].year == int(year) and (moments[0].month + 2) // 3 == int(number)
    months = _MONTH.match(span.strip())
    return months is not None and (moments[0].year, moments[0].month) == (
        int(months[2] or months[3]),
        int(months[4]) if months[4] else MONTHS.get(months[1].casefold()),
    )
