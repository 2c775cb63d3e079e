"""Pulls the values out of a claiming clause: ids, dates, money, addresses, names and what the verb was about.

A reader must not miss: these are the words of the claim, as written. Comparing them by meaning is another room's work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.values.value_text import MAIL_LETTER

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)[a-z]{0,6}\.?"
_URL = r"(?P<url>https?://[^\s)>\]\"'|]{1,300})"
_EMAIL = (
    rf"(?P<email>(?:{MAIL_LETTER}|[.+-]){{1,64}}@(?:{MAIL_LETTER}|-){{1,63}}(?:\.(?:{MAIL_LETTER}|-){{1,63}}){{1,5}})"
)
_AMOUNT = (
    r"(?P<money>[$€£¥₹]\s?\d[\d,]{0,15}(?:\.\d{1,4})?|\b\d[\d,]{0,15}(?:\.\d{1,4})?\s?(?:USD|EUR|GBP|JPY|CHF|INR|dollars|euros|€|£)(?!\w))"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}(?!\d)|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    rf"|\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?(?!\d)|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s\d{{4}})?(?!\w)"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:today|tomorrow)\b)"
    r"|(?P<time>(?<![\d+-])T?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\b)?|\b\d{1,2}\s?[AaPp]\.?[Mm]\b|\b(?:noon|midnight)\b)"
)
_PATH = (
    r"(?P<path>(?<![\w/])(?:~|\.{1,2})?/(?:[\w.@+-]{1,80}/){0,12}[\w.@+-]{1,80}"
    r"|\b[\w-]{1,60}(?:/[\w.-]{1,60}){0,8}\.(?:py|js|ts|tsx|md|txt|csv|json|ya?ml|toml|html|css|go|rs|java|c|cpp|h|sh|sql|xml|pdf|docx?|xlsx?|ipynb|log|png|jpg|zip|gz)\b)"
)
_MEASURE = (
    r"\d{1,6}-?(?:mm|cm|km|ml|mg|kg|kb|mb|gb|tb|px|inch|piece|pack|page|part|person|seat|door|day|night|week|month|year"
    r"|hour|minute|second|step|bit|core|star)s?\b"
)
"""What has the form of an id and is a measure: "1000-piece", "16gb"."""
_NO_ID = (
    r"v\d{1,4}\.\d|\d{1,2}h(?:\d{2})?\b|(?:\d{1,2}[kx]|[23]d|\d{1,3}(?:mp|fps|ghz|mhz|hz|px|gs|wh|mah)|i[3579]|[xy]\d|q[1-4]|s3|ec2|k8s"
    r"|utf-?\d{1,2}|mp[34]|h26[45]|ipv[46]|sha-?\d{1,3}|md5|base64|oauth2?|p9[59]|http2|python3|py3|2fa)\b"
)
"""The beginning of a version, a time as French and Portuguese write it, features and techniques: "v2.14.1", "10h15", "4K"."""
_ID = (
    rf"(?P<id>#[A-Za-z]{{0,4}}-?\d[\w-]{{0,40}}"
    r"|\b\d{5,20}(?:-\d{1,10}){1,4}\b|\b\d{3,20}(?:-\d{2,10}){2,4}\b"
    rf"|\b(?<!\d[.,])(?!(?i:{_MEASURE}|{_NO_ID}))(?=[\w-]{{0,30}}\d)(?=[\w-]{{0,30}}[A-Za-z])[A-Za-z0-9]{{1,30}}(?:[-_][A-Za-z0-9]{{1,30}}){{0,6}}\b"
    r"|\b[A-Z]{6}\b(?! (?:code|format|standard|protocol|account)\b)|\b\d{5,20}\b)"
)
_ASCII_EMAIL = r"(?P<email>[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){1,5})"
_ASCII_VALUE = re.compile(f"{_URL}|{_ASCII_EMAIL}|{_AMOUNT}|{_PATH}|{_ID}")
"""All values of a word without other letters: one set of characters is tried much faster than a choice of two."""
_PLAIN_VALUE = re.compile(f"{_AMOUNT}|{_ID}")
"""All that can begin in a word without ``@``, ``/`` or an inner full stop. Addresses and paths cost most to rule out."""

_LONGEST = 2000
"""Characters of a clause that are read."""
_MOST_NAMES = 20
_PLAIN_CAPITALS = frozenset(
    ("README", "SELECT", "DELETE", "UPDATE", "INSERT", "GITHUB", "PYTHON", "DOCKER", "SCHEMA", "AMOLED")
)
"""Six capitals that are no booking code."""
_TIME_WORDS = frozenset(("noon", "midnight", "today", "tomorrow"))
_MAY_HOLD_VALUE = re.compile(
    rf"[\d@/#]|\w\.\w|(?:day|noon|midnight|today|tomorrow)\b|(?-i:[A-Z]{{6}})|^[(*\"'`]{{0,3}}{_MONTH}\W*$",
    re.IGNORECASE,
)
# Here and below the first character comes before what must not precede it: so the search jumps to it.
_NAME = re.compile(r"[A-Z](?<!\w.)[a-zà-ÿ]{1,24}(?:\s[A-Z][a-zà-ÿ]{1,24}){0,3}\b")
_QUOTED = late_pattern(r"[\"“`'‘*](?:(?<!\w['‘])(?<!\*)([^\"“”'‘’`\n]{2,100})[\"”'’`]|(?<=\*)\*([^*\n]{2,100})\*\*)")
_QUOTE_MARK = re.compile(r"[\"“'‘`*](?<!\w['‘])")
_COUNTED = re.compile(
    r"(?:\s+passed\b|(?:\s+[A-Za-z-]{2,20}){0,2}\s+(?:tests?|items?|files?|orders?|flights?|rows?|records?|events?|emails?|messages?|"
    r"tickets?|bags?|passengers?|checks?|users?|tasks?|changes|updates|seats?|rooms?|nights?|copies)\b)",
    re.IGNORECASE,
)
"""What may follow a number that counts something."""
_BEFORE_FIRST = " \n*#-•✅✓>1234567890.)"
"""What may stand before the first word of a sentence in a list."""
_AMOUNT_MARKS = ("$", "€", "£", "¥", ".", ",")
_PART_OF = re.compile(r"\b(\d{1,9}) (?:out )?of (?:the |your |all )?\Z")
_LONGEST_PART = 30
"""Characters before a number in which "4 of the" may stand: of "4 of the 7 files" four are claimed."""
_LAST_DIGIT = re.compile(r"\d(?=\s)")
_MOST_DIGITS = 9
_SHORT_WORD = 16
_NUMBERS = {
    "both": 2,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_SPANS = frozenset(
    "second seconds minute minutes hour hours day days week weeks month months year years business working times".split()  # noqa: SIM905 - reads better
)
"""What "two" measures: "more than two hours before" counts no things."""
_DETERMINERS = re.compile(
    r"^(?:(?:the|a|an|your|my|our|this|that|these|those|all|both|each|his|her|their|of|new|its)\s+)+", re.IGNORECASE
)
_OBJECT_END = re.compile(
    r"[\s,.;:!?()—–](?:(?<=[;!?()—–\n])|(?<=[,.:])(?![\w`])"
    r"|(?:for|to|on|at|from|with|in|into|as|via|by|and|has|have|is|are|was|were|successfully|so|which|that|using|under)\b)"
)
_TOLD_BEFORE = re.compile(r"^.*\s(?:has|have|is|are|was|were)\s.*(?:[,;]|\band)\s+(?:and\s+)?", re.DOTALL)
"""A statement before that whose subject is sought: "the status is open, and a refund"."""
_LEADING = re.compile(r"^[\W_]+")


def read_subject(clause: str, verb_at: int, verb_end: int, *, is_active: bool | None) -> dict[str, Any]:
    """Return the values found in ``clause`` by kind; lists keep the order of mention, each value once.

    ``verb_at`` and ``verb_end`` give the claiming verb inside ``clause``. ``object`` is the head of what was acted on,
    lower case, without articles; it is missing when none can be told.
    With ``is_active`` ``None`` (not English) only values that look alike in all languages are read, and names where
    Latin letters stand out among others.
    """
    if is_active is not None:
        (subject,) = read_values(clause, ((verb_at, verb_end),))
        thing = read_object(clause, verb_at, verb_end, is_active=is_active)
        if thing:
            subject["object"] = thing
        return subject
    clause, unspaced = _unspaced_letter().subn(" ", clause[:_LONGEST])
    subject = _by_kind(clause)
    names = _names_beside((verb_at, verb_end), _names(clause)) if unspaced else None
    if names:
        subject["name"] = names
    return subject


def read_values(clause: str, verbs: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return for each of several ``verbs`` of one English clause all but its object; the clause is read once.

    Of what they share the lists are the same ones.
    """
    clause = clause[:_LONGEST]
    shared, count, named = _by_kind(clause), _count(clause), _names(clause)
    found = []
    for verb in verbs:
        subject = dict(shared)
        names = _names_beside(verb, named) if named else None
        if names:
            subject["name"] = names
        if count is not None:
            subject["count"] = count
        found.append(subject)
    return found


