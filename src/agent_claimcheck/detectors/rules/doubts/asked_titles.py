"""The doubt that another record was meant: the request names "Dune", and the record that was read back is titled "Emma".

A reader must not miss: this never accuses. A record that carries no title, or one of which some word stands in the request, may
be the one that was meant; so may one that shows the name anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import is_no_order, standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.word_lists import WordLists

_TITLE = late_pattern(
    r"(?<!\w)[\"“‘'](?P<quoted>[^\"“”'‘’\n]{2,60})[\"”’'](?!\w)"
    r"|(?<=[a-z,] )(?P<name>[A-Z][a-z]{2,30}(?: [A-Z][a-z]{1,30}){0,3})(?![\w@])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_NAMES = 0.3
"""The share of words in capitals from which they tell no names: a headline, or German."""
_MOST = 40
_LONGEST_TITLE = 80
_LISTS = WordLists("asked_beyond")
_NO_NAMES = _LISTS.words("no_names")
_TITLED = _LISTS.words("titled")


def titled_otherwise(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when the record that was read back bears a name that nobody asked for."""
    other = next((title for probe in evidence.probes[-_MOST:] if (title := _other_title(probe.output, evidence))), None)
    if other is None:
        return None
    shown = shown_text(evidence)
    asked = next((name for text in standing_turns(evidence) for name in _named(text) if name not in shown), None)
    if asked is None:
        return None
    return Doubt("undecided", f"the request names {asked!r}, and the {other[0]} of the record is {other[1]!r}")


def _other_title(output: Any, evidence: Evidence) -> tuple[str, str] | None:
    """Return the field and the value of the first name of a record no name of which has a word in what was asked."""
    other = None
    for key, value in _top(output).items():
        if key.casefold() not in _TITLED or not isinstance(value, str) or not 1 < len(value) <= _LONGEST_TITLE:
            continue
        words = _WORD.findall(value.casefold())
        if any(word in text for text in _asked_low(evidence) for word in words):
            return None
        other = other or ((key, value) if words else None)
    return other


def _asked_low(evidence: Evidence) -> list[str]:
    return evidence.shared("asked_low", lambda: [text.casefold() for text in evidence.asked])


def _top(output: Any) -> dict[str, Any]:
    """Return the fields of the record itself: the title of a person among its fields is an office."""
    body = parse_output(output)
    if isinstance(body, dict) and len(body) == 1:
        (body,) = body.values()
    return body if isinstance(body, dict) else {}


def _named(text: str) -> Iterator[str]:
    """Yield what stands in quotation marks, and words with a capital inside a sentence, that an order names."""
    words = _WORD.findall(text)
    has_names = sum(word[0].isupper() for word in words) <= _MOST_NAMES * len(words)
    for match in list(_TITLE.finditer(text))[:_MOST]:
        named = (match["quoted"] or (match["name"] if has_names else None) or "").strip(" .,;:!?").casefold()
        before = text[max(0, match.start() - 80) : match.start()].casefold()
        if named and named not in _NO_NAMES and not is_no_order(before):
            yield named
