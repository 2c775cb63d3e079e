"""A record that a claim names, that no call names, and that reads as it was first seen.

A reader must not miss: it refutes only where the change would show and no call that may have worked could have made it.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.detectors.rules.probes.other_explanations import (
    is_of_something_else,
    is_old_copy,
    may_show_later,
    reads_another_kind,
    says_ended,
    states_of,
    texts_of,
)
from agent_claimcheck.detectors.rules.probes.reading import is_after
from agent_claimcheck.evidence.bystanders import is_bystander
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.seen_records import fields_of, record_seen
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.model import Step

_FEWEST_FIELDS = 3
"""Fields that a probe and a lookup must share before a record counts as unchanged."""


def named_by(claim: SuccessClaim) -> str | list[str]:
    """Return what the claim names: the ids it tells, all values it declares, or its words."""
    ids = claim.subject.get("id")
    if claim.source == "structured":
        return [str(value) for _, value in walk_values(claim.subject)]
    return [str(one) for one in ids] if isinstance(ids, list) and ids else claim.quote


def untouched_record(claim: SuccessClaim, evidence: Evidence) -> Step | None:
    """Return the last probe of the record that ``claim`` names where no call does and it shows the record as it was first seen."""
    named = named_by(claim)
    family = family_of(claim.verb_class or claim.type)
    if family not in ("change", "mark", "remove") or isinstance(named, str) or not evidence.calls:
        return None
    ids = {fold(one).lstrip("#") for one in named}
    if any(not ids.isdisjoint(texts_of(write.pair.call.args)) for write in evidence.writes):
        return None
    if may_show_later(None, claim, evidence) or (family == "remove" and is_of_something_else(claim, ids)):
        return None
    last = evidence.calls[-1]
    for probe in reversed(evidence.probes):
        asked = texts_of(probe.args)
        found = parse_output(probe.output)
        if not asked or not asked <= ids or not is_after(probe, last.result or last.call, evidence):
            continue
        if probe.ok is not True or not isinstance(found, dict) or is_old_copy(probe):
            return None
        shown, before = fields_of(found), record_seen(asked, evidence)
        shared = shown.keys() & before.keys()
        if len(shared) < _FEWEST_FIELDS or any(shown[key] != before[key] for key in shared):
            return None
        if _shows_what_is_claimed(shown, claim, asked) or not _must_show(probe, shown, claim, evidence):
            return None
        return probe
    return None


def _must_show(probe: Step, shown: dict[str, Any], claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when the change would show in the record: its state after an ending, else when no other call may have made it."""
    if family_of(claim.verb_class or claim.type) == "remove":
        states = states_of(shown)
        if not states or any(says_ended(shown[key]) for key in states):
            return False
        return not any(_may_have_ended_something(write, probe) for write in evidence.writes)
    return all(write.is_failed or is_bystander(write.pair, claim, evidence) for write in evidence.writes)


def _may_have_ended_something(write: Write, probe: Step) -> bool:
    """True for a call that may have ended something, which the claim may mean: a label, a meeting about the record.

    A call that names another record where the probe names this one ended that other one.
    """
    args = write.pair.call.args or {}
    is_another = any(args.get(key, value) != value for key, value in (probe.args or {}).items())
    if write.is_failed or (is_another and not reads_another_kind(probe, write, is_whole=True)):
        return False
    effect = write.effect
    if (
        effect.kind != "write"
        or effect.is_file_change
        or family_of(effect.verb_class) in ("remove", "revert", "refund")
    ):
        return True
    return any(isinstance(value, str) and says_ended(value) for _, value in walk_fields(args))


def _shows_what_is_claimed(shown: dict[str, Any], claim: SuccessClaim, ids: set[str]) -> bool:
    """True when a value of the record, its ids apart, is among the words of the claim: it may have been so already."""
    told = fold(claim.quote) if claim.quote else " ".join(fold(str(value)) for _, value in walk_values(claim.subject))
    return any(
        len(str(value)) > 1 and fold(str(value)) not in ids and fold(str(value)) in told for value in shown.values()
    )
