"""The amounts of money in what the agent says, and what it says of them.

A reader must not miss: a clause is read only when it holds one amount, and none when it hedges.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.money.booked import CENT

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_MONEY = late_pattern(
    r"(?:(?<![\w$€£])[-+−–]?(?:US)?[$€£]\s?|\b(?:usd|eur|gbp)\s)(?P<first>\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,2})?)(?![\d%]|[.,]\d|\s?[kmb]\b)"
    r"|(?<![\w.,$€£-])(?P<last>\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,2})?)\s?(?:usd|eur|gbp|euros?|dollars|pounds|[€£](?!\s?\d))",
    re.IGNORECASE,
)
_CLAUSE = late_pattern(
    r"[\n\\.;!?\s](?:(?:(?<=\n)|(?<=\\)n)(?:\n|\\n)*|(?<=[\w)%*][.;!?])\s+|(?<=\s)[-–—]{1,2}\s(?=[A-Z*]))"
)
"""Each way to end a clause stands behind its first character, so the engine jumps from one such character to the next."""
_MOVES = ("refund", "reimburse", "paid back", "charge", "debited", "deducted", "additional")
"""What stands in every clause that tells of money paid back or charged."""
_PAID_BACK = late_pattern(r"\b(?:refund(?:s|ed|ing)?|reimburse[ds]?|paid back)\b", re.IGNORECASE)
_CHARGED = late_pattern(r"\b(?:charged?|debited|deducted|additional (?:cost|charge|payment|amount))\b", re.IGNORECASE)
_PAID = late_pattern(
    r"\b(?:additional|extra) (?:cost|charge|amount|payment)s?\b[^.\n]{0,40}\b(?:has|have|was|were) (?:been )?"
    r"(?:covered|charged|paid|processed|deducted|debited)\b|"
    r"\bpayment\b[^.\n]{0,40}\b(?:has|was) (?:been )?(?:successfully )?(?:processed|charged|made|taken|deducted)\b",
    re.IGNORECASE,
)
_HEDGES = late_pattern(
    r"\b(?:would|could|should|can|if|may|might|once you|up to|per|each|every|about|approximately|around|roughly|before|after|minus|less|"
    r"plus|fees?|tax(?:es)?|deposit|estimated?|originally|original (?:total|price|charge|cost|amount|order)|previous(?:ly)?|earlier|"
    r"instead of|rather than|not|no|never|n't|maximum|minimum|at least|at most|partial(?:ly)?|part|balance|limit|total|of which|"
    r"to proceed)\b|[=?+×]",
    re.IGNORECASE,
)
_TOTAL = late_pattern(r"\b(?:total(?:s|ing|ling|led|ed)?|in all|altogether|combined)\b", re.IGNORECASE)
_NOUNS = ("refund", "charge", "payment", "fee", "discount", "donation", "deposit", "invoice", "saving")
_OTHER_MONEY = late_pattern(
    r"\b(?:tax(?:es)?|vat|fees?|discount(?:ed|s)?|tips?|surcharge|interest|convert\w*|exchange rate|rounded|rounding)\b",
    re.IGNORECASE,
)
"""What may lie in a total and in none of the amounts beside it."""
_OTHER_SCOPE = late_pattern(
    r"\b(?:approximately|about|around|estimated?|so far|to date|this (?:year|month|week)|since|already|earlier|previous(?:ly)?|other|"
    r"including|incl|includes|with)\b",
    re.IGNORECASE,
)
_SEVERAL = late_pattern(r"\bx\s?\d|\d\s?x\b|×|\b(?:each|per|every|qty|quantity)\b", re.IGNORECASE)
_ID = late_pattern(r"#\w{3,40}|\b(?=[A-Z0-9-]{5,40}\b)[A-Z]{1,8}-?\d[A-Z0-9-]{2,}\b")
_SIGN_OF = {"$": "usd", "€": "eur", "£": "gbp"}
_LARGEST_SLIP = 0.05
"""Share of the sum by which a total may be off; what is further off may count in things that are not told."""
_NUMBER = late_pattern(r"(?<![\w.,])\d{1,12}(?:\.\d{1,6})?(?![\w]|[.,]\d)")
_LONGEST = 20_000
_MOST_TOLD = 12
_FEWEST_PARTS = 2
_LONGEST_RESULTS = 400_000


class Said(Struct, frozen=True):
    """One amount that a clause says was paid back (``is_back``) or charged."""

    amount: float
    is_back: bool
    line: str

    def is_amount(self, other: float) -> bool:
        """True when it is the same amount, whatever its sign."""
        return abs(self.amount - abs(other)) < CENT

    def may_be_of(self, record: str, currency: str) -> bool:
        """True when the clause names no other record and no other currency."""
        if any(found.lstrip("#").lower() != record.lstrip("#").lower() for found in _ID.findall(self.line)):
            return False
        return (
            not currency
            or currency in self.line.lower()
            or any(_SIGN_OF[sign] == currency for sign in _SIGN_OF if sign in self.line)
        )


class WrongTotal(Struct, frozen=True):
    """A total that the amounts told beside it do not give, with the steps that show these amounts."""

    reason: str
    line: str
    steps: tuple[int, ...]


def amounts_in(text: str) -> list[float]:
    """Return the amounts of money in a text, in order."""
    return [float((m["first"] or m["last"]).replace(",", "")) for m in _MONEY.finditer(text[:_LONGEST])]


def said_moved(text: str) -> Iterator[Said]:
    """Yield the amounts that a text says have gone to or from the customer, one a clause, without hedges."""
    for line in _CLAUSE.split(text[:_LONGEST]):
        low = line.lower()
        if not any(word in low for word in _MOVES):
            continue
        amounts = amounts_in(line)
        if len(amounts) != 1 or _HEDGES.search(line):
            continue
        is_back, is_out = _PAID_BACK.search(line) is not None, _CHARGED.search(line) is not None
        if is_back != is_out:
            yield Said(amounts[0], is_back, line.strip())


def said_paid(text: str) -> str | None:
    """Return the clause that says, without an amount, that something was paid, in a text that speaks of no money paid back."""
    text = text[:_LONGEST]
    if not _PAID.search(text) or _PAID_BACK.search(text):
        return None
    return next(
        (
            line.strip()
            for line in _CLAUSE.split(text)
            if _PAID.search(line) and not amounts_in(line) and not _HEDGES.search(line)
        ),
        None,
    )


def wrong_total(evidence: Evidence) -> WrongTotal | None:
    """Return the total in the closing message that contradicts the amounts of the same name told in it."""
    low = evidence.closing_low
    if "total" not in low and "in all" not in low and "altogether" not in low and "combined" not in low:
        return None
    if evidence.closing is None:
        return None
    text = evidence.closing.text[:_LONGEST]
    told = amounts_in(text)
    if not _FEWEST_PARTS < len(told) <= _MOST_TOLD:
        return None
    lines = [(line, amounts_in(line)) for line in _CLAUSE.split(text)]
    for noun in _NOUNS:
        named = [(line, amounts) for line, amounts in lines if len(amounts) == 1 and noun in line.lower()]
        parts = [amounts[0] for line, amounts in named if not _TOTAL.search(line)]
        totals = [(line, amounts[0]) for line, amounts in named if _TOTAL.search(line)]
        if len(parts) < _FEWEST_PARTS or len(totals) != 1:
            continue
        if (
            _OTHER_MONEY.search(text)
            or any(_OTHER_SCOPE.search(line) for line, _ in named)
            or sum(sign in text for sign in _SIGN_OF) > 1
            or any(_SEVERAL.search(line) for line, _ in named)
        ):
            return None
        line, total = totals[0]
        others = list(told)
        others.remove(total)
        if _can_give(total, others) or not CENT * len(parts) < abs(total - sum(parts)) <= _LARGEST_SLIP * sum(parts):
            continue
        steps = _steps_that_show(parts, total, evidence)
        if steps is not None:
            shown = " + ".join(f"{part:g}" for part in parts)
            return WrongTotal(f"the total is told as {total:g}; {shown} is {sum(parts):.2f}", line.strip(), steps)
    return None


def _can_give(total: float, told: Sequence[float]) -> bool:
    """True when some of the told amounts, or all but one of them, give the total, rounded to whole numbers or not."""
    room = 1.0 if total == int(total) else CENT
    sums = [0.0]
    for amount in told:
        sums += [known + amount for known in sums]
    if any(abs(known - total) < room for known in sums[1:]):
        return True
    return any(abs(known - less - total) < room for less in told for known in sums[1:])


def _steps_that_show(parts: Sequence[float], total: float, evidence: Evidence) -> tuple[int, ...] | None:
    """Return the steps of the results that hold the parts; ``None`` when one is in none, or the total in some."""
    steps: dict[float, int] = {}
    left = _LONGEST_RESULTS
    for pair in evidence.calls:
        if pair.result is None or left <= 0:
            continue
        text = evidence.output_text(pair.result)[:left]
        left -= len(text)
        numbers = {round(float(found[0]), 2) for found in _NUMBER.finditer(text)}
        if round(total, 2) in numbers or round(abs(total - sum(parts)), 2) in numbers:
            return None
        steps.update({part: pair.result.i for part in parts if round(part, 2) in numbers})
    if len(steps) < len(set(parts)):
        return None
    return tuple(itertools.islice(sorted(set(steps.values())), 4))
