"""Reads the fixed ways of saying it in an English sentence: "the issue is fixed", "all tests pass".

A reader must not miss: a phrase is held against the same doubts as a verb, and only where no verb was heard in its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agent_claimcheck.evidence.claims.general_statements import is_general
from agent_claimcheck.evidence.claims.hits import UNSURE, Hit
from agent_claimcheck.evidence.claims.shares import is_no_report
from agent_claimcheck.evidence.claims.verb_denied import is_verb_denied
from agent_claimcheck.evidence.claims.verb_reading import VerbReading, Words
from agent_claimcheck.evidence.claims.verb_unreal import is_unreal
from agent_claimcheck.evidence.claims.vocabulary import English, Phrase

_SURE = 0.85
_FAILURES = frozenset(("failed", "failing", "fail", "fails"))


class Sentence(NamedTuple):
    """A sentence taken apart: its words, where they stand in it, its clauses as ``[first, end)`` of words."""

    said: Words
    spans: list[tuple[int, int]]
    clauses: list[tuple[int, int]]


def read_phrases(
    found: Sequence[tuple[Phrase, re.Match[str]]], sentence: Sentence, verbs: Sequence[Hit], vocabulary: English
) -> tuple[list[Hit], list[str]]:
    """Return the phrases of ``found`` that claim something, and the classes of those that are denied.

    What overlaps a hit of ``verbs``, or an earlier phrase, says the same once more and is passed over.
    """
    hits: list[Hit] = []
    denied: list[str] = []
    for phrase, match in found:
        start, end = match.span("v")
        if any(hit.start < end and start < hit.end for hit in (*verbs, *hits)):
            continue
        first = next((i for i, span in enumerate(sentence.spans) if span[1] > start), 0)
        last = next((i for i, span in enumerate(sentence.spans) if span[1] >= end), first)
        clause = next((pair for pair in sentence.clauses if first < pair[1]), sentence.clauses[-1])
        outcome = _judge(phrase, sentence, (first, last), clause, vocabulary)
        if outcome == "denied":
            denied.append(phrase.verb_class)
        elif outcome == "claimed":
            place = (sentence.spans[clause[0]][0], sentence.spans[clause[1] - 1][1])
            confidence = _SURE if phrase.is_sure else UNSURE
            hits.append(Hit(phrase.verb_class, start, end, "phrase", confidence, place))
    return hits, denied


def _judge(
    phrase: Phrase, sentence: Sentence, stands: tuple[int, int], clause: tuple[int, int], vocabulary: English
) -> str:
    """Return ``claimed``, ``denied``, or ``""`` for neither; ``stands`` are the first and the last word of the phrase."""
    first, last = stands
    words = sentence.said.words
    reading = VerbReading(sentence.said, first, clause, phrase.verb_class)
    # "No longer fails when I run it" tells where, not on what condition.
    tense = "perfect" if phrase.verb_class == "fixed" and not phrase.is_sure else "present"
    reading.frame, reading.tense, reading.at = "phrase", tense, first
    if is_unreal(reading, vocabulary) or is_general(reading, vocabulary):
        return ""
    if not phrase.is_sure and words[0] in vocabulary.sets.conditions_after:
        # "Once you sign, the room is yours."
        return ""
    is_of_tests = phrase.verb_class == "tests_passed"
    if is_of_tests and is_no_report(words, clause[0], first, last, vocabulary.sets.modals):
        return ""
    reading.index = last
    # Only what stands before a phrase that negates by itself can deny it.
    before = words[clause[0] : first]
    if not vocabulary.sets.negators.isdisjoint(before) if phrase.negates else is_verb_denied(reading, vocabulary):
        return "denied"
    # "12 passed, 3 failed" is an account of both, no claim that the tests pass.
    return "" if is_of_tests and not _FAILURES.isdisjoint(words[first:]) else "claimed"
