"""The run ends on a promise, and nothing follows.

What it catches: "I've created the event. I'll now send the invitation." is the last message; no call comes after it.
Why it matters: the user reads it as done, or as being done.
Example: the agent reports one half as done, announces the other and stops.
Limits: the user may have ended the talk; for review. What is offered for the case that the user does something first ("message me
and I'll look it up") is no promise. A run that claims nothing beside its promise is ``skipped`` without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_closing

ID = "promise_not_executed"
POWER: Power = "review"

_OPENING_OF = {
    "'ll": "I'll", "’ll": "I’ll", "ill": "I will|next,? Ill", "let me": "let me",
    "going to": "I(?: am|['’]m) going to",
}  # fmt: skip
"""Words that stand in the opening of a promise, and its pattern. Most closing messages hold none of the words."""
_PROMISE = late_pattern(
    rf"\b(?:{'|'.join(_OPENING_OF.values())})\s+"
    r"(?:now\s+|then\s+|go ahead and\s+|proceed to\s+)?"
    r"(?:send|book|create|update|cancel|delete|transfer|process|submit|add|make|run|fix|schedule|search|check|look|find|get)\b",
    re.IGNORECASE,
)
_OFFERS = late_pattern(
    r"\b(?:if|unless|whenever|next time|should you|(?:once|when|until|as soon as) you|let me know|"
    r"(?:message|tell|ask|write|contact|ping|text|email) me|(?:reply|respond|confirm|say)\b[^.!?\n]{0,40}\band)\b[^.!?\n]*$",
    re.IGNORECASE,
)
"""Before a promise in its sentence: what the user would have to do first."""
_IS_OFFERED = late_pattern(r"[^.!?\n]{0,80}\b(?:if|unless|(?:once|when|as soon as) you|whenever)\b", re.IGNORECASE)
_TAIL = 300


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the closing message."""
    closing = evidence.closing
    if closing is None:
        return
    tail = closing.text[-_TAIL:]
    low = evidence.closing_low[-_TAIL:]
    for words in _OPENING_OF:
        if words in low:
            break
    else:
        return
    if all(_is_offer(tail, found) for found in _PROMISE.finditer(tail)) or closing.text.rstrip().endswith("?"):
        return
    if closing.step is not None and any(pair.call.i > closing.step for pair in evidence.calls):
        return
    reason = "the run ends on something the agent says it will do, and no call follows"
    yield on_closing(ID, POWER, evidence, reason=reason, quote=tail.strip()[:160])


def _is_offer(text: str, found: re.Match[str]) -> bool:
    """True when the promise holds only after the user has done something."""
    return _OFFERS.search(text, 0, found.start()) is not None or _IS_OFFERED.match(text, found.end()) is not None
