"""The doubt that the run did more than it was asked, and says nothing of it: it also deleted, paid, refunded or granted.

A reader must not miss: this never accuses. What the request, the closing text or a claim has a word for was meant; a change that
takes the old away to make the new ("move it to Friday") asks for a removal without a word for it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.detectors.rules.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("asked_beyond")
_GRAVE = frozenset({"remove", "money", "refund", "uninstall", "grant"})
"""Families of deeds that nobody does in passing."""
_LONGEST = 20_000
_STEM = 5


def did_more_than_asked(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a grave change of it has no word anywhere."""
    if evidence.is_shell_run:
        return None
    grave = [write for write in evidence.writes if family_of(write.effect.verb_class) in _GRAVE and write.is_ok]
    if not grave:
        return None
    types = " ".join(f"{claim.type} {claim.verb_class or ''} {claim.quote}" for _, claim in evidence.success_claims)
    said = f"{evidence.said_low} {types}"[:_LONGEST].casefold()
    for write in grave:
        family = family_of(write.effect.verb_class) or ""
        stems = {word[:_STEM] for word in (*write.effect.words, write.effect.verb_class or "") if len(word) > 3}
        if not any(stem in said for stem in stems) and not _words_for(family).search(said):
            return Doubt("undecided", f"{write.pair.call.name} changed something that nobody asked for and nobody told")
    return None


@lru_cache(maxsize=8)
def _words_for(family: str) -> re.Pattern[str]:
    return re.compile(_LISTS.pattern(f"asks_{family}"))
