"""Whether one call took back what another did: a cancellation after a booking, a deletion after a creation.

A reader must not miss: only a write that worked takes anything back, and only on the same record.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.effects import Effect
from agent_claimcheck.evidence.targets import same_target

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence
    from agent_claimcheck.evidence.writes import Write

_UNDONE_BY: dict[str, frozenset[str]] = {
    "create": frozenset({"remove", "revert"}),
    "obtain": frozenset({"remove", "revert", "refund"}),
    "change": frozenset({"revert"}),
    "money": frozenset({"refund", "remove", "revert"}),
    "speak": frozenset({"remove", "revert"}),
    "code": frozenset({"revert"}),
    "install": frozenset({"uninstall"}),
    "grant": frozenset({"remove", "revoke"}),
}
"""Family of a deed -> families of what takes it back."""
_TAKING = frozenset().union(*_UNDONE_BY.values())


def may_undo(effect: Effect) -> bool:
    """False when ``undoes`` says no to ``effect`` whatever came before it, so that it need not be asked."""
    return effect.kind != "read" and _may_undo(effect.verb_class, effect.words)


@lru_cache(maxsize=4096)
def _may_undo(verb_class: str | None, words: tuple[str, ...]) -> bool:
    return family_of(verb_class) in _TAKING or any(word.startswith("un") for word in words)


def undoes(later: Effect, earlier: Effect) -> bool:
    """True when ``later`` takes back what ``earlier`` did to the same record (cancel after book, delete after create)."""
    if later.kind == "read" or earlier.kind == "read":
        return False
    takes, did = family_of(later.verb_class), family_of(earlier.verb_class)
    if any(f"un{word}" in later.words for word in earlier.words[:8] if len(word) > 3):
        return same_target(later.target, earlier.target) is True
    if takes is None or did is None or takes not in _UNDONE_BY.get(did, frozenset()):
        return False
    return same_target(later.target, earlier.target) is True


def takers(evidence: Evidence) -> tuple[Write, ...]:
    """Return the writes that worked and may undo another, in call order. Found once a run: most have none."""
    return evidence.shared(
        "takers", lambda: tuple([write for write in evidence.writes if may_undo(write.effect) and write.is_ok])
    )
