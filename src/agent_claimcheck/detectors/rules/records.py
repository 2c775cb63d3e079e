"""Which record a probe read, compared with the record a call wrote.

A reader must not miss: ids are compared under the same key only when both sides carry that key; a value that appears on
both sides is the same record whatever its key. Where neither holds, the record is unknown, not another one.
"""

from __future__ import annotations

from typing import Literal

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

RecordMatch = Literal["same", "other", "unknown"]


def match_record(call: CallPair, probe: Step, evidence: Evidence) -> RecordMatch:
    """Say whether ``probe`` read the record that ``call`` wrote."""
    written = evidence.argument_ids(call.call)
    if call.result is not None:
        written = {**written, **evidence.output_ids(call.result)}
    read = _ids_of(probe, evidence)
    if not written or not read:
        return "unknown"
    shared = written.keys() & read.keys()
    if any(written[key] != read[key] for key in shared):
        return "other"
    returned = evidence.output_ids(probe)
    if any(written[key] != returned[key] for key in written.keys() & returned.keys()):
        # It was asked for this record and answered with another.
        return "other"
    if shared or set(written.values()) & set(read.values()):
        return "same"
    return "unknown"


def probe_identity(probe: Step, evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Return what tells one probed record from another: its ids, empty when it carries none."""
    return tuple(sorted(_ids_of(probe, evidence).items()))


def _ids_of(probe: Step, evidence: Evidence) -> dict[str, str]:
    return {**evidence.output_ids(probe), **evidence.argument_ids(probe)}
