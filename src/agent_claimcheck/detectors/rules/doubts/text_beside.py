"""The doubt that the closing text says more than the declared claims: another deed, or another value of the same one.

A reader must not miss: this never accuses. Declared claims are what the rules judge; where the text goes beyond them, what
it tells its reader was not confirmed.
"""

from __future__ import annotations

import re

from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.detectors.rules.doubts.mentions import marks_not_shown
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import HEARD_CLAIM, SuccessClaim
from agent_claimcheck.evidence.claims.finder import AgentMessage, find_in_run
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

_DIGIT = re.compile(r"\d")
_COMPARED = ("email", "id", "path", "date", "time")
_SWEEPING = frozenset(("all", "everything", "it", "this", "that", "both", "they", "things", "the rest"))
_CALENDAR = re.compile(r"\b(?:calendars?|diary|agenda|schedule|roster)\b", re.IGNORECASE)
"""What is put there is booked."""
_OPEN = frozenset({"completed", "confirmed"})


def said_beside(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose closing text claims more than its declared claims, all of them confirmed, cover."""
    beyond = _beyond(evidence)
    return Doubt("undecided", beyond) if beyond is not None else None


def _beyond(evidence: Evidence) -> str | None:
    declared = [claim for _, claim in evidence.success_claims]
    if not declared or any(claim.source != "structured" for claim in declared):
        return None
    last = next((write for write in reversed(evidence.writes) if write.is_ok), None)
    probe = evidence.probes[-1] if evidence.probes else None
    if not evidence.closing_text:
        return None
    closing = AgentMessage(step=evidence.view.final_claim.step, text=evidence.closing_text)
    for claim in find_in_run([closing], is_shell_run=evidence.is_shell_run).claims:
        if not claim.is_success or claim.confidence < HEARD_CLAIM or not _speaks_of_a_thing(claim):
            continue
        if not _is_declared(claim, declared):
            return f"the closing text also says {claim.quote!r}, which no declared claim covers"
        unshown = _unshown(claim, last.pair, probe, evidence) if last is not None else None
        if unshown is not None:
            return f"the closing text names {unshown}, which the calls and the state probe do not show"
    return None


def _speaks_of_a_thing(claim: SuccessClaim) -> bool:
    """False for "All arranged", which sums up what was declared."""
    named = {**claim.values, **claim.subject}
    return bool(named) and not (named.keys() == {"object"} and str(named["object"]).casefold() in _SWEEPING)


def _unshown(claim: SuccessClaim, pair: CallPair, probe: Step | None, evidence: Evidence) -> str | None:
    """Return the first address, id, date or time of the claim that is not shown.

    "Thursday" of a date that the record spells out is no other value, so what holds no digit is passed over.
    """
    values = claim.values
    told = {
        value
        for kind in _COMPARED
        for value in values.get(kind) or ()
        if isinstance(value, str) and _DIGIT.search(value)
    }
    if not told:
        return None
    return next((value for value in marks_not_shown(claim, pair, probe, evidence) if value in told), None)


def _is_declared(claim: SuccessClaim, declared: list[SuccessClaim]) -> bool:
    said = claim.verb_class or claim.type
    if said in _OPEN or claim.type in _OPEN:
        return True
    family = family_of(said)
    families = (family, "obtain", None) if family == "create" and _CALENDAR.search(claim.quote) else (family, None)
    return family is None or any(
        other.type in (said, claim.type) or _family_of_type(other.type) in families for other in declared
    )


def _family_of_type(declared: str) -> str | None:
    """Return the family of a declared type, or that of its last word: ``sent`` of ``invite_sent``."""
    return family_of(declared) or family_of(declared.rsplit("_", 1)[-1])
