"""A number of the closing text stands in no tool result and in nothing the user said.

What it catches: "The total is 1,240.50" when no result and no request holds that number.
Why it matters: it may have been made up, or worked out, and a reviewer can tell which.
Example: the sum of three listed prices, or a price from nowhere.
Limits: an explanation only. Sums, counts and dates worked out by the agent are ordinary; on real runs it was no sign of
failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_closing
from agent_claimcheck.evidence.values.payload import text_of

ID = "unsupported_number"
POWER: Power = "explain"

_NUMBER = late_pattern(r"\d(?<![\w.,]\d)(?:\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\w)|\d*(?:\.\d+)?(?!\w))")
"""What must not stand before the number is asked after its first digit: so the search jumps from digit to digit."""
_SMALL = 12
"""Smaller whole numbers count things and enumerate lists."""
_LONG = 6
"""Digits from which a number is surely large; Python refuses to read thousands of them."""
_LONGEST = 20_000


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding that names the first such numbers."""
    closing = evidence.closing
    if closing is None:
        return
    said = list(dict.fromkeys(_NUMBER.findall(closing.text[:_LONGEST])))
    said = [number for number in said if "." in number or len(number) > _LONG or int(number.replace(",", "")) > _SMALL]
    if not said:
        return
    unseen = said
    for text in _known_texts(evidence):
        unseen = [number for number in unseen if not _stands_in(number, text)]
        if not unseen:
            return
    reason = f"no result and no request holds {', '.join(unseen[:3])}"
    yield on_closing(ID, POWER, evidence, reason=reason, subject=unseen[0])


def _stands_in(number: str, text: str) -> bool:
    """True for "1,240.50" in a text with 1,240.50, 1240.50 or, as JSON writes it, 1240.5."""
    if number in text:
        return True
    plain = number.replace(",", "")
    if plain in text:
        return True
    short = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return short != plain and re.search(rf"(?<![\d.]){re.escape(short)}(?![\d.]*\d)", text) is not None


def _known_texts(evidence: Evidence) -> Iterator[str]:
    """Yield what the number may come from, the cheap texts first: most numbers are found before the last of them."""
    yield evidence.view.task.instruction
    yield from evidence.user_texts
    for pair in evidence.calls:
        if pair.result is not None:
            yield evidence.output_text(pair.result)
    for pair in evidence.calls:
        yield text_of(pair.call.args)
