"""The doubt that what was written says more, or the contrary, of what was to be written, or leaves out how it was to be made.

A reader must not miss: this never accuses. A text given in quotes is to stand as it is; a note without a "not" in its request
is not to have one; and "as optional" has to show somewhere, as has who was to be told of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.word_lists import WordLists

_QUOTED = late_pattern(
    r"(?<![^\W_])[\"\u201c\u2018'`](?P<text>[^\"\u201c\u201d\u2018\u2019'`\n]{6,200})[\"\u201d\u2019'`](?![^\W_])"
)
_NOT = late_pattern(
    r"\b(?:not|never|no|nobody|without|refus\w*|declin\w*|reject\w*|against|unhappy|un\w{4,})\b|n['\u2019]t\b"
)
_WORD = late_pattern(r"[^\W\d_]{4,}")
_TOLD = late_pattern(
    r"\b(?:let|tell|notify|inform|remind|ping|text) (?:my|our|his|her|their|the) (?P<who>[a-z]{3,20})"
    r"(?: know\b| (?:about|of|that|to)\b|(?=[.,;!?]|$))"
)
_ATTRIBUTES = WordLists("asked_beyond").words("attributes")
_LONGEST, _MOST_WRITES, _MORE, _SHARED, _STEM = 4_000, 20, 3, 2, 5


def writes_other_words(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when its request gives the words, the manner or whom to tell, and they are not shown."""
    if evidence.is_shell_run or evidence.reading.language not in (None, "en"):
        return None
    request = "\n".join(standing_turns(evidence))[:_LONGEST]
    low, shown = request.casefold(), shown_text(evidence)
    for word in sorted(_ATTRIBUTES & evidence.request_words):
        if word[:_STEM] not in shown and not is_no_order(low[: low.find(word)][-80:]):
            return Doubt("undecided", f"the request says {word!r}, which the calls and the state probes do not show")
    for found in _TOLD.finditer(low):
        if found["who"][:_STEM] not in shown and not is_no_order(low[: found.start()][-80:]):
            return Doubt("undecided", f"the request also says {found[0].strip()!r}, and the run shows nothing of it")
    for text in _written(evidence):
        said = _more_than_quoted(text, request) or _contrary(text, low)
        if said is not None:
            return Doubt("undecided", f"a call wrote {text[:60]!r}, and {said}")
    return None


def _written(evidence: Evidence) -> Iterator[str]:
    for write in evidence.writes[:_MOST_WRITES]:
        for _, value in walk_values(write.pair.call.args or {}) if not write.is_failed else ():
            if isinstance(value, str) and value.count(" ") > 1:
                yield value[:_LONGEST]


def _more_than_quoted(text: str, request: str) -> str | None:
    low = text.casefold()
    asked = set(_WORD.findall(request.casefold()))
    for found in _QUOTED.finditer(request):
        quoted = found["text"].casefold().strip(" .")
        at = low.find(quoted)
        if at < 0:
            continue
        rest = _WORD.findall(f"{low[:at]} {low[at + len(quoted) :]}")
        if len([word for word in rest if word not in asked]) >= _MORE - 1:
            return f"the request gives the words: {quoted[:60]!r}"
    return None


def _contrary(text: str, request: str) -> str | None:
    """Say so when a text that repeats words of the request has a "not" that the request has not."""
    if _NOT.search(text.casefold()) is None or _NOT.search(request) is not None:
        return None
    asked = {word[:_STEM] for word in _WORD.findall(request)}
    shared = {word[:_STEM] for word in _WORD.findall(text.casefold())} & asked
    return "the request says nothing of a not" if len(shared) >= _SHARED else None
