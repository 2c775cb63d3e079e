"""The user named a file or a page, and no call ever reached it, yet success is claimed.

What it catches: "Summarise www.example.test/minutes": only the calendar was read; "Here is your summary, I've sent it."
Why it matters: what is reported about the source cannot come from the source.
Example: the mail names ``landlord-notice.txt``; the agent never opens it and reports the new rent as updated.
Limits: requests made in one turn only. The name must appear in no call and in no tool result, and every named source must
be missing; one that was reached by another way (an id, a search that lists it) silences it. It fired too seldom on real
runs to be allowed to accuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.payload import text_of

ID = "source_never_opened"
POWER: Power = "review"

_URL = re.compile(r"(?:https?://|\bwww\.)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}(?:/[\w./%-]*\w)?", re.IGNORECASE)
_ENDINGS = ("txt", "docx", "doc", "pdf", "xlsx", "csv", "md", "pptx", "html", "json", "yaml", "yml")
_FILE = re.compile(rf"(?<![\w@./-])[\w-]{{2,60}}\.(?:{'|'.join(_ENDINGS)})\b", re.IGNORECASE)
_GLUED = re.compile(r"\.(?:they|the|it|he|she|then|and|please|thanks?|you|we|i|this|that|a|an)$", re.IGNORECASE)
"""A sentence that began without a space after the address ("www.site.com.They ...")."""

_SIGNS = ("://", "www.", *(f".{ending}" for ending in _ENDINGS))
"""Every address or file that is looked for holds one of these."""

_MOST = 5


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding, on the last success claim."""
    low = evidence.instruction_low
    if not any(sign in low for sign in _SIGNS):
        return
    named = _named(evidence.view.task.instruction)
    if not named or len(named) > _MOST:
        return
    seen = [
        (text_of(step.args) if step.kind == "tool_call" else evidence.output_text(step)).casefold()
        for step in evidence.view.steps
        if step.kind in ("tool_call", "tool_result")
    ]
    if any(name in text for name in named for text in seen):
        return
    index, claim = evidence.success_claims[-1]
    names = sorted(named)
    reason = f"the request names {', '.join(names)}; no call reached it and no result mentions it"
    steps = (evidence.calls[-1].call.i,)
    yield on_claim(ID, POWER, index, claim, reason=reason, steps=steps, subject=names[0])


def _named(text: str) -> set[str]:
    addresses = {_GLUED.sub("", match[0]) for match in _URL.finditer(text)}
    plain = {re.sub(r"^https?://", "", address).casefold().rstrip("/") for address in addresses}
    files = {match[0].casefold() for match in _FILE.finditer(text)}
    return plain | {name for name in files if not any(name in address for address in plain)}
