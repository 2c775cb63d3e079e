"""Which record a probe read, compared with the record a call wrote.

A reader must not miss: ids are compared under the same key only when both sides carry that key; a value that appears on
both sides is the same record whatever its key. Where neither holds, the record is unknown, not another one.
"""

from __future__ import annotations

from typing import Any, Literal

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import CallPair

RecordMatch = Literal["same", "other", "unknown"]


def match_record(call: CallPair, probe: Step, evidence: Evidence) -> RecordMatch:
    """Say whether ``probe`` read the record that ``call`` wrote."""
    written = evidence.argument_ids(call.call)
    if call.result is not None:
        written = _joined(written, evidence.output_ids(call.result))
    read = _ids_of(probe, evidence)
    if not written or not read:
        return "unknown"
    has_shared = False
    returned = evidence.output_ids(probe)
    for key, value in written.items():
        seen = read.get(key)
        if seen is not None:
            has_shared = True
            # It read another record, or it was asked for this one and answered with another.
            if seen != value or returned.get(key, value) != value:
                return "other"
    if has_shared or not set(written.values()).isdisjoint(read.values()):
        return "same"
    return "unknown"


def is_asked_alike(call: Step, probe: Step, evidence: Evidence) -> bool | None:
    """Say whether ``probe`` was asked for what ``call`` was told: ``room: 414`` and ``room: 412`` are two.

    For records that are known by no id. ``None`` where the two share no plain argument, or cannot be compared.
    """
    asked, told = probe.args or {}, call.args or {}
    agreed = None
    for key, value in asked.items():
        if key not in told or not _is_plain(value) or not _is_plain(told[key]):
            continue
        compared = compare(told[key], value, context=evidence.zones)
        if compared == "different":
            return False
        agreed = True if compared == "equal" else agreed
    return agreed


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def probe_identity(probe: Step, evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Return what tells one probed record from another: its ids, empty when it carries none."""
    return tuple(sorted(_ids_of(probe, evidence).items()))


def _ids_of(probe: Step, evidence: Evidence) -> dict[str, str]:
    return _joined(evidence.output_ids(probe), evidence.argument_ids(probe))


def _joined(ids: dict[str, str], over: dict[str, str]) -> dict[str, str]:
    """Return both, ``over`` winning; not to be changed, for it may be one of the two."""
    if not ids:
        return over
    return {**ids, **over} if over else ids
