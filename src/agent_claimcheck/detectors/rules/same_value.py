"""Whether the two values of a failed check may be one: ``example.com.`` and ``example.com``, 1 and ``true``, 250 and 25000 cents.

A reader must not miss: this keeps a check from accusing, and confirms nothing. Texts that hold other numbers, other names or
other words are never one value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from html import unescape
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import FieldResult
from agent_claimcheck.evidence.values.comparison import compare, fold
from agent_claimcheck.evidence.values.eras import is_in_another_era
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.moments import MONTHS, read_moments
from agent_claimcheck.evidence.values.quantities import Quantity, read_quantity
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values

_RATIOS = (100.0, 1000.0)
"""How many of the smaller unit the larger one has: cents, grams, milliseconds."""
_LARGE = {"k": 1e3, "tsd": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "bn": 1e9, "mrd": 1e9, "billion": 1e9}
_EDGES = " \t\"'`."
_YES = frozenset({"1", "true", "yes", "on", "enabled", "y"})
_NO = frozenset({"0", "false", "no", "off", "disabled", "n"})
_TRUTHS = _YES | _NO
_TAG = late_pattern(r"<[^<>]{1,200}>")
_WORD = late_pattern(r"[^\W_]+")
_NUMBER = late_pattern(r"\d+(?:\.\d+)?")
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
_OLD_NAME = late_pattern(
    r"previous|former|old|before|from|request|last|desired|target|original|audit|histor|log", re.IGNORECASE
)
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe"}
_STROKES = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
_ZONE_NAME = late_pattern(r"(?:^|_)(?:tz|zone|time_?zone|offset)(?:_|$)", re.IGNORECASE)
_LONGEST = 400
_MOST_VALUES = 400
_ZONE_SPAN, _ZONE_STEP = 14 * 3600, 900
"""Seconds that two zones are apart at most, and the steps in which zones differ."""


def is_one_value(failed: FieldResult, output: Any = None) -> bool:
    """True when a failed check compared one value in two forms. ``output`` is the record in which it was found."""
    expected, actual = failed.expected, failed.actual
    if failed.op == "equals":
        return may_be_one(expected, actual) or stands_beside(failed.path, expected, output)
    if failed.op not in ("contains", "subset"):
        return False
    wanted, found = _opened(expected), _opened(actual)
    if isinstance(wanted, dict) and isinstance(found, dict):
        differing = [key for key, value in wanted.items() if key in found and compare(value, found[key]) == "different"]
        return bool(differing) and all(
            may_be_one(wanted[key], found[key]) or stands_beside(key, wanted[key], found) for key in differing
        )
    if found == [] and isinstance(output, dict):
        # "invites_sent: []" tells of no invitation, whoever stands in the list of guests; an organizer is named alone.
        output = {key: value for key, value in output.items() if not isinstance(value, list)}
    asked = wanted if isinstance(wanted, list) else [wanted]
    return bool(asked) and all(stands_beside(failed.path, one, output) for one in asked)


def is_in_a_zone_of_its_own(failed: FieldResult, output: Any, given: Any, evidence: Evidence) -> bool:
    """True when a time without a zone stands beside the name of one that neither the call nor the task tells, and may be the same there."""
    if failed.op != "equals" or not isinstance(failed.actual, str) or not isinstance(failed.expected, str):
        return False
    moments = read_moments(failed.actual)
    if len(moments) != 1 or moments[0].clock is None or moments[0].offset is not None:
        return False
    if not _is_another_zone(failed.expected, failed.actual):
        return False
    told = {str(value) for _, value in walk_values(given or {})}
    return any(
        _ZONE_NAME.search(key) is not None
        and isinstance(value, str)
        and value not in told
        and value not in evidence.zones.zones
        for key, value in walk_fields(_opened(output))
    )


def may_be_one(expected: Any, actual: Any) -> bool:
    """True when two values that differ may be one in two forms."""
    if expected is None or actual is None or isinstance(expected, dict) or isinstance(actual, dict):
        return False
    if isinstance(expected, list) or isinstance(actual, list):
        return _is_listed(expected, actual)
    if isinstance(expected, bool) or isinstance(actual, bool):
        one, two = (str(value).strip().casefold() for value in (expected, actual))
        return {one, two} <= _YES or {one, two} <= _NO
    quantities = read_quantity(expected), read_quantity(actual)
    if quantities[0] is not None and quantities[1] is not None:
        return _may_be_one_quantity(quantities[0], quantities[1])
    if isinstance(expected, str) and isinstance(actual, str):
        return (
            0 < len(expected.strip(_EDGES)) <= _LONGEST and len(actual) <= _LONGEST and _reads_alike(expected, actual)
        )
    return isinstance(expected, str) is not isinstance(actual, str) and _is_code_for(expected, actual)


def _is_code_for(expected: Any, actual: Any) -> bool:
    """True for a number where a word is claimed: 3 for "Negotiation". A text with digits of its own is no word."""
    text, number = (expected, actual) if isinstance(expected, str) else (actual, expected)
    return isinstance(number, int) and not any(char.isdigit() for char in text) and text.casefold() not in _TRUTHS


def _is_listed(expected: Any, actual: Any) -> bool:
    """True when all that is expected stands in a list that holds more, or in another order, or in a text of several."""
    wanted, found = (value if isinstance(value, list) else str(value).split(",") for value in (expected, actual))
    there = {fold(str(one)) for one in found}
    return bool(wanted) and all(fold(str(one)) in there for one in wanted)


def _may_be_one_quantity(one: Quantity, two: Quantity) -> bool:
    units = {unit for unit in (one.unit, two.unit) if unit}
    if len(units) == 2 and all(len(unit) == 3 and unit.isupper() for unit in units):
        return True  # a sum in another currency says nothing of the one that was claimed
    if len(units) == 2 and not units <= {"%", "s"} and not units & _LARGE.keys():
        return True
    a, b = (quantity.value * _LARGE.get(quantity.unit, 1) for quantity in (one, two))
    if not a or not b:
        return False
    if a == b or _is_rounded(one.value, two.value) or _is_rounded(two.value, one.value):
        return True
    return round(max(a, b, key=abs) / min(a, b, key=abs), 6) in _RATIOS


def _is_rounded(short: float, long: float) -> bool:
    """True when ``short`` is ``long`` with fewer places behind the point, but one at least."""
    places = len(str(short).partition(".")[2].rstrip("0"))
    return 0 < places < len(str(long).partition(".")[2]) and round(long, places) == short


def _reads_alike(expected: str, actual: str) -> bool:
    if expected.strip(_EDGES).casefold() == actual.strip(_EDGES).casefold():
        return True
    low = {expected.strip().casefold(), actual.strip().casefold()}
    if "@" in expected or "@" in actual or not low.isdisjoint(_TRUTHS):
        return False
    if _HIDDEN.search(actual) is not None:
        return _may_be_hidden(expected, actual)
    moments = read_moments(expected), read_moments(actual)
    if all(moments):
        return is_in_another_era(expected, actual)
    if any(moments) and not low.isdisjoint(_RELATIVE):
        return True
    if _is_another_zone(expected, actual) or _is_in_span(expected, actual) or _is_in_span(actual, expected):
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


def _is_another_zone(one: str, two: str) -> bool:
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


def stands_beside(path: str, expected: Any, output: Any) -> bool:
    """True when the record holds the value under another name: ``organizer`` beside ``attendees``, ``price_gross`` beside ``price``.

    A text may stand under any name but one that tells how things were; a number under one that holds the name of the field.
    """
    if expected is None or isinstance(expected, bool | dict | list) or output is None:
        return False
    if isinstance(expected, str) and len(expected) < 3:
        return False
    name = path.rsplit(".", 1)[-1].casefold()
    number = read_quantity(expected)
    for seen, (where, value) in enumerate(walk_values(_opened(output))):
        if seen >= _MOST_VALUES:
            return False
        key = where.casefold()
        field = [part for part in key.split(".") if not part.isdigit()]
        if not field or field[-1] == name or _OLD_NAME.search(key):
            continue
        if number is not None:
            other = read_quantity(value)
            if name in field[-1] and other is not None and other.value == number.value:
                return True
        elif isinstance(value, str) and (fold(value) == fold(str(expected)) or _is_key(str(expected), where)):
            return True
    return False


def _is_key(expected: str, where: str) -> bool:
    """True when an address is the name under which a record holds what it stands for."""
    return "@" in expected and fold(where).endswith(fold(expected))


def _opened(value: Any) -> Any:
    """Return a list or an object that a result shows as text as what it is."""
    return parse_output(value) if isinstance(value, str) and value[:1] in "[{" else value
