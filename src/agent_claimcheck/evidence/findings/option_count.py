"""The agent counts options as available that the tool marked as unavailable.

What it catches: a list of nine lamps, seven of them ``available: true``, and "We have 9 lamps available."
Why it matters: the number was the answer.
Example: "there are 12 sizes available" where two are sold out.
Limits: the count must be said together with a word for being available, equal the length of one list of a result whose
entries all carry such a flag, and differ from the number of true flags; a text that names that number too is right, and so
is one whose number is that of the free ones in another list, or in a later look at the same one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import shorten
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import SEVERITY_OF

ID = "option_count"
POWER: Power = "accuse"

_COUNTED = late_pattern(
    r"\b(?P<n>\d{1,3})\s+(?!total\b)(?:[\w-]+\s+){0,4}?(?:\(\w+\)\s+)?(?:currently\s+)?(?:available|in stock)\b"
    r"|\bavailable\s+(?:[\w-]+\s+){0,3}?(?:options|variants|items)?\s*(?:is|are|:)\s*(?P<m>\d{1,3})\b",
    re.IGNORECASE,
)
_LATER = late_pattern(r"\W{0,4}(?:next|later|tomorrow|elsewhere|soon|in (?:the )?(?:next|other))\b", re.IGNORECASE)
"""What follows the count where something else is available: another day, another place."""
_FLAGS = frozenset({"available", "in_stock", "instock", "is_available", "availability"})
_DEPTH = 6
_LONGEST_QUOTE = 160


def _unmarked(text: str) -> str:
    """Return ``text`` without marks of emphasis, which stand between a number and its noun."""
    return text.replace("*", "").replace("_", "").replace("`", "")


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per message that counts unavailable options in."""
    spoken = [
        (message, match)
        for message in evidence.messages
        if "available" in message.text or "in stock" in message.text
        for match in _COUNTED.finditer(_unmarked(message.text))
    ]
    if not spoken:
        return
    lists = [
        (pair.result.i, total, free)
        for pair in evidence.calls
        if pair.result is not None
        for total, free in _flagged_lists(evidence.receipt(pair).parsed, 0)
    ]
    for message, match in spoken:
        said = int(match["n"] or match["m"])
        if any(said == free for _, _, free in lists) or _LATER.match(match.string[match.end() :]) is not None:
            continue
        for step, total, free in lists:
            if said != total or free == total or re.search(rf"\b{free}\b", message.text):
                continue
            claim = evidence.last_claim[0] if evidence.success_claims else None
            yield Finding(
                id=ID,
                power=POWER,
                severity=SEVERITY_OF[POWER],
                subject=match[0][:60],
                reason=f"the message calls {said} available; the result lists {total}, and {free} of them are available",
                evidence=_quote(message.text, match[0]),
                steps=tuple(i for i in (step, message.step) if i is not None),
                claim=claim,
            )
            return


def _quote(text: str, counted: str) -> str:
    """Return the line of the message that holds the words ``counted``."""
    line = next((line for line in text.splitlines() if counted in _unmarked(line)), counted)
    return shorten(line.strip(), _LONGEST_QUOTE)


def _flagged_lists(value: Any, depth: int) -> Iterator[tuple[int, int]]:
    if depth > _DEPTH or not isinstance(value, dict | list):
        return
    children = list(value.values()) if isinstance(value, dict) else value
    flags = [_flag_of(child) for child in children]
    if len(children) > 1 and all(flag is not None for flag in flags):
        yield len(flags), sum(1 for flag in flags if flag)
    for child in children[:200]:
        yield from _flagged_lists(child, depth + 1)


def _flag_of(entry: Any) -> bool | None:
    if not isinstance(entry, dict):
        return None
    return next((value for key, value in entry.items() if key.lower() in _FLAGS and isinstance(value, bool)), None)
