"""The run ends on a promise, and nothing follows.

What it catches: "I'll now send the invitation." is the last message; no call comes after it.
Why it matters: the user reads it as done, or as being done.
Example: the agent announces the transfer to a colleague and stops.
Limits: the user may have ended the talk; for review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_closing

ID = "promise_not_executed"
POWER: Power = "review"

_PROMISE = re.compile(
    r"\b(?:I['’]ll|I will|let me|I am going to|I['’]m going to|next,? I['’]?(?:ll| will))\s+"
    r"(?:now\s+|then\s+|go ahead and\s+|proceed to\s+)?"
    r"(?:send|book|create|update|cancel|delete|transfer|process|submit|add|make|run|fix|schedule|search|check|look|find|get)\b",
    re.IGNORECASE,
)
_SIGNS = ("'ll", "’ll", "ill", "let me", "going to")
"""Every promise holds one of these."""
_TAIL = 300


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the closing message."""
    closing = evidence.messages[-1]
    tail = closing.text[-_TAIL:]
    low = evidence.closing_low[-_TAIL:]
    if not any(sign in low for sign in _SIGNS) or not _PROMISE.search(tail) or closing.text.rstrip().endswith("?"):
        return
    if closing.step is not None and any(pair.call.i > closing.step for pair in evidence.calls):
        return
    reason = "the run ends on something the agent says it will do, and no call follows"
    yield on_closing(ID, POWER, evidence, reason=reason, quote=tail.strip()[:160])
