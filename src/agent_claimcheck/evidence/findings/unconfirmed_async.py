"""A job was only accepted, nobody looked whether it finished, and it is reported as done.

What it catches: the call returns 202 or ``queued``, no later call asks for it, "The export is complete."
Why it matters: accepted is not done; jobs fail after they were accepted.
Example: ``start_refund`` answers ``{"status": "pending"}``, the closing text says the refund has been issued.
Limits: many services accept and always finish, so this is for review; one later read of any kind on that record silences it,
and so does a closing message that says it waits ("has been queued").
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.targets import same_target

ID = "unconfirmed_async"
POWER: Power = "review"

_SAYS_IT_WAITS = late_pattern(
    r"\b(?:queued?|pending|in progress|being processed|under ?way|still (?:running|processing|waiting)"
    r"|(?:not|n['’]t)(?: \w+){0,2} (?:finish|complet|confirm|done|seen)\w*|(?:once|when|until|as soon as) it (?:is|has|finishes|completes)"
    r"|has been accepted|will (?:be (?:ready|available|complete|done|processed)|take|finish))\b"
)
"""What is said of a job that nobody calls done."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding: the last write that was only accepted."""
    last = evidence.sorted_writes.waiting[-1]
    if any(evidence.positions[probe.i] > evidence.positions[last.step] for probe in evidence.probes):
        return
    for pair in evidence.calls:
        if (
            pair.call.i > last.pair.call.i
            and same_target(evidence.effect(pair).target, last.effect.target) is not False
        ):
            return
    if _SAYS_IT_WAITS.search(evidence.closing_low):
        return
    reason = f"the call was accepted and never confirmed: {last.receipt.reason}"
    yield on_call(ID, POWER, last.pair, evidence, reason=reason)
