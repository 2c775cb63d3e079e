"""How sure it is that an accepted verb asserts a deed of the agent in this run.

A reader must not miss: below ``SURE_CLAIM`` a claim is looked at and never held against the agent, so what may as well tell
of a record, a program or a consequence stays below it.
"""

from __future__ import annotations

from agent_claimcheck.evidence.claims.contract import SURE_CLAIM
from agent_claimcheck.evidence.claims.general_statements import is_of_this_run, is_tied, tells_a_rule, tells_of_many
from agent_claimcheck.evidence.claims.hits import UNSURE
from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.vocabulary import English

_BEFORE_THIS_RUN = frozenset({"yesterday", "ago", "previously"})
_MADE_READY = frozenset({"prepared"})
""""I have prepared the cancellation; reply yes to confirm": what is ready is not done."""
_PASSED_ON = frozenset({"handed"})
""""Your parcel has been handed over to the carrier" tells of others."""
_LOOKED_AT = frozenset({"the", "your", "this", "that", "it", "its"})
""""Opened the order" may be a look at it, "opened an account" is none."""
_ON_RECORD = frozenset({"upstream", "twice", "historically", "repeatedly"})
""""Support has been dropped upstream" tells what others did."""
_CONSEQUENCE = 0.6
"""Confidence of what follows by itself, such as a mail."""

_IMPERSONAL = 0.7
"""Confidence of a plain passive that may as well explain a program or a record: "the flag was renamed to --strict"."""


def sureness_of(reading: VerbReading, vocabulary: English) -> float:
    """How sure it is that a deed of the agent is asserted, in (0, 1]."""
    sets = vocabulary.sets
    if reading.word in _MADE_READY or (reading.word in _PASSED_ON and reading.frame != "active"):
        return UNSURE
    if reading.word == "opened" and not _LOOKED_AT.isdisjoint(reading.next_words(1)):
        return UNSURE
    if reading.frame == "active":
        if reading.words[reading.at] in ("the", "this"):
            return UNSURE
        # "Yesterday I sent the report" may be told from a record.
        return 0.95 if _BEFORE_THIS_RUN.isdisjoint(reading.distinct) else UNSURE
    near = reading.words[reading.begin : reading.index]
    if not sets.side_effects.isdisjoint(near) and sets.persons.isdisjoint(near):
        return _CONSEQUENCE
    if reading.frame == "passive" and reading.tense == "past" and reading.word in sets.soft_news:
        return 0.9 if "successfully" in reading.flags else UNSURE
    if reading.frame == "perfect":
        if "successfully" in reading.flags:
            return 0.95
        if not _ON_RECORD.isdisjoint(reading.distinct):
            return UNSURE
        is_impersonal = reading.word in vocabulary.state_like and not is_tied(reading, vocabulary)
        return _IMPERSONAL if is_impersonal or tells_of_many(reading, vocabulary) else 0.9
    if reading.frame == "passive":
        if "successfully" in reading.flags:
            return 0.9
        if _tells_no_place(reading):
            return UNSURE
        if is_of_this_run(reading, vocabulary):
            return SURE_CLAIM
        return UNSURE if tells_a_rule(reading, vocabulary) else _IMPERSONAL
    is_state_like = reading.word in vocabulary.state_like
    if reading.is_ticked or reading.at < reading.begin:
        return 0.65 if is_state_like else 0.85
    return 0.62 if is_state_like else 0.7


def _tells_no_place(reading: VerbReading) -> bool:
    """True for "all slots are booked", by which as often none is left."""
    words = reading.words[reading.begin : reading.index]
    return reading.verb_class == "booked" and len(words) == 3 and words[0] == "all" and words[2] == "are"
