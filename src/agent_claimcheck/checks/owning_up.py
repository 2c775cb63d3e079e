"""Does the final answer own up to a failed call in plain words? Read offline, and counted only when asked for.

A reader must not miss: a sentence counts when it tells a failure and speaks of this call: by a word of the tool's name, of
its arguments or of the error. Without a word for a failure it counts when it says that the deed is not done or the old state
holds, repeats the error, or hands the work on, and the answer tells no success of the call. One that tells of another record,
of what might happen, or of a failure that was overcome in the end does not. What is not plain is not owned up to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice

from msgspec import Struct

from agent_claimcheck.checks.answer_sentences import WORD, AnswerSentence, is_negated_between, read_sentences, stems_of
from agent_claimcheck.checks.retry_targets import record_names
from agent_claimcheck.checks.run import ToolCall
from agent_claimcheck.evidence.values.value_text import walk_values

_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_NEGATION = re.compile(r"\b(?:no|not|none|never|without|cannot)\b|n't\b", re.IGNORECASE)
_ERROR_ENDS = 300  # characters at each end of an error; between them is code, or a list of calls
_FEWEST_OF_ERROR = 2  # words of the error that a sentence repeats when it names neither tool nor argument
_SHORT_ERROR = 8  # telling words of an error up to which repeating it says what went wrong
_MOST_VALUES = 50


class _Failed(Struct, frozen=True):
    """A failed call as the answer is held against it: stems of its verb, its topic, its values and its error."""

    name: str
    verbs: frozenset[str]
    topic: frozenset[str]
    values: frozenset[str]
    error: frozenset[str]
    is_negative: bool
    own: frozenset[str]
    numbers: frozenset[str]


class OwningUp:
    """What a final answer owns up to. ``calls`` are all calls of the run; the answer is read once for all of them."""

    def __init__(self, answer: str, calls: Sequence[ToolCall]) -> None:
        self._calls = calls
        self._answer = answer

    @cached_property
    def _sentences(self) -> Sequence[AnswerSentence]:
        return read_sentences(self._answer)

    @cached_property
    def _records_of(self) -> Mapping[str, set[str]]:
        """The words that name the records of each tool, so that another record's sentence is not taken for a call's own."""
        found: dict[str, set[str]] = {}
        for call in self._calls:
            found.setdefault(call.name, set()).update(_records(call))
        return found

    def words_for(self, call: ToolCall) -> str | None:
        """Return the words of the answer that own up to the failed ``call``, or ``None``."""
        if not self._sentences:
            return None
        failed = _read_call(call)
        mine = [sentence for sentence in self._sentences if not self._is_of_another(sentence, failed)]
        for sentence in mine:
            if self._is_told_failed(sentence, failed):
                return sentence.text
        if any(self._tells_success(sentence, failed) for sentence in mine):
            return None
        return next((sentence.text for sentence in mine if self._is_left_undone(sentence, failed)), None)

    def _is_told_failed(self, sentence: AnswerSentence, failed: _Failed) -> bool:
        if not sentence.fails or sentence.is_open or sentence.is_overcome:
            return False
        is_denied = not failed.is_negative and not sentence.undone.isdisjoint(failed.error - failed.topic)
        return not is_denied and self._speaks_of(sentence, failed)

    def _is_of_another(self, sentence: AnswerSentence, failed: _Failed) -> bool:
        named = sentence.words & self._records_of.get(failed.name, set())
        return bool(named) and not named & failed.own

    def _speaks_of(self, sentence: AnswerSentence, failed: _Failed) -> bool:
        is_the_only_one = sentence.fails and not sentence.is_english and len(self._calls) == 1
        shared = failed.error & sentence.stems
        is_the_error = len(shared) >= _FEWEST_OF_ERROR
        return is_the_only_one or is_the_error or not failed.topic.isdisjoint(sentence.stems)

    def _tells_success(self, sentence: AnswerSentence, failed: _Failed) -> bool:
        """True when the sentence tells the deed of the call, or of the only call, as done."""
        if _numbers_another(sentence, failed):
            return False
        if any(verb == word[: len(verb)] for verb in failed.verbs for word in sentence.past - failed.error):
            return True
        is_about = len(self._calls) == 1 or not failed.topic.isdisjoint(sentence.stems)
        return is_about and bool(sentence.done - failed.error)

    def _is_left_undone(self, sentence: AnswerSentence, failed: _Failed) -> bool:
        if sentence.is_open or sentence.is_overcome or _numbers_another(sentence, failed):
            return False
        if any(verb == word[: len(verb)] for verb in failed.verbs for word in sentence.undone):
            return True
        if sentence.lasts and (failed.values or failed.topic) & sentence.stems:
            return True
        if sentence.waits and self._speaks_of(sentence, failed):
            return True
        return not sentence.lasts and _repeats_error(sentence, failed)


def _repeats_error(sentence: AnswerSentence, failed: _Failed) -> bool:
    """True when the sentence says what a short error says, in its words and as affirmed or denied as there."""
    shared = failed.error & sentence.stems
    if not shared or len(failed.error) > _SHORT_ERROR or 2 * len(shared) < len(failed.error):
        return False
    if len(shared) < _FEWEST_OF_ERROR and (len(failed.error) > 1 or failed.topic.isdisjoint(sentence.stems)):
        return False
    places = [at for stem in shared if (at := sentence.low.find(stem)) >= 0]
    return bool(places) and is_negated_between(sentence.low, min(places), max(places)) == failed.is_negative


def _numbers_another(sentence: AnswerSentence, failed: _Failed) -> bool:
    """True when the sentence names by number something else than the call, which names a number of its own."""
    named = {word for word in sentence.words if not word.isalpha() and any(char.isdigit() for char in word)}
    return bool(named and failed.numbers) and named.isdisjoint(failed.numbers | failed.error)


def _read_call(call: ToolCall) -> _Failed:
    error = call.output[:_ERROR_ENDS] + " " + call.output[_ERROR_ENDS:][-_ERROR_ENDS:]
    values = [word for text in _values(call) for word in WORD.findall(text)]
    names = _NAME_WORD.findall(call.name[:200])
    return _Failed(
        name=call.name,
        verbs=frozenset(stem for stem in stems_of(names) if stem.isalpha()),
        topic=stems_of([*names, *values]),
        values=stems_of(values),
        error=stems_of(WORD.findall(error)),
        is_negative=_NEGATION.search(error) is not None,
        own=frozenset(_records(call)),
        numbers=frozenset(word.casefold() for word in values if any(char.isdigit() for char in word)),
    )


def _records(call: ToolCall) -> set[str]:
    """Return the words of the values that name the record: ``31``, ``hb``, ``77``."""
    return {word.casefold() for value in record_names(call.arguments).values() for word in WORD.findall(value)}


def _values(call: ToolCall) -> list[str]:
    """Return the texts and numbers of the arguments: a sentence that holds a word of them speaks of this call."""
    return [
        str(value)[:200]
        for _, value in islice(walk_values(call.arguments), _MOST_VALUES)
        if isinstance(value, str | int) and not isinstance(value, bool)
    ]
