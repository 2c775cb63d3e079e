"""The doubt that something was to be taken away and nothing in the run shows it: "remove Otto from card 12", and ``assignee: Otto``.

A reader must not miss: this never accuses. A word for a removal in a tool, a claim, a field, or an empty or negative value shows
one, whatever it may be of.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.core.quick import Quick
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_text
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt, shown_text
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("asked_beyond")
_TAKING = Quick("|".join(sorted(_LISTS.words("takes_away_verbs"))))
"""Fits wherever such an order stands, and in few requests."""
_MOST_WRITES = 50


def asks_a_removal_unseen(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when its request orders a removal and no change looks like one."""
    if evidence.is_shell_run:
        return None
    text = standing_text(evidence)
    order = _pattern("takes_away").search(text) if _TAKING.is_in(text) else None
    if order is None or _shows_removal(evidence):
        return None
    said = (order["order"] or order["order2"]).strip()
    return Doubt("undecided", f"the request says {said!r}, and no change of the run takes anything away")


def _shows_removal(evidence: Evidence) -> bool:
    claims = " ".join(f"{claim.type} {claim.verb_class or ''} {claim.quote}" for _, claim in evidence.success_claims)
    if _pattern("removal_shown").search(f"{shown_text(evidence)} {claims}".casefold().replace("_", " ")) is not None:
        return True
    return any(
        value in (None, False, "", 0)
        for write in evidence.writes[-_MOST_WRITES:]
        if not write.is_failed
        for _, value in walk_values(write.pair.call.args or {})
    )


@lru_cache(maxsize=2)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(_LISTS.pattern(section))
