"""Tells whether somebody else is named as the doer: "was fixed by Ana" is no deed of the agent.

A reader must not miss: only capitals tell a name from a means ("by adding a check", "by e-mail"), and days, months and
carriers have capitals too. In doubt the claim stays.
"""

from __future__ import annotations

from agent_claimcheck.core.late_pattern import late_pattern

_BY_NAME = late_pattern(
    r"\bby (?!(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|Visa|Master[Cc]ard|Amex|American|Pay[Pp]al|Apple|Google|Fed[Ee]x|Stripe|Email|Christmas|Easter|Claude|I)\b)"
    r"@?[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}(?=\s*(?:$|[,;.(]| on\b| in\b| at\b| and\b| last\b| yesterday\b))"
)
_BY_OTHERS = late_pattern(
    r"\bby (?:another|others?|some(?:one|body)\b|(?:the|an?) (?!(?:\w+ )?(?:end|start|beginning|close|deadline|time|date|day|week"
    r"|month|year|hour|minute|way|agent|assistant)\b)[a-z])"
)
"""Doers without a name, as distinct from times: "by the tennis club", not "by the deadline"."""
_TOO_LATE = late_pattern(r"^[^.;!?]{0,80}?\bbefore (?:I|we) (?:could|got|had|even|was able)\b")
"""What was so before the agent came to it."""
_LONGEST = 300


def names_doer(after: str) -> bool:
    """True when the words ``after`` a passive verb name a person who did it, or say that it was so before the agent came."""
    if " before " in after[:_LONGEST] and _TOO_LATE.search(after[:_LONGEST]):
        return True
    return " by " in after[:_LONGEST] and _BY_NAME.search(after[:_LONGEST]) is not None


def may_name_doer(after: str) -> bool:
    """True when the words ``after`` a passive verb may name somebody without a name: "is reserved by the tennis club"."""
    return " by " in after[:_LONGEST] and _BY_OTHERS.search(after[:_LONGEST]) is not None
