"""The sentences of a final answer, and what each says of a deed: that it failed, that it waits, that it was done.

A reader must not miss: this reads wording only. Whether a sentence speaks of a certain call, and whether it counts, is told in
``owning_up``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from agent_claimcheck.core.word_files import read_sections, words_of_lines

WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=\S)|\n+|;\s+")
_GOES_ON = re.compile(
    r"\W*(?:(?:but|unfortunately|sadly|however),? )?"
    r"(?:it|this|that|they|both|neither|none|nothing|the (?:call|request|attempt|tool))\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:no|not|none|nothing|never|nobody|neither|nor|without|cannot|until|unless|if|before|once|to be|will be)\b|n't\b"
)
_SAID_NOT = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have)(?:n't| not)(?: (?:been|yet|fully|actually))* ([a-z]{3,20})|(?<!not )\bun([a-z]{3,20}ed)\b"
)
_PAST = re.compile(r"(?<!fully )\b(?!un)[a-z]{2,20}ed\b")
_CLAUSE = re.compile(r"[,:;(]| but | and | so ")
_STEM = 5  # letters by which two words are held to be one: "refunded" and ``refund_order``
_SHORTEST = 3
_LONGEST_ANSWER = 20_000
_MOST_SENTENCES = 200
_QUOTED = 160


class AnswerSentence(Struct, frozen=True):
    """One sentence: its words as they stand, in lower case, and their stems.

    ``fails`` says that it tells a failure, ``waits`` that the deed waits or is handed on, ``lasts`` that something is as
    before. ``undone`` and ``past`` are the stems of what is said not to be, and of what was done; ``done`` those told as a
    result.
    """

    text: str
    low: str
    words: frozenset[str]
    stems: frozenset[str]
    is_english: bool
    fails: bool
    waits: bool
    lasts: bool
    is_open: bool
    is_overcome: bool
    undone: frozenset[str]
    past: frozenset[str]
    done: frozenset[str]


def read_sentences(answer: str) -> list[AnswerSentence]:
    """Return the sentences of ``answer`` in order, at most ``_MOST_SENTENCES``. Linear in its length."""
    parts = list(_parts(answer))
    read: list[AnswerSentence] = []
    before = ""
    for position, sentence in enumerate(parts):
        about = f"{before} {sentence}".strip() if _GOES_ON.match(sentence) else sentence
        before = sentence
        read.append(_read(sentence, about, parts[position + 1] if position + 1 < len(parts) else ""))
    return read


def _read(sentence: str, about: str, following: str) -> AnswerSentence:
    low = sentence.casefold()
    is_english = (failure := pattern("failed").search(sentence)) is not None
    failure = failure or pattern("failed elsewhere").search(sentence)
    waiting, lasting = _affirmed("waits", low), _affirmed("lasts", low)
    found = failure or waiting or lasting
    words = frozenset(word.casefold() for word in WORD.findall(about))
    start, end = (found.start(), found.end()) if found is not None else (len(sentence), 0)
    return AnswerSentence(
        text=about[:_QUOTED],
        low=low,
        words=words,
        stems=frozenset(word[:_STEM] for word in words),
        is_english=is_english,
        fails=failure is not None,
        waits=waiting is not None,
        lasts=lasting is not None,
        is_open=pattern("open").search(sentence[:start]) is not None,
        is_overcome=pattern("overcome").search(f"{sentence[end:]} {following}") is not None,
        undone=frozenset((one[1] or one[2])[:_STEM] for one in _SAID_NOT.finditer(low)),
        past=frozenset(one[0][:_STEM] for one in _PAST.finditer(low) if not _is_negated(low, one.start())),
        done=frozenset(_done(low)),
    )


def _affirmed(name: str, low: str) -> re.Match[str] | None:
    return next((found for found in pattern(name).finditer(low) if not _is_negated(low, found.start())), None)


def _done(low: str) -> Iterator[str]:
    """Yield the stems of what a sentence tells as done."""
    for found in pattern("done").finditer(low):
        word = WORD.findall(found[0])[-1]
        if word not in _words("no result") and not word.startswith("un") and not _is_negated(low, found.start()):
            yield word[:_STEM]


def _is_negated(low: str, at: int) -> bool:
    """True when the clause before ``at`` takes back, or puts off, what stands there."""
    return _NEGATED.search(_CLAUSE.split(low[max(0, at - 40) : at])[-1]) is not None


def is_negated_between(low: str, start: int, end: int) -> bool:
    """True when a "no" or "not" stands before ``start`` in its clause, or up to ``end``."""
    return _is_negated(low, start) or _NEGATED.search(low[start:end]) is not None


def _parts(answer: str) -> Iterator[str]:
    text = answer[:_LONGEST_ANSWER].replace("’", "'")
    for part in _SENTENCE.split(text)[:_MOST_SENTENCES]:
        if part.strip():
            yield part.strip()


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the telling words: short ones and those that stand in any call or sentence are left out."""
    low = (word.casefold() for word in words)
    plain = _words("bare") | _words("common")
    return frozenset(word[:_STEM] for word in low if (len(word) >= _SHORTEST or word.isdigit()) and word not in plain)


@cache
def _words(name: str) -> frozenset[str]:
    return words_of_lines(_sections()[name])


@cache
def _sections() -> dict[str, list[str]]:
    return read_sections(Path(__file__).with_name("owning_up.txt"))


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return the patterns of a section of ``owning_up.txt`` as one."""
    return re.compile("|".join(f"(?:{part})" for part in _sections()[name]), re.IGNORECASE)
