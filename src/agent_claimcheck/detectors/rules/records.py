"""Which record a probe read, compared with the record a call wrote.

A reader must not miss: ids are compared under the same key only when both sides carry that key; a value that appears on
both sides is the same record whatever its key. Where neither holds, the record is unknown, not another one.
"""

from __future__ import annotations

from typing import Literal

from agent_claimcheck.evidence.record_ids import record_ids
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

RecordMatch = Literal["same", "other", "unknown"]


def match_record(call: CallPair, probe: Step) -> RecordMatch:
    """Say whether ``probe`` read the record that ``call`` wrote."""
    written = record_ids(call.call.args)
    if call.result is not None:
        written.update(record_ids(call.result.output))
    read = record_ids(probe.output)
    read.update(record_ids(probe.args))
    if not written or not read:
        return "unknown"
    shared = written.keys() & read.keys()
    if any(written[key] != read[key] for key in shared):
        return "other"
    if shared or set(written.values()) & set(read.values()):
        return "same"
    return "unknown"


def probe_identity(probe: Step) -> tuple[tuple[str, str], ...]:
    """Return what tells one probed record from another: its ids, empty when it carries none."""
    ids = record_ids(probe.output)
    ids.update(record_ids(probe.args))
    return tuple(sorted(ids.items()))
