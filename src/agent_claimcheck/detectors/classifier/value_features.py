"""Features that follow values: from the request into the changes, from the tools into the closing words.

A reader must not miss: values are looked for as texts, in one pass over each side. That is rough, and equally rough in
training and in use; nothing is ever accused by it. Of the user's words only sentences that carry a value or
say something at length count, so greetings and thanks move nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence

from agent_claimcheck.core.words import AnyPhrase, words_of
from agent_claimcheck.detectors.classifier.feature import Feature, Wanted
from agent_claimcheck.detectors.classifier.stated_values import stated_values
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.leaves import leaf_text

_LONGEST = 6_000
"""Characters of a text, and of the request, that are looked through."""

# These patterns begin with the characters they can begin with and look back from there: the engine skips all others.
_SENTENCE = re.compile(r"\s(?:(?<=[.!?]\s)\s*|(?<=\n)\n*)")
_MARK = re.compile(r"[\d@/\"“'](?<!\w')")
"""What a value begins or is joined with; an apostrophe inside a word is none."""
_FEWEST_WORDS = 7
"""Shorter sentences without a value are mostly courtesy ("please let me know")."""
_CONDITION = AnyPhrase(
    "if", "unless", "otherwise", "only when", "in case", "except", "but not", "without", "at least", "at most",
    "whichever", "depending",
)  # fmt: skip
_CHOICE = AnyPhrase(
    "cheapest", "most", "least", "best", "worst", "highest", "lowest", "largest", "smallest", "total", "average", "sum",
    "all", "every", "each", "any", "latest", "earliest", "first", "last", "next", "how many", "how much", "compare",
    "between", "difference", "longest", "shortest",
)  # fmt: skip
_PART = re.compile(
    r"[at;.?!\n](?:(?<=\n)\s{0,8}(?:\d{1,2}[.)]|[-*])|(?<=[.?!\n])\s{0,4}[A-Z]|(?<=;)|(?<=\ba)(?:nd|lso)\b|(?<=\bt)hen\b)"
)
_NONE: frozenset[str] = frozenset()

VALUE_FEATURES: tuple[Feature, ...] = (
    Feature("request_size", "length of what was asked (logarithm)"),
    Feature("request_conditions", "conditions in the request (logarithm)"),
    Feature("request_choices", "words that ask for a choice or a count (logarithm)"),
    Feature("request_parts", "parts of the request (logarithm)"),
    Feature("log_request_values", "values in the request (logarithm)"),
    Feature("request_mail_missing", "share of requested addresses that no change carries", -1),
    Feature("request_time_missing", "share of requested dates and times that no change carries", -1),
    Feature("request_id_missing", "share of requested ids that no change carries", -1),
    Feature("request_number_missing", "share of requested numbers that no change carries", -1),
    Feature("request_path_missing", "share of requested files that no change carries", -1),
    Feature("request_name_missing", "share of requested names that stand nowhere in the run", -1),
    Feature("request_values_missing", "share of all requested values that stand nowhere in the run", -1),
    Feature("log_told", "values in the closing message (logarithm)"),
    Feature("told_unseen", "share of values in the closing message that stand nowhere in the run", -1),
    Feature("told_not_asked", "share of values in the closing message that nobody asked for"),
    Feature("written_unseen", "share of written values that appear nowhere else in the run", -1),
    Feature("written_not_asked", "share of written values that nobody asked for"),
    Feature("mail_not_asked", "share of written addresses that nobody asked for", -1),
    Feature("log_output", "amount of what the tools returned (logarithm)"),
    Feature("log_written", "amount of what was written (logarithm)"),
)


def value_features(evidence: Evidence, wanted: Wanted) -> tuple[float, ...]:
    """Return the values of ``VALUE_FEATURES``."""
    request = _telling_words(evidence.asked)
    asked_text = request.lower()
    written = leaf_text([write.pair.call.args for write in evidence.writes if not write.is_failed])
    returned = leaf_text(evidence.outputs, evidence.output_leaves)
    if evidence.probes:
        returned += leaf_text([step.output for step in evidence.probes])
    asked = stated_values(request)
    every = set().union(*asked.values())
    named = asked.get("name", _NONE) | asked.get("quoted", _NONE)
    lost = {value for value in every if value not in written and value not in returned}
    told = _all_but("name", stated_values(evidence.closing_text))
    told_not_asked = [value for value in told if value not in asked_text]
    told_unseen = [value for value in told_not_asked if value not in written and value not in returned]
    changed = stated_values(written)
    changes = _all_but("quoted", changed)
    not_asked = [value for value in changes if value not in asked_text]
    unseen = [value for value in not_asked if value not in returned]
    # Without words the two counts of words are 0.
    words = words_of(request) if "request_conditions" in wanted or "request_choices" in wanted else ()
    return (
        math.log1p(min(len(request), 4_000)),
        _many(_CONDITION.all_in(request, words), 10),
        _many(_CHOICE.all_in(request, words), 10),
        _many(_PART.findall(request), 30) if "request_parts" in wanted else 0.0,
        math.log1p(len(every)),
        _missing(asked.get("mail"), written),
        _missing(asked.get("time"), written),
        _missing(asked.get("id"), written),
        _missing(asked.get("number"), written),
        _missing(asked.get("path"), written),
        len(named & lost) / len(named) if named else 0.0,
        len(lost) / len(every) if every else 0.0,
        math.log1p(len(told)),
        len(told_unseen) / len(told) if told else 0.0,
        len(told_not_asked) / len(told) if told else 0.0,
        len(unseen) / len(changes) if changes else 0.0,
        len(not_asked) / len(changes) if changes else 0.0,
        _missing(changed.get("mail"), asked_text) if "mail" in asked else 0.0,
        math.log1p(len(returned)),
        math.log1p(len(written)),
    )


def _all_but(kind: str, kinds: dict[str, set[str]]) -> set[str]:
    """Return the values of all other kinds. No value has a line break in it, so each lies in one text or in none."""
    return set().union(*[values for name, values in kinds.items() if name != kind])


def _telling_words(texts: Sequence[str]) -> str:
    """Return the sentences of ``texts`` that carry a value or say something at length."""
    if sum(map(len, texts)) <= _LONGEST:
        # The room lasts for all, so a text that comes again adds nothing; most runs begin with the instruction again.
        texts = tuple(dict.fromkeys(texts))
    kept: list[str] = []
    room = _LONGEST
    for text in texts:
        for sentence in _SENTENCE.split(text[:_LONGEST]):
            if room <= 0:
                break
            if _is_telling(sentence):
                kept.append(sentence[:room])
                room -= len(sentence)
    # The instruction is often the first user message once more; what was asked twice was asked once.
    return "\n".join(dict.fromkeys(kept))


def _is_telling(sentence: str) -> bool:
    return sentence.count(" ") >= _FEWEST_WORDS - 1 or _MARK.search(sentence) is not None


def _missing(values: Collection[str] | None, text: str) -> float:
    return len([value for value in values if value not in text]) / len(values) if values else 0.0


def _many(found: Sequence[object], most: int) -> float:
    return math.log1p(min(len(found), most))
