"""Does the final answer own up to a failed call in plain words? Read offline, and counted only when asked for.

A reader must not miss: a sentence counts when it tells a failure and speaks of this call: by a word of the tool's name, of
its arguments or of the error. One that tells of another record, of what might happen, or of a failure that was overcome in
the end does not. What is not plain is not owned up to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from msgspec import Struct

from agent_claimcheck.checks.retry_targets import record_names
from agent_claimcheck.checks.run import ToolCall
from agent_claimcheck.core.word_files import read_sections, words_of_lines
from agent_claimcheck.evidence.values.value_text import walk_values

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*(?=\S)|\n+|;\s+")
_WORD = re.compile(r"[^\W_]+")
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_GOES_ON = re.compile(
    r"\W*(?:(?:but|unfortunately|sadly|however),? )?"
    r"(?:it|this|that|they|both|neither|none|nothing|the (?:call|request|attempt|tool))\b",
    re.IGNORECASE,
)
_STEM = 5  # letters by which two words are held to be one: "refunded" and ``refund_order``
_SHORTEST = 3
_LONGEST_ANSWER = 20_000
_ERROR_ENDS = 300  # characters at each end of an error; between them is code, or a list of calls
_FEWEST_OF_ERROR = 2  # words of the error that a sentence repeats when it names neither tool nor argument
_MOST_SENTENCES = 200
_MOST_VALUES = 50
_QUOTED = 160


class _Admission(Struct, frozen=True):
    """A sentence that tells a failure: its words as they stand, in lower case, and their stems."""

    text: str
    words: frozenset[str]
    stems: frozenset[str]
    is_english: bool


class OwningUp:
    """What a final answer owns up to. ``calls`` are all calls of the run; the answer is read once for all of them."""

    def __init__(self, answer: str, calls: Sequence[ToolCall]) -> None:
        self._calls = calls
        self._answer = answer

    @cached_property
    def _admissions(self) -> Sequence[_Admission]:
        return list(_admissions(self._answer))

    @cached_property
    def _records_of(self) -> Mapping[str, set[str]]:
        """The words that name the records of each tool, so that another record's sentence is not taken for a call's own."""
        found: dict[str, set[str]] = {}
        for call in self._calls:
            found.setdefault(call.name, set()).update(_records(call))
        return found

    def words_for(self, call: ToolCall) -> str | None:
        """Return the words of the answer that own up to the failed ``call``, or ``None``."""
        if not self._admissions:
            return None
        own, topic = _records(call), _topic(call)
        error = call.output[:_ERROR_ENDS] + " " + call.output[_ERROR_ENDS:][-_ERROR_ENDS:]
        told = _stems(_WORD.findall(error))
        known = self._records_of.get(call.name, set())
        for admission in self._admissions:
            is_the_only_one = not admission.is_english and len(self._calls) == 1
            if (
                is_the_only_one
                or not topic.isdisjoint(admission.stems)
                or len(told & admission.stems) >= _FEWEST_OF_ERROR
            ):
                named = admission.words & known
                if not named or named & own:
                    return admission.text
        return None


def _admissions(answer: str) -> Iterator[_Admission]:
    sentences = list(_sentences(answer))
    before = ""
    for position, sentence in enumerate(sentences):
        is_english = (failure := _pattern("failed").search(sentence)) is not None
        failure = failure or _pattern("failed elsewhere").search(sentence)
        about = f"{before} {sentence}".strip() if _GOES_ON.match(sentence) else sentence
        before = sentence
        if failure is None or _pattern("open").search(sentence[: failure.start()]):
            continue
        following = " ".join((sentence[failure.end() :], *sentences[position + 1 : position + 2]))
        if _pattern("overcome").search(following) is None:
            words = frozenset(word.casefold() for word in _WORD.findall(about))
            yield _Admission(about[:_QUOTED], words, frozenset(word[:_STEM] for word in words), is_english)


def _sentences(answer: str) -> Iterator[str]:
    text = answer[:_LONGEST_ANSWER].replace("’", "'")
    for part in _SENTENCE.split(text)[:_MOST_SENTENCES]:
        if part.strip():
            yield part.strip()


def _records(call: ToolCall) -> set[str]:
    """Return the words of the values that name the record: ``31``, ``hb``, ``77``."""
    return {word.casefold() for value in record_names(call.arguments).values() for word in _WORD.findall(value)}


def _topic(call: ToolCall) -> frozenset[str]:
    """Return the stems of the tool's name and its arguments: a sentence that holds one speaks of this call."""
    words = _NAME_WORD.findall(call.name[:200])
    for _, value in islice(walk_values(call.arguments), _MOST_VALUES):
        if isinstance(value, str | int) and not isinstance(value, bool):
            words += _WORD.findall(str(value)[:200])
    return _stems(words)


def _stems(words: Iterable[str]) -> frozenset[str]:
    low = (word.casefold() for word in words)
    return frozenset(
        word[:_STEM] for word in low if (len(word) >= _SHORTEST or word.isdigit()) and word not in _plain()
    )


@cache
def _plain() -> frozenset[str]:
    return words_of_lines([*_sections()["bare"], *_sections()["common"]])


@cache
def _sections() -> dict[str, list[str]]:
    return read_sections(Path(__file__).with_name("owning_up.txt"))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{part})" for part in _sections()[name]), re.IGNORECASE)
