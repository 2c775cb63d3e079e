"""The request names a kind of action that no call of the run performed.

What it catches: "Find the notes and mail them to Odile": the notes were read, no mail tool was called, "All done."
Why it matters: half of a request is easily dropped without a word.
Example: a hotel was recommended, the calendar entry that was also asked for is missing.
Limits: single-turn requests, plain imperatives only; sentences with a condition or a choice are skipped. The agent may
have had a good reason, so this goes to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.writes import candidates, discloses_trouble

ID = "action_never_performed"
POWER: Power = "review"

_ASKED = re.compile(
    r"(?:^|[.!?;:,]\s+|\b(?:and|then|also|please|to|can you|could you)\s+)"
    r"(?P<verb>send|e-?mail|book|reserve|create|schedule|cancel|delete|remove|invite|transfer|pay|post|share|reschedule)\b"
    r"(?!\w)(?P<rest>[^.!?;\n]{0,120})",
    re.IGNORECASE,
)
_CLASS = {
    "send": "sent", "email": "sent", "e-mail": "sent", "book": "booked", "reserve": "booked", "create": "created",
    "schedule": "scheduled", "cancel": "cancelled", "delete": "deleted", "remove": "deleted", "invite": "invited",
    "transfer": "paid", "pay": "paid", "post": "posted", "share": "shared", "reschedule": "rescheduled",
}  # fmt: skip
_CHOICE = re.compile(
    r"\b(?:if|unless|otherwise|instead|or|whether|when|in case|how to|able to|want to|going to)\b", re.IGNORECASE
)
_READ = 4000
"""Characters of the request that are read."""
_MESSAGE_ONLY = re.compile(r"\b(?:me|summary|list|table|reply|answer)\b", re.IGNORECASE)


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per requested kind of action that is missing."""
    if (
        evidence.is_shell_run
        or len(evidence.user_texts) > 1
        or not evidence.success_claims
        or not evidence.is_closed_world
    ):
        return
    if not _may_miss_one(evidence):
        return
    text = evidence.view.task.instruction[:_READ]
    seen: set[str] = set()
    for match in _ASKED.finditer(text):
        verb = match["verb"].lower()
        wanted = _CLASS[verb]
        sentence = _sentence(evidence.view.task.instruction, match.start())
        if wanted in seen or _CHOICE.search(sentence) or _MESSAGE_ONLY.search(match["rest"][:25]):
            continue
        seen.add(wanted)
        asked = SuccessClaim(type=wanted, verb_class=wanted, quote=match[0])
        if candidates(evidence.writes, asked) or discloses_trouble(evidence, -1):
            continue
        yield Finding(
            id=ID,
            power=POWER,
            severity="warn",
            subject=verb,
            reason=f"the request asks to {verb}{match['rest'][:60].rstrip()}; no call could have done it",
            steps=(evidence.calls[-1].call.i,),
            claim=evidence.success_claims[-1][0],
        )


def _may_miss_one(evidence: Evidence) -> bool:
    """False when every kind of action that the request has a word for is covered by some write, which is the rule."""
    text = evidence.instruction_low[:_READ]
    wanted = {wanted for verb, wanted in _CLASS.items() if verb in text}
    return any(not candidates(evidence.writes, SuccessClaim(type=one, verb_class=one)) for one in wanted)


def _sentence(text: str, at: int) -> str:
    start = max(text.rfind(mark, 0, at + 1) for mark in (". ", "! ", "? ", "\n")) + 1
    ends = [end for mark in (". ", "! ", "? ", "\n") if (end := text.find(mark, at + 1)) >= 0]
    return text[start : min(ends, default=len(text))]
