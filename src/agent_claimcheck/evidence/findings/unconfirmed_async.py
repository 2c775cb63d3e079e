"""A job was only accepted, nobody looked whether it finished, and it is reported as done.

What it catches: the call returns 202 or ``queued``, no later call asks for it, "The export is complete."
Why it matters: accepted is not done; jobs fail after they were accepted.
Example: ``start_refund`` answers ``{"status": "pending"}``, the closing text says the refund was made.
Limits: many services accept and always finish, so this is for review; one later read of any kind on that record silences it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.targets import same_target

ID = "unconfirmed_async"
POWER: Power = "review"


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding: the last write that was only accepted."""
    last = evidence.sorted_writes.waiting[-1]
    for pair in evidence.calls:
        if (
            pair.call.i > last.pair.call.i
            and same_target(evidence.effect(pair).target, last.effect.target) is not False
        ):
            return
    if any(evidence.positions[probe.i] > evidence.positions[last.step] for probe in evidence.probes):
        return
    reason = f"the call was accepted and never confirmed: {last.receipt.reason}"
    yield on_call(ID, POWER, last.pair, evidence, reason=reason)
