"""The doubt that a change did not stay: a call worked, and the probe that read its record later shows another value.

A reader must not miss: this is asked of every change of the run, claimed or not, and never accuses. A field that a later
call may have changed again says nothing.
"""

from __future__ import annotations

from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.detectors.rules.probes.last_reading import last_reading
from agent_claimcheck.detectors.rules.probes.own_reading import may_change
from agent_claimcheck.detectors.rules.probes.written_fields import differing_field
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.writes import Write

_MOST_WRITES = 40


def shows_a_change_otherwise(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when a probe shows a field otherwise than a call of the run wrote it."""
    for write in evidence.writes[-_MOST_WRITES:]:
        if write.is_failed or write.effect.kind != "write":
            continue
        probe = last_reading(write, evidence)
        if probe is None or probe.ok is not True:
            continue
        field = differing_field(parse_output(probe.output), write, evidence)
        if field is None or _is_changed_since(write, evidence):
            continue
        key, actual, written = field
        return Doubt("undecided", f"{write.pair.call.name} wrote {key} {written}, and the state probe shows {actual}")
    return None


def _is_changed_since(write: Write, evidence: Evidence) -> bool:
    return any(
        pair.call.i > write.pair.call.i
        and evidence.effect(pair).kind != "read"
        and evidence.receipt(pair).state != "failed"
        and may_change(pair, write, evidence)
        for pair in evidence.calls
    )
