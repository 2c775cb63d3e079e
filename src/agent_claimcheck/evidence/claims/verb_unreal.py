"""Whether it is left open that a deed happened: plans, questions, conditions, reasons and hearsay.

A reader must not miss: each word that opens a plan has readings that do not ("may" the month, "the room you wanted"), and
those are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent_claimcheck.evidence.claims.verb_denied import denies_earlier_verb
from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.vocabulary import English

_OF_THINGS = frozenset({"with", "for", "of", "on", "in"})
_WHICH_ONE = frozenset(("expected", "reported", "claimed", "mentioned", "noticed", "unlikely", "likely"))
_FOUND_IN = frozenset(("in", "by", "on", "here", "above", "under", "as"))
_ASKED = frozenset(
    ("requested", "asked", "instructed", "agreed", "discussed", "promised", "wanted", "wished", "directed")
)
_WISHED = frozenset({"asked", "expected", "mentioned", "wanted", "wished"})
_TELLING_THAT = frozenset(("noted", "replied", "wrote", "responded", "printed", "posted", "announced", "added"))
_TELLING = frozenset({"confirm", "inform", "let", "say", "tell"})
_TIME_OPENERS = frozenset(
    ("once", "when", "whenever", "until", "till", "before", "after", "during", "each", "every", "in", "as")
)
_PROCESSES = frozenset(
    ("workflow", "design", "setup", "process", "mode", "default", "practice", "general", "implementation", "case")
)
_OF_ANOTHER_VERB = frozenset(("did", "could", "saw", "see"))
"""Of "did not find it and booked another" these belong to the first verb."""
_EXHIBITS = frozenset(("show", "shows", "showed"))
_FINITE = frozenset(("is", "are", "was", "were", "has", "had"))
"""What no modal verb stands before: "your flight on 9 May has been booked"."""
_BEFORE_MONTHS = frozenset(("in", "on", "for", "of", "since", "until", "from", "by", "during", "early", "late", "mid"))
_AFTER_MODALS = frozenset(
    (
        "have",
        "be",
        "not",
        "no",
        "also",
        "still",
        "well",
        "only",
        "then",
        "now",
        "already",
        "need",
        "take",
        "want",
        "get",
    )
)


def is_unreal(reading: VerbReading, vocabulary: English) -> bool:
    """True for plans, questions, conditions and hearsay: anything that leaves open whether it happened."""
    words, sets, begin, index = reading.words, vocabulary.sets, reading.begin, reading.index
    distinct = reading.distinct
    if words[begin] in sets.checks or not sets.hedges.isdisjoint(distinct) or _opens_unreal(reading, vocabulary):
        return True
    if reading.ending in ("?", "？") and _is_asked(reading, vocabulary):
        return True
    if not sets.conditions.isdisjoint(distinct) and not sets.conditions.isdisjoint(words[:index]):
        return True
    if words[0] in _TIME_OPENERS and reading.tense == "present" and _opens_with_a_time(words) and not reading.is_sure:
        # "Once merged, the branch is deleted" tells what happens then.
        return True
    if reading.frame == "headless" and "policy" in words[:index]:
        return True
    if not _TELLING_THAT.isdisjoint(distinct) and any(
        first in _TELLING_THAT and second == "that" for first, second in pairwise(words[begin:index])
    ):
        return True
    if not vocabulary.unsettling.isdisjoint(distinct) and _is_left_open(reading, vocabulary):
        return True
    if (reading.tense == "present" or reading.frame == "headless") and _has_condition_after(reading, vocabulary):
        return True
    if reading.frame not in ("perfect", "passive"):
        return False
    before = reading.at - 1
    return (before >= begin and words[before] in sets.relatives) or not sets.embedding.isdisjoint(words[begin:index])


def _opens_with_a_time(words: Sequence[str]) -> bool:
    """True for "once merged, ...", "after checkout, ...", "in this workflow ...", not for "after checking it, ..."."""
    if words[0] == "in":
        return not _PROCESSES.isdisjoint(words[1:5])
    if words[:2] == ["as", "soon"]:
        return True
    return words[0] != "as" and not words[1].endswith("ing") and words[1] not in ("again", "of")


def _is_left_open(reading: VerbReading, vocabulary: English) -> bool:
    """True when a word of the clause before the verb makes a plan, a time to come, a reason or hearsay of it."""
    words, sets, begin, index = reading.words, vocabulary.sets, reading.begin, reading.index
    for position in range(begin, index):
        word = words[position]
        if word in vocabulary.unsettling and _is_thing(reading, vocabulary, position):
            continue
        if word in _OF_ANOTHER_VERB and denies_earlier_verb(reading, position + 1, vocabulary):
            continue
        if word in sets.modals and not _is_idle_modal(reading, vocabulary, position):
            return True
        if word in sets.temporal and not (
            position > begin and ("successfully" in reading.flags or words[position + 1].startswith("xx"))
        ):
            return True
        if word in sets.causal and position == begin and reading.frame != "active" and not is_as_asked(words, position):
            return True
        if word in sets.reports and not (reading.frame == "active" and word in sets.reports_of_own):
            if (word == "know" and words[position - 1] == "you") or _is_idle_report(reading, vocabulary, position):
                continue
            if word in _WHICH_ONE and position > begin and _tells_which_one(reading, position, vocabulary):
                continue
            if word in _EXHIBITS and not sets.concluding.isdisjoint(words[position:index]):
                continue
            return True
    return False


def _is_idle_report(reading: VerbReading, vocabulary: English, position: int) -> bool:
    """True for "the room you wanted", "I wanted to let you know" and "I made sure", which leave nothing open."""
    words, word = reading.words, reading.words[position]
    before = words[position - 1] if position > reading.begin else ""
    if word in _WISHED and before == "you" and position - 1 > reading.begin:
        return True
    if word == "wanted" and before in vocabulary.sets.persons:
        return words[position + 1 : position + 2] == ["to"] and not _TELLING.isdisjoint(
            words[position + 2 : position + 3]
        )
    if word == "made" and words[position + 1] == "sure":
        return before in vocabulary.sets.persons or before in vocabulary.sets.persons_have
    return word == "sure" and before == "made"


def _is_thing(reading: VerbReading, vocabulary: English, position: int) -> bool:
    """True for the noun that such a word may be: "your policy has been renewed", "the health check is booked"."""
    words, sets = reading.words, vocabulary.sets
    if words[position] not in sets.noun_like or position == reading.begin:
        return False
    if words[position - 1] in sets.articles:
        return True
    if words[position] in sets.modals or words[reading.begin] in sets.own_subjects:
        return False
    following = words[position + 1]
    if following in sets.be or following in sets.have:
        return True
    return following in _OF_THINGS and words[reading.begin] in sets.articles


def _tells_which_one(reading: VerbReading, position: int, vocabulary: English) -> bool:
    """True for "matches the expected result", "the reported crash has been fixed", "the bug reported in #4 has been"."""
    words, sets = reading.words, vocabulary.sets
    if words[position - 1] in sets.openers and position > reading.begin + 1:
        return True
    if words[position - 1] in sets.articles:
        told = words[position + 1 : reading.index]
        return "that" not in told and words[position + 1] not in sets.be and words[position + 1] not in sets.have
    is_behind = words[position + 1] in _FOUND_IN and position > reading.begin + 1
    return is_behind and reading.frame == "perfect" and words[reading.begin] in sets.articles


def is_as_asked(words: Sequence[str], position: int) -> bool:
    """ "As requested, ..." gives no reason, it announces the deed."""
    ahead = words[position + 1 : position + 3]
    return words[position] == "as" and not _ASKED.isdisjoint(ahead[:1] if ahead[:1] != ["you"] else ahead[1:])


def _opens_unreal(reading: VerbReading, vocabulary: English) -> bool:
    """The sentence opens as an order to the reader, as hearsay, or as "had I": that colours all its clauses."""
    opening = reading.words[:3]
    if opening[0] == "please":
        opening = reading.words[1:4]
    if not opening or reading.frame == "active":
        return opening[:1] == ["had"]
    return opening[0] in vocabulary.sets.checks or opening[:2] in (["make", "sure"], ["according", "to"])


def _is_idle_modal(reading: VerbReading, vocabulary: English, position: int) -> bool:
    """A modal word that plans nothing here: a month, "please note", "I can confirm that", "a plan"."""
    word, following = reading.words[position], reading.words[position + 1]
    if word == "may":
        return following[0].isdigit() or following in _FINITE or _is_month(reading.words, position)
    if word in vocabulary.sets.commitments:
        return following != "to"
    if word == "able":
        # "I was able to get it cancelled"
        return reading.words[max(0, position - 1)] in ("was", "were", "been") and reading.frame == "active"
    if word == "please":
        return following in ("note", "be", "find")
    if word in ("can", "could", "would", "i'd"):
        if word != "i'd" and reading.words[max(0, position - 1)] not in vocabulary.sets.persons:
            return False
        return not vocabulary.sets.announcing.isdisjoint(reading.words[position + 1 : position + 7])
    if word == "let":
        return "know" in reading.words[position + 1 : position + 4]
    return False


def _is_month(words: Sequence[str], position: int) -> bool:
    """True for "in May all invoices ..." and "on 9 May we ...", not for "the one you asked for may have been ..."."""
    at = position - 1
    if at > 0 and words[at].isdigit():
        at -= 1
    return at >= 0 and words[at] in _BEFORE_MONTHS and words[position + 1] not in _AFTER_MODALS


def _is_asked(reading: VerbReading, vocabulary: English) -> bool:
    """In a sentence that ends with "?": is the verb part of the question, or said before it?"""
    words, sets = reading.words, vocabulary.sets
    for position in range(reading.index + 1, len(words) - 1):
        if words[position] in (",", "—", "–", "-", "and", "so"):
            opener = words[position + 1]
            if opener in sets.question_openers or opener in sets.question_tails:
                return words[0] in sets.question_openers
    return True


def _has_condition_after(reading: VerbReading, vocabulary: English) -> bool:
    words, sets = reading.words, vocabulary.sets
    for position in range(reading.index + 1, reading.stop):
        if words[position] == ",":
            return False
        if words[position] in sets.conditions_after and words[position - 1] != "know":
            return words[position + 1 : position + 2] != [] and words[position + 1] in sets.subjects
    return False
