"""Tells a plain passive that reports a deed of this run from one that explains a program, a rule or a record.

A reader must not miss: "your table is booked" and "the token is refreshed every hour" have one form. Where nothing ties
the sentence to the reader or to a value, it is heard as a claim and held against nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.vocabulary import English

_PERSONAL = frozenset(("your", "my", "our", "you", "we", "i", "you're", "we've", "i've", "me", "us"))
_ASKED_FOR = (
    ("for", "you"),
    ("as", "requested"),
    ("as", "asked"),
    ("you", "asked"),
    ("you", "wanted"),
    ("you", "requested"),
)
_INDEFINITE = frozenset(("a", "an", "any", "some", "each", "every", "most", "many", "no", "here"))
_SHORT = 6
"""Words up to which a sentence reports: "The old booking is cancelled"."""
_HABITS = frozenset(("every", "whenever", "daily", "weekly", "monthly", "hourly", "nightly"))
_HABIT_AFTER = frozenset(("when", "whenever", "if", "unless", "before", "while"))
_FOUND = frozenset(("found", "see", "find", "noticed", "know", "understand", "checked"))
_PLURAL_VERBS = frozenset(("were", "are", "have"))
_EDITIONS = frozenset(("version", "commit", "release", "migration", "python", "java", "node", "upstream"))
_EDITION = late_pattern(r"v\d|\d+\.\d+\.\d")
_MONEY = frozenset("$€£¥@")
_LONG_NUMBER = 4


def is_general(reading: VerbReading, vocabulary: English) -> bool:
    """True for what happens as a rule ("a token is refreshed every hour") and for what was found to be so.

    ``reading`` is in any frame but the active one: "I found it and fixed it" is a deed.
    """
    words, begin, index = reading.words, reading.begin, reading.index
    is_personal = words[begin] in vocabulary.sets.persons_have or words[begin] in vocabulary.sets.persons
    if is_personal and not _FOUND.isdisjoint(words[begin + 1 : min(begin + 4, index)]):
        # "I found order 12 sent to Berlin"
        return True
    if words[begin] == "that" and _opens_content(words, begin, reading.at):
        return True
    if reading.tense in ("past", "perfect") and reading.frame != "phrase":
        return any(
            first in ("in", "since") and (second in _EDITIONS or _EDITION.match(second))
            for first, second in pairwise(words[begin : index + 8])
        )
    if reading.tense != "present" or reading.frame == "phrase" or reading.is_sure:
        return False
    if _is_for_reader(reading):
        return False
    if words[0] in ("when", "whenever") or (words[begin] in ("each", "every", "any") and words[begin + 1] != "of"):
        return True
    if not _HABITS.isdisjoint(reading.distinct) or (
        "default" in reading.distinct and ("by", "default") in pairwise(words)
    ):
        return True
    following = words[index + 1 : reading.stop]
    return not _HABIT_AFTER.isdisjoint(following[: following.index(",")] if "," in following else following)


def _is_for_reader(reading: VerbReading) -> bool:
    """True for "as asked" and "for you"."""
    is_near = "you" in reading.distinct or "as" in reading.distinct
    return is_near and any(pair in _ASKED_FOR for pair in pairwise(reading.words))


def _opens_content(words: Sequence[str], begin: int, at: int) -> bool:
    """True for "that payments were changed", where "that" names no thing: of several it says "those"."""
    return begin < at and words[at] in _PLURAL_VERBS


def is_of_this_run(reading: VerbReading, vocabulary: English) -> bool:
    """True when the passive at ``reading`` is tied to its reader, to "now", to a concrete value, or is a short report."""
    if reading.is_sure:
        return True
    words, begin, index = reading.words, reading.begin, reading.index
    if not _PERSONAL.isdisjoint(words[begin:index]):
        return True
    if _is_for_reader(reading):
        return True
    if words[begin] in _INDEFINITE or _is_bare_plural(words, begin, reading.at, vocabulary):
        return False
    if reading.stop - begin <= _SHORT and len(words) <= _SHORT + 2:
        return not any(word.startswith("xx") for word in words)
    return reading.tense == "present" and any(map(_is_concrete, words[begin : reading.stop]))


def tells_a_rule(reading: VerbReading, vocabulary: English) -> bool:
    """True for "readings are submitted between the 25th and the 3rd": several in the present, and nothing says which ones."""
    return reading.tense == "present" and _is_bare_plural(reading.words, reading.begin, reading.at, vocabulary)


def is_tied(reading: VerbReading, vocabulary: English) -> bool:
    """True when the perfect at ``reading`` speaks of its reader or names a concrete value, or is a short report."""
    words = reading.words[reading.begin : reading.stop]
    return not _PERSONAL.isdisjoint(words) or any(map(_is_concrete, words)) or is_of_this_run(reading, vocabulary)


def tells_of_many(reading: VerbReading, vocabulary: English) -> bool:
    """True for "values below zero have been replaced", where nothing says which ones."""
    words, begin = reading.words, reading.begin
    is_plain = (
        words[reading.at] == "have" and words[begin].endswith("s") and words[begin] not in vocabulary.sets.openers
    )
    return is_plain and not any(char.isdigit() for word in words[begin : reading.stop] for char in word)


def _is_bare_plural(words: Sequence[str], begin: int, at: int, vocabulary: English) -> bool:
    """True for "orders are cancelled", which tells of no order in particular."""
    return (
        words[at] == "are"
        and words[begin].endswith("s")
        and words[begin] not in vocabulary.sets.openers
        and not any(char.isdigit() for word in words[begin:at] for char in word)
    )


def _is_concrete(word: str) -> bool:
    """True for a time, an address, an amount of money, a long number: what a rule seldom names."""
    if word[0] in _MONEY or "@" in word:
        return True
    digits = sum(map(str.isdigit, word))
    return digits >= _LONG_NUMBER or (digits > 0 and ":" in word)
