"""How a job ended that was only accepted, as a later look at it shows: ``deploy`` says IN_PROGRESS, ``get_job`` says FAILED.

A reader must not miss: the look must ask for a value that only the answer of the accepting call gave away, and its state
field decides, the last look first. A look that itself went wrong says nothing of the job.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.receipts.reading import Receipt
from agent_claimcheck.evidence.receipts.result_fields import read_fields
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_OF_THE_JOB = late_pattern(r"(?:[\w.]+[._])?(?:state|status|phase|result|outcome|conclusion)\b", re.IGNORECASE)
"""Fields that tell of the job. A bare ``success: true`` may tell of the look."""
_ENDS = frozenset(
    {"archived", "booked", "built", "cancelled", "changed", "completed", "copied", "deleted", "deployed", "done", "downloaded",
     "exported", "finished", "imported", "installed", "merged", "migrated", "moved", "paid", "posted", "processed", "published",
     "pushed", "refunded", "released", "removed", "restored", "sent", "shared", "synced", "transferred", "updated", "uploaded"}
)  # fmt: skip
"""Claims that a job has to end well for. "Started", "submitted" and "created" are true of one that failed later."""
_BEGINNING = late_pattern(
    r"\b(?:start|initiat|submit|request|trigger|launch|kick|queue|schedul|begin|beg[au]n|appli|pending|under ?way|in progress)",
    re.IGNORECASE,
)
_STOPS = frozenset({"abort", "cancel", "halt", "kill", "skip", "stop", "terminate"})
_MOST_LOOKS = 50
_LONGEST_ID = 80


def end_of_job(pair: CallPair, accepted: Receipt, evidence: Evidence) -> tuple[CallPair, Receipt] | None:
    """Return the last later call that looked at the job ``pair`` began, and the receipt of its end; ``None`` while open."""
    looks = [
        other
        for other in evidence.calls
        if other.call.i > pair.last_step and other.result is not None and evidence.effect(other).kind != "write"
    ]
    handles = _texts(accepted.parsed) - _texts(pair.call.args) if looks else set()
    if not handles:
        return None
    for look in reversed(looks[-_MOST_LOOKS:]):
        if look.is_ambiguous or handles.isdisjoint(_texts(look.call.args)):
            continue
        shown = evidence.receipt(look)
        said = read_fields(shown.parsed, (), is_read=False) if isinstance(shown.parsed, dict) else None
        if _is_to_stop(pair, evidence):
            return None
        if _was_stopped(shown.parsed):
            reason = f"{look.call.name} says conclusion: {shown.parsed['conclusion']}"
            return look, replace(shown, state="failed", source="status_field", confidence=0.8, reason=reason)
        if said is None or not _OF_THE_JOB.match(said.reason) or said.state not in ("ok", "failed"):
            return None
        reason = f"{look.call.name} says {said.reason}"
        return look, replace(shown, state=said.state, source=said.source, confidence=said.confidence, reason=reason)
    return None


def _is_to_stop(pair: CallPair, evidence: Evidence) -> bool:
    """True for a call that was to stop a job: that the job ended badly is what was wanted."""
    return not _STOPS.isdisjoint(evidence.effect(pair).words)


def _was_stopped(body: Any) -> bool:
    """True for a run of a build that was called off, which its own status tells as "completed"."""
    return isinstance(body, dict) and body.get("conclusion") in (
        "cancelled",
        "canceled",
        "skipped",
        "stale",
        "startup_failure",
    )


def speaks_of_the_end(claimed: str, quote: str) -> bool:
    """True when a claim of class ``claimed`` is about what a job came to, and not about having begun it."""
    return claimed in _ENDS and _BEGINNING.search(quote) is None


def _texts(value: Any) -> set[str]:
    """Return what may be ids among the texts and numbers of ``value``: one word, with a digit in it."""
    leaves = (
        str(leaf) for _, leaf in walk_fields(value or {}) if isinstance(leaf, str | int) and not isinstance(leaf, bool)
    )
    return {
        fold(leaf) for leaf in leaves if len(leaf) <= _LONGEST_ID and " " not in leaf and any(map(str.isdigit, leaf))
    }