def _by_kind(clause: str) -> dict[str, Any]:
    """Return the values that have a form of their own."""
    found: dict[str, Any] = {}
    for kind, value in _values(clause):
        known = found.get(kind)
        if known is None:
            found[kind] = [value]
        elif value not in known and len(known) < 50:
            known.append(value)
    return found


def _values(clause: str) -> list[tuple[str, str]]:
    """Return kind and words of each value. Most words can hold none, and trying each of them is slow."""
    found: list[tuple[str, str]] = []
    position = end = 0
    words = clause.split()
    has_plain_values = not _TIME_WORDS.isdisjoint(words)
    for word in words:
        if not has_plain_values and word.islower() and word.isalpha():
            continue
        start = clause.index(word, end)
        end = start + len(word)
        if end <= position:
            continue
        pattern = _pattern_for(word) if len(word) <= _SHORT_WORD else _choose_pattern(word)
        if pattern is None:
            continue
        position = max(position, start)
        while position < end:
            match = pattern.match(clause, position)
            if match is None:
                position += 1
                continue
            position = match.end()
            if match[0].isalpha() and (match[0] in _PLAIN_CAPITALS or clause.isupper()):
                continue
            found.append((match.lastgroup or "id", match[0].rstrip(".,;:")))
    return found


def _choose_pattern(word: str) -> re.Pattern[str] | None:
    """Return what to look for in ``word``: nothing, all values, or all but addresses and paths."""
    if _MAY_HOLD_VALUE.search(word) is None:
        return None
    if "@" not in word and "/" not in word and "." not in word[:-1]:
        return _PLAIN_VALUE
    return _ASCII_VALUE if word.isascii() else _any_value()


