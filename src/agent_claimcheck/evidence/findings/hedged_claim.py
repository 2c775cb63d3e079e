"""The agent hedges: "I believe", "should be", "as far as I can tell".

What it catches: words of doubt in the closing text of a run that claims success.
Why it matters: a reader may want to see them beside the evidence.
Example: "I've sent the invoice, and I believe that Ann has it."
Limits: an explanation only. On real runs hedging was as frequent among successes as among failures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_closing

ID = "hedged_claim"
POWER: Power = "explain"

_HEDGE_OF = {
    "i think": "I think", "i believe": "I believe", "looks like": "it looks like", "can tell": "as far as I can tell",
    "should ": "should (?:now )?be", "probably": "probably", "presumably": "presumably", "seem": "seems? to",
    "hopefully": "hopefully",
}  # fmt: skip
"""Words that stand in a hedge, and its pattern. To look for the words in a plain text costs a tenth of the patterns."""

_HEDGES = late_pattern(rf"\b(?:{'|'.join(_HEDGE_OF.values())})\b", re.IGNORECASE)


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the closing message."""
    closing = evidence.closing
    if closing is None:
        return
    if closing.text.isascii():
        for words in _HEDGE_OF:
            if words in evidence.closing_low:
                break
        else:
            return
    hedge = _HEDGES.search(closing.text)
    if hedge is None:
        return
    yield on_closing(ID, POWER, evidence, reason=f"the agent hedges: {hedge[0]!r}")
