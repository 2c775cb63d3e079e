"""The last call of the run failed.

What it catches: a run that claims success after its last tool call returned an error.
Why it matters: it is the first thing a reviewer asks.
Example: the booking worked, and the call that would have read it back timed out.
Limits: an explanation only. On real runs a failed last call was no sign of a failed task: agents recover, and many last
calls are not needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call

ID = "last_error"
POWER: Power = "explain"


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last call."""
    last = evidence.calls[-1]
    receipt = evidence.receipt(last)
    if receipt.state != "failed":
        return
    yield on_call(ID, POWER, last, evidence, reason=f"the last call failed: {receipt.reason[:100]}")
