"""The doubt that a request in another language than English orders a second deed, and the run changed one thing only.

A reader must not miss: this never accuses. A word behind the first order that begins like a verb of that language, of another
kind than what was claimed, is taken for an order of its own: "réserve une heure, puis annule mon déjeuner".
"""

from __future__ import annotations

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.asked_values import standing_turns
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.order_verbs import orders_beside
from agent_claimcheck.evidence.coverage import family_of

_LONGEST = 1_000
_ASKS = late_pattern(r"[?？]")


def asks_another_deed_elsewhere(evidence: Evidence) -> Doubt | None:
    """Doubt a run of one change in another language whose request goes on with a deed that no claim and no call is of."""
    language = evidence.reading.language
    if language in (None, "en") or len([write for write in evidence.writes if not write.is_failed]) != 1:
        return None
    done = {family_of(claim.verb_class or claim.type) for _, claim in evidence.success_claims}
    done |= {family_of(part) for _, claim in evidence.success_claims for part in claim.type.split("_")}
    done |= {family_of(write.effect.verb_class) for write in evidence.writes if write.effect.verb_class}
    for turn in standing_turns(evidence):
        if len(turn) > _LONGEST or _ASKS.search(turn):
            continue
        for word, verb_class in orders_beside(turn, language or ""):
            if family_of(verb_class) not in done:
                return Doubt(
                    "undecided", f"the request also says {word!r}, and the one change of the run shows nothing of it"
                )
    return None
