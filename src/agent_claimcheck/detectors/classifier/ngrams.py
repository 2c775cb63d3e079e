"""The text model: hashed words of what was said, and tool names with their status, weighed by a logistic regression.

A reader must not miss: it learns wording, so it is for users with labels of their own workflows. It says nothing about
runs of other agents, and what the agent says moves it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Annotated
from zlib import crc32

from msgspec import Meta, Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.evidence.case import Evidence

BITS = 14
_WORD = re.compile(r"[^\W\d_]{2,30}|\d+")
_MOST_WORDS = 3_000
"""Words read per run, the last ones: what was said at the end matters most."""
_MOST_CALLS = 400


class TextModel(Struct, frozen=True, kw_only=True, tag="text", tag_field="kind"):
    """Weights of hashed terms; ``weights`` maps the slot (as text, 0 to ``2**bits - 1``) to its weight in log-odds."""

    bits: Annotated[int, Meta(ge=4, le=22)]
    weights: dict[str, float]
    intercept: float

    def check(self, n_features: int) -> None:
        """Raise ``InputError`` for a slot outside the table."""
        for slot in self.weights:
            if not slot.isdecimal() or int(slot) >= 1 << self.bits:
                raise InputError(f"slot {slot[:20]!r} of the text model is outside its table", slug="artifact")

    def log_odds(self, terms: dict[int, float]) -> float:
        """Return the log-odds of success for the term values of ``term_values``."""
        weights = self.weights
        return self.intercept + sum(weights.get(str(slot), 0.0) * value for slot, value in terms.items())


def terms_of(evidence: Evidence) -> list[str]:
    """Return the terms of one run: words and pairs of words that were said, digits as ``0``, and ``tool:status``."""
    said = " \n ".join(message.text for message in evidence.messages)
    words = ["0" if word.isdigit() else word for word in _WORD.findall(said.lower()[-40_000:])][-_MOST_WORDS:]
    pairs = [f"{one} {two}" for one, two in pairwise(words)]
    calls = [f"call:{pair.call.name}:{evidence.receipt(pair).state}" for pair in evidence.calls[-_MOST_CALLS:]]
    return [*words, *pairs, *calls]


def slot_of(term: str, bits: int) -> int:
    """Return the slot of a term. CRC-32 is the same on every platform."""
    return crc32(term.encode("utf-8", "surrogatepass")) & ((1 << bits) - 1)


def term_values(evidence: Evidence, bits: int = BITS) -> dict[int, float]:
    """Return the value of each slot: ``1 + ln(count)``, scaled so that their squares add up to 1."""
    counts = Counter(slot_of(term, bits) for term in terms_of(evidence))
    values = {slot: 1.0 + math.log(count) for slot, count in counts.items()}
    length = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {slot: value / length for slot, value in values.items()}


def term_contributions(model: TextModel, evidence: Evidence, most: int = 10) -> list[tuple[str, float]]:
    """Return the terms that move the score most, with what they add to the log-odds, the largest first."""
    values = term_values(evidence, model.bits)
    named: dict[int, str] = {}
    for term in terms_of(evidence):
        named.setdefault(slot_of(term, model.bits), term)
    found = [(named[slot], model.weights.get(str(slot), 0.0) * value) for slot, value in values.items()]
    return sorted((row for row in found if row[1]), key=lambda row: (-abs(row[1]), row[0]))[:most]
