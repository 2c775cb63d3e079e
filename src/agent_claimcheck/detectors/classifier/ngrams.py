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
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.detectors.classifier.scorer import Added, largest_of
from agent_claimcheck.evidence.case import Evidence

BITS = 14
_WORD = re.compile(r"[^\W\d_]{2,30}|\d+")
_MOST_WORDS = 3_000
"""Words read per run, the last ones: what was said at the end matters most."""
_MOST_CALLS = 400
_SAID, _CALL = "said:", "call:"
_TOOL_CHARS = 100


class TextModel(Struct, frozen=True, kw_only=True, tag="text", tag_field="kind"):
    """Weights of hashed terms; ``weights`` maps the slot (as text, 0 to ``2**bits - 1``) to its weight in log-odds."""

    bits: Annotated[int, Meta(ge=4, le=22)]
    weights: dict[str, float]
    intercept: float

    def check(self, n_features: int, path: str = "$.model") -> None:
        """Raise ``InputError`` for a slot outside the table."""
        for slot in self.weights:
            if not slot.isdecimal() or int(slot) >= 1 << self.bits:
                raise InputError(f"{path}.weights: slot {slot[:20]!r} is outside the table", slug="artifact")

    def log_odds(self, terms: dict[int, float]) -> float:
        """Return the log-odds of success for the term values of ``term_values``."""
        weights = self.weights
        return self.intercept + sum(weights.get(str(slot), 0.0) * value for slot, value in terms.items())


def _terms_of(evidence: Evidence) -> list[str]:
    """Return the terms of one run: words and pairs of words that were said, digits as ``0``, and ``tool:status``."""
    said = " \n ".join(message.text for message in evidence.messages)
    words = ["0" if word.isdigit() else word for word in _WORD.findall(said.lower()[-40_000:])][-_MOST_WORDS:]
    pairs = [f"{one} {two}" for one, two in pairwise(words)]
    calls = [f"{_CALL}{pair.call.name}:{evidence.receipt(pair).state}" for pair in evidence.calls[-_MOST_CALLS:]]
    return [*words, *pairs, *calls]


def slot_of(term: str, bits: int) -> int:
    """Return the slot of a term. CRC-32 is the same on every platform."""
    return crc32(term.encode("utf-8", "surrogatepass")) & ((1 << bits) - 1)


def term_values(evidence: Evidence, bits: int = BITS) -> dict[int, float]:
    """Return the value of each slot: ``1 + ln(count)``, scaled so that their squares add up to 1."""
    return _values(Counter(slot_of(term, bits) for term in _terms_of(evidence)))


def _values(counts: Counter[int]) -> dict[int, float]:
    values = {slot: 1.0 + math.log(count) for slot, count in counts.items()}
    length = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {slot: value / length for slot, value in values.items()}


def read_text(model: TextModel, evidence: Evidence) -> tuple[float, Added]:
    """Return the log-odds of success and the terms that move them most.

    A term is named ``said:WORDS`` or ``call:TOOL:STATUS``; of terms that share a slot the first one names it.
    """
    counts: Counter[int] = Counter()
    named: dict[int, str] = {}
    for term in _terms_of(evidence):
        slot = slot_of(term, model.bits)
        counts[slot] += 1
        named.setdefault(slot, term)
    values = _values(counts)
    weights = model.weights
    added = [(named[slot], weights[str(slot)] * value) for slot, value in values.items() if str(slot) in weights]
    return model.log_odds(values), [(_name_of(term), value) for term, value in largest_of(added)]


def _name_of(term: str) -> str:
    if not term.startswith(_CALL):
        return f"{_SAID}{term}"
    tool, _, state = term.removeprefix(_CALL).rpartition(":")
    return f"{_CALL}{shorten(printable(tool), _TOOL_CHARS)}:{state}"


def term_in_words(name: str) -> str | None:
    """Return what a term named by ``read_text`` says to a reviewer; ``None`` for other names."""
    if name.startswith(_SAID):
        return f'"{name.removeprefix(_SAID)}" was said'
    if name.startswith(_CALL):
        tool, _, state = name.removeprefix(_CALL).rpartition(":")
        return f"a result of {tool} reads as {state}"
    return None
