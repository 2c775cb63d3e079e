"""Claims that count more than the results of their calls count: "deleted 12 files" after ``{"deleted": 3}``.

A reader must not miss: this accuses nobody. A count of a result may be of another kind (files and rows, one page of
several), so such a claim is left open with both numbers, instead of supported.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.receipts.done_counts import done_count, told_count
from agent_claimcheck.evidence.writes import Write

_LEADING = late_pattern(r"(?:all |the )?(\d{1,6}) [a-z]")
"""The object of a claim that begins with how many they are."""


def counts_fewer(claim: SuccessClaim, done: Sequence[Write]) -> str | None:
    """Say that the calls ``done`` count fewer than ``claim``; ``None`` unless every one of them counts its own deed."""
    claimed = _claimed(claim)
    if claimed < 2:
        return None
    told = 0
    for write in done:
        counted = _counted(write)
        if counted is None or not class_covers(claim.verb_class or claim.type, write.effect):
            return None
        told += counted
    if not done or told >= claimed:
        return None
    return f"the claim counts {claimed}, {done[-1].pair.call.name} counted {told}"


def _counted(write: Write) -> int | None:
    body = write.receipt.parsed
    if isinstance(body, dict):
        counted = done_count(body)
        return None if counted is None else counted[1]
    text = write.pair.result.output if write.pair.result is not None else None
    return told_count(text) if isinstance(text, str) else None


def _claimed(claim: SuccessClaim) -> int:
    count = claim.values.get("count")
    if isinstance(count, int) and not isinstance(count, bool):
        return count
    told = claim.values.get("object")
    leading = _LEADING.match(told) if isinstance(told, str) else None
    return int(leading[1]) if leading is not None else 0
