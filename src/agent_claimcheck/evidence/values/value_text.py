"""Finds typed values in text and walks the leaves of JSON: what links a request, a call, its result and a claim.

A reader must not miss: every pattern has bounded repeats and starts only where a word starts, so a hostile megabyte
costs time in proportion to its size.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.leaves import SCALARS
from agent_claimcheck.evidence.values.moments import MONTH_PATTERN, Moment, read_moments
from agent_claimcheck.evidence.values.quantities import read_quantity
from agent_claimcheck.evidence.word_lists import WordLists

ValueKind = Literal[
    "id", "email", "date", "time", "datetime", "money", "count", "version", "path", "url", "name", "identifier"
]

MAX_TEXT_CHARS = 200_000
MAX_VALUES = 2_000
MAX_LEAVES = 20_000


class TypedValue(Struct, frozen=True):
    """One value found in a text. ``value`` is its normal form, ``raw`` the words, ``span`` their [start, end).

    Normal forms: e-mail and URL lower case, money ``1200.00 USD``, date ``2026-04-06`` (``--04-06`` without a year),
    time ``15:00``, datetime ISO as written, count the digits, id without ``#``.
    """

    kind: ValueKind
    value: str
    raw: str
    span: tuple[int, int]


_ORDER: tuple[str, ...] = (
    "url", "datetime", "date", "money", "time", "path", "version", "hash", "uuid", "quoted", "word", "digit"
)  # fmt: skip
"""Which kind is tried first where several could begin."""


class _Patterns:
    """The compiled patterns. Built once, on the first text that is read."""

    def __init__(self) -> None:
        lists = WordLists("value_patterns")
        parts = (f"(?P<{kind}>{lists.pattern(kind, month=MONTH_PATTERN)})" for kind in _ORDER)
        self.any = re.compile("|".join(parts), re.IGNORECASE)
        self.name = re.compile(lists.pattern("name"))
        self.not_names = WordLists("units").words("not_names")


_patterns = cache(_Patterns)

MAIL_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
"""A word character of a script that puts spaces between words: "a@x.testへ" ends before the kana."""

_MAIL_LEFT = late_pattern(rf"(?:{MAIL_LETTER}|[.+%'-]){{1,64}}\Z")
_MAIL_RIGHT = late_pattern(rf"@(?:{MAIL_LETTER}|-){{1,63}}(?:\.(?:{MAIL_LETTER}|-){{1,63}}){{1,6}}")
_HAS_DIGIT = late_pattern(r"\d")
_ORDINAL = late_pattern(r"(?i)\d{1,4}(?:st|nd|rd|th|x|k|m|h|d|s|min|am|pm|gb|mb|kb|ms|px|cm|kg|km)")
_URL_LEAD = late_pattern(r"^(?:https?://)?(?:www\.)?")
_CODE_WORD = late_pattern(r"[a-z0-9]+(?:_[a-z0-9]+)+\Z|[a-z]+(?:[A-Z][a-z0-9]+)+\Z|_{0,2}[A-Za-z]\w*\(\)\Z")


def extract_values(text: str) -> list[TypedValue]:
    """Return the typed values of ``text`` in order, at most ``MAX_VALUES`` from its first 200,000 characters.

    Never raises. Ids are words that mix letters and digits, or digits behind ``#``; identifiers are code names.
    """
    text = text[:MAX_TEXT_CHARS]
    found: list[TypedValue] = []
    taken = _mail_spans(text, found)
    for match in _patterns().any.finditer(text):
        if len(found) >= MAX_VALUES:
            break
        start, end = match.span()
        if taken and _overlaps(taken, start, end):
            continue
        value = _typed(match)
        if value is not None:
            found.append(value)
    if len(found) < MAX_VALUES:
        found.extend(_names(text))
    found.sort(key=lambda value: value.span)
    return found[:MAX_VALUES]


def _mail_spans(text: str, found: list[TypedValue]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = text.find("@")
    while at >= 0 and len(spans) < MAX_VALUES:
        left = _MAIL_LEFT.search(text[max(0, at - 64) : at])
        right = _MAIL_RIGHT.match(text, at)
        if left and right:
            start, end = at - len(left.group()), right.end()
            raw = text[start:end]
            spans.append((start, end))
            found.append(TypedValue("email", unicodedata.normalize("NFKC", raw).casefold(), raw, (start, end)))
        at = text.find("@", at + 1)
    return spans


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    place = bisect_right(spans, (end - 1, end))
    return place > 0 and spans[place - 1][1] > start


def _typed(match: re.Match[str]) -> TypedValue | None:
    kind, raw = match.lastgroup, match.group()
    start, end = match.span()
    if kind == "url":
        raw = raw.rstrip(".,;:!?")
        return TypedValue("url", _URL_LEAD.sub("", raw.lower()).rstrip("/"), raw, (start, start + len(raw)))
    if kind in ("datetime", "date", "time"):
        moments = read_moments(raw)
        if not moments:
            return None
        return TypedValue(kind, _moment_text(moments[0]), raw, (start, end))  # type: ignore[arg-type]  # one of the three
    if kind == "money":
        quantity = read_quantity(raw)
        return TypedValue("money", f"{quantity.value:.2f} {quantity.unit}", raw, (start, end)) if quantity else None
    if kind == "path":
        raw = raw.rstrip(".")
        return TypedValue("path", raw.removeprefix("./"), raw, (start, start + len(raw))) if len(raw) > 1 else None
    if kind == "version":
        return TypedValue("version", raw.lower().removeprefix("v"), raw, (start, end))
    if kind == "hash":
        return TypedValue("id", raw[1:].lower(), raw, (start, end))
    if kind == "uuid":
        return TypedValue("id", raw.lower(), raw, (start, end))
    if kind == "quoted":
        inner = raw[1:-1].strip()
        is_code = raw[0] == "`"
        return TypedValue("identifier" if is_code else "name", inner, raw, (start, end)) if inner else None
    if kind == "digit":
        return TypedValue("count", raw, raw, (start, end))
    return _typed_word(raw, start, end)


def _typed_word(raw: str, start: int, end: int) -> TypedValue | None:
    if raw.isdigit():
        # Long runs of digits and those with a leading zero name something; the others count something.
        is_id = len(raw) > 6 or raw[0] == "0"
        return TypedValue("id" if is_id else "count", raw, raw, (start, end))
    if _HAS_DIGIT.search(raw):
        ordinal = _ORDINAL.fullmatch(raw)
        return None if ordinal else TypedValue("id", raw.lower(), raw, (start, end))
    if _CODE_WORD.match(raw) and ("_" in raw or raw[:1].islower()):
        return TypedValue("identifier", raw, raw, (start, end))
    return None


def _moment_text(moment: Moment) -> str:
    day = ""
    if moment.has_day:
        year = f"{moment.year:04d}" if moment.year is not None else "-"
        day = f"{year}-{moment.month:02d}-{moment.day:02d}"
    if moment.clock is None:
        return day
    clock = f"{int(moment.clock) // 3600:02d}:{int(moment.clock) % 3600 // 60:02d}"
    if int(moment.clock) % 60:
        clock += f":{int(moment.clock) % 60:02d}"
    if not day:
        return clock
    if moment.offset is None:
        return f"{day}T{clock}"
    sign = "+" if moment.offset >= 0 else "-"
    return f"{day}T{clock}{sign}{abs(moment.offset) // 3600:02d}:{abs(moment.offset) % 3600 // 60:02d}"


def _names(text: str) -> Iterator[TypedValue]:
    for count, match in enumerate(_patterns().name.finditer(text)):
        if count >= MAX_VALUES:
            return
        raw, start = match.group(), match.start()
        while raw.split(" ", 1)[0] in _patterns().not_names and " " in raw:
            cut = raw.index(" ") + 1
            raw, start = raw[cut:], start + cut
        if " " in raw:
            yield TypedValue("name", raw, raw, (start, start + len(raw)))


def walk_values(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield ``(path, leaf)`` for the scalar leaves of any JSON, breadth first, at most ``MAX_LEAVES`` of them.

    ``path`` is dotted (``items.0.id``). Depth is not limited by the call stack; keys longer than 200 are cut.
    """
    if type(value) is dict and SCALARS.issuperset(map(type, value.values())):  # as most arguments are
        for key, leaf in islice(value.items(), MAX_LEAVES):
            yield key[:200], leaf
        return
    level: list[tuple[str, Any]] = [("", value)]
    seen = 0
    while level and seen < MAX_LEAVES:
        following: list[tuple[str, Any]] = []
        for path, node in level:
            if seen >= MAX_LEAVES:
                return
            if type(node) in SCALARS:
                seen += 1
                yield path, node
                continue
            if isinstance(node, dict):
                children: Iterator[tuple[str, Any]] = (
                    (f"{path}.{key[:200]}" if path else key[:200], child) for key, child in node.items()
                )
            elif isinstance(node, list):
                children = ((f"{path}.{k}" if path else str(k), child) for k, child in enumerate(node))
            else:
                seen += 1
                yield path, node
                continue
            for child in children:
                if len(following) >= MAX_LEAVES:
                    break
                following.append(child)
        if following and len(following[0][0]) > 2_000:
            return
        level = following


def walk_fields(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield ``(key, leaf)`` for the scalar fields of all objects in any JSON, at most ``MAX_LEAVES`` of them.

    Much cheaper than ``walk_values`` where the way to a field does not matter. No call stack limits the depth.
    """
    if type(value) is dict and len(value) <= MAX_LEAVES and SCALARS.issuperset(map(type, value.values())):
        for key, leaf in value.items():
            yield key[:200], leaf
        return
    level: list[Any] = [value]
    seen = 0
    while level:
        following: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                for key, child in node.items():
                    if type(child) not in SCALARS and isinstance(child, dict | list):
                        following.append(child)
                        continue
                    seen += 1
                    if seen > MAX_LEAVES:
                        return
                    yield key[:200], child
            elif isinstance(node, list):
                following += [child for child in node[:MAX_LEAVES] if isinstance(child, dict | list)]
        level = following[:MAX_LEAVES]
