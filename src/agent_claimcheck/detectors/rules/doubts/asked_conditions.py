"""The doubt that the request sets a condition which nobody looked into: "only if she is free", "unless rain is forecast".

A reader must not miss: this never accuses. A lookup that worked before the last change may be the look into it, whatever it
returned; with none, what was done was done without asking.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST = 4_000
_WORDS = (
    "if ",
    "once ",
    "as soon as",
    "after ",
    "unless",
    "provided",
    "as long",
    "on condition",
    "in case",
    "only when",
)
"""One of these stands in every condition, and in few requests."""


def sets_an_unread_condition(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when what was asked hangs on something that no call looked up."""
    last_turn = evidence.user_texts[-1] if evidence.user_texts else evidence.view.task.instruction
    text = last_turn[:_LONGEST].casefold()
    if not any(word in text for word in _WORDS):
        return None
    condition = next((found for found in _pattern("condition").finditer(text) if not _is_courtesy(text, found)), None)
    if condition is None or _looked_first(evidence):
        return None
    return Doubt(
        "undecided", f"the request says {condition[0].strip()!r}, and no call looked that up before the change"
    )


def _is_courtesy(text: str, condition: re.Match[str]) -> bool:
    """True for "let me know if ..." and "if possible", which hold back no deed."""
    before = text[max(0, condition.start() - 30) : condition.start()]
    return _pattern("to_tell").search(before) is not None or _pattern("no_condition").match(condition[0]) is not None


def _looked_first(evidence: Evidence) -> bool:
    last = max((write.pair.call.i for write in evidence.writes if not write.is_failed), default=None)
    return last is not None and any(
        pair.call.i < last
        and evidence.effect(pair).kind == "read"
        and evidence.receipt(pair).state in ("ok", "empty", "unknown")
        for pair in evidence.calls
    )


@lru_cache(maxsize=4)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(WordLists("asked_beyond").pattern(section))