# Sets of letters so wide take long to compile, and most runs never need them.
@lru_cache(maxsize=1)
def _any_value() -> re.Pattern[str]:
    return re.compile(f"{_URL}|{_EMAIL}|{_AMOUNT}|{_PATH}|{_ID}")


@lru_cache(maxsize=1)
def _unspaced_letter() -> re.Pattern[str]:
    """Return what matches the letters of languages in which an id stands right beside the next word."""
    return re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


_pattern_for = lru_cache(maxsize=4096)(_choose_pattern)


def _names_beside(verb: tuple[int, int], named: Sequence[tuple[int, int, str]]) -> list[str]:
    """Return each of the names once that is no part of ``verb``, which may have a capital too."""
    at, stop = verb
    names: list[str] = []
    for start, end, name in named:
        is_quoted = end < 0
        if name not in names and (is_quoted or (len(names) < _MOST_NAMES and not (start < stop and at < end))):
            names.append(name)
    return names


def _names(clause: str) -> list[tuple[int, int, str]]:
    """Return what stands in quotation marks and then the words with a capital, with their places; -1 for what is quoted."""
    names: list[tuple[int, int, str]] = []
    for match in _QUOTED.finditer(clause) if _QUOTE_MARK.search(clause) else ():
        value = (match[1] or match[2]).strip()
        if value:
            names.append((-1, -1, value))
    not_names = english().sets.not_names
    for match in _NAME.finditer(clause):
        words = [word for word in match[0].split() if word not in not_names]
        start, end = match.span()
        if not words:
            continue
        if not clause[:start].strip(_BEFORE_FIRST):
            # The first word of a sentence has a capital, whatever it is: "Invited Dora".
            words = words[1:] if len(words) == 1 or words[0].lower() in english().classes else words
            if not words:
                continue
        names.append((start, end, " ".join(words)))
    return names


def _count(clause: str) -> int | None:
    for last in _LAST_DIGIT.finditer(clause):
        end = last.end()
        if _COUNTED.match(clause, end):
            start = end - 1
            while start > 0 and end - start < _MOST_DIGITS and clause[start - 1].isdecimal():
                start -= 1
            if clause[start - 1 : start] in _AMOUNT_MARKS:
                continue
            part = _PART_OF.search(clause, max(0, start - _LONGEST_PART), start)
            return int(part[1] if part else clause[start:end])
    words = clause.lower().split()
    if _NUMBERS.keys().isdisjoint(words):
        return None
    counted = (
        _NUMBERS[word]
        for word, what in zip(words, [*words[1:], ""], strict=True)
        if word in _NUMBERS and what not in _SPANS
    )
    return next(counted, None)


def read_object(clause: str, verb_at: int, verb_end: int, *, is_active: bool) -> str:
    """Return the ``object`` of one verb; "" when none can be told."""
    clause = clause[:_LONGEST]
    if not is_active:
        before = _clean(clause[max(0, verb_at - 160) : verb_at])
        for aux in (" has ", " have ", " is ", " are ", " was ", " were ", " 's ", "'s "):
            head, joined, _ = before.partition(aux)
            if joined:
                told_before = _TOLD_BEFORE.search(head)
                return _head(head[told_before.end() :] if told_before else head)
        head = before.strip().removesuffix("successfully").strip()
        if head:
            return _head(head)
    after = clause[verb_end : verb_end + 160]
    spaced = " " + after.lstrip(" *")
    cut = _OBJECT_END.search(spaced)
    return _head(spaced[: cut.start()] if cut else after)


def _clean(text: str) -> str:
    return _LEADING.sub("", text.replace("**", "").replace("|", " ")) + (" " if not text.endswith(" ") else "")


def _head(text: str) -> str:
    cleaned = " ".join(text.replace("**", " ").split())
    cleaned = _DETERMINERS.sub("", cleaned).strip(" *:-#\"'`")
    return cleaned.lower()[:80]
