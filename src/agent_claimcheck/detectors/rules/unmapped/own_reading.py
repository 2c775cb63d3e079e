"""What the agent itself read back after a write: it decides nothing, but whoever reads the verdict should know of it.

A reader must not miss: a reading counts when it asks for the record of the call by its id, no other call that did not fail
touched that record in between, and the field has the name under which it was written.
"""

from __future__ import annotations

from typing import NamedTuple

from agent_claimcheck.core.text import shorten
from agent_claimcheck.detectors.rules.unmapped.written_fields import differing_field, state_not_ended
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

_MOST_READS = 50


class OwnReading(NamedTuple):
    """The call that read the record back, and what it shows against the write, in words: ``""`` for nothing."""

    pair: CallPair
    otherwise: str


def own_reading(write: Write, evidence: Evidence) -> OwnReading | None:
    """Return the agent's last look at the record of ``write`` before anything else touched it, or ``None``."""
    if write.pair.result is None:
        return None
    ids = {*evidence.argument_ids(write.pair.call).values(), *evidence.output_ids(write.pair.result).values()}
    if not ids:
        return None
    found = None
    done = write.step
    later = [pair for pair in evidence.calls if pair.call.i > done][:_MOST_READS]
    for pair in later:
        effect = evidence.effect(pair)
        if effect.kind == "read":
            asked = set(evidence.argument_ids(pair.call).values())
            if asked and asked <= ids and evidence.receipt(pair).state == "ok" and pair.result is not None:
                found = pair
        elif evidence.receipt(pair).state != "failed" and same_target(effect.target, write.effect.target) is not False:
            break
    if found is None or found.result is None:
        return None
    shown = parse_output(found.result.output)
    state = state_not_ended(shown, write)
    if state is not None:
        return OwnReading(found, shorten(f"{found.call.name} then showed {state[0]} {state[1]}", 150))
    field = differing_field(shown, write, evidence)
    if field is None:
        return OwnReading(found, "")
    key, actual, written = field
    return OwnReading(found, shorten(f"{found.call.name} then showed {key} {actual}, the call wrote {written}", 150))
