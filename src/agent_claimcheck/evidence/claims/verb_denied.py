"""Whether the clause of a verb says that the deed was not done: "not", "never", "failed to", "booked, no, wait".

A reader must not miss: what is denied may be another verb of the same clause, or a thing there was none of ("no errors").
"""

from __future__ import annotations

from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.vocabulary import English

_OF_FAULTY = frozenset(("failed", "failing"))
_NOTHING = (["nobody"], ["nothing"], ["none"], ["no"], ["neither"])
_NO_OBJECTS = frozenset({"no", "nothing", "none", "nobody"})
_NOT_WITH_BASE = frozenset({"didn't", "didnt", "couldn't", "couldnt"})
_WITH_BASE = frozenset({"did", "could"})
"""After these stands the base form of a verb: the "booked" of "did not find it and booked another" is none of theirs."""
_PASTS = frozenset({"sent", "made", "wrote", "built", "bought", "paid", "sold", "took", "gave"})
_ASIDES = frozenset((",", "(", "—", "–"))
_NO_MORE: tuple[list[str], ...] = ([], ["."], [","], ["!"], [")"], ["wait"], ["sorry"])
""""Booked, no." and "booked, no, wait": the bare word takes it back."""
_CONTRADICTIONS = frozenset(("not", "no", "never", "false", "nope", "failed", "none", "n/a"))
_VALUE_OF = frozenset(("to", "as", "is", "returns", "return", "returning", "equals", "for", "from", "passing"))
"""Before a "none" that is a value of a program: "set to None", "the check for None"."""


def is_verb_denied(reading: VerbReading, vocabulary: English) -> bool:
    """True when the clause says that it was not done, before or after the verb."""
    words, sets = reading.words, vocabulary.sets
    for position in range(reading.begin, reading.index):
        word = words[position]
        if word not in sets.negators and not ("'nt" in word and word.endswith("'nt")):
            continue
        if words[position + 1] in sets.spared_negations:
            continue
        if word in _OF_FAULTY and _tells_which(reading, position, vocabulary):
            continue
        if denies_earlier_verb(reading, position, vocabulary):
            continue
        if not _tells_lack(reading, position, vocabulary):
            return True
    if reading.frame == "active" and words[reading.index + 1 : reading.index + 2] in _NOTHING:
        return True
    for position in range(reading.index + 1, min(reading.index + 6, len(words))):
        word = words[position]
        if word == "pending" and words[position - 1] == ":":
            return True
        if word in _CONTRADICTIONS:
            if word == "no" and words[position - 1] in _ASIDES and words[position + 1 : position + 2] not in _NO_MORE:
                # "Cancelled, no fee was charged": what there is none of is another matter.
                return False
            return words[position + 1 : position + 2] not in (["longer"], ["only"], ["changes"], ["errors"])
        if word[0].isalnum() and word not in ("yet", "is", "status"):
            break
    following = words[reading.index + 1 : reading.index + 3]
    return following == ["was", "impossible"] or following in (["was", "not"], ["is", "not"])


def _tells_which(reading: VerbReading, position: int, vocabulary: English) -> bool:
    """True for "the failing test has been fixed" and "the deploy failed and was rolled back", which deny no deed."""
    words, sets = reading.words, vocabulary.sets
    following = words[position + 1]
    if following == "and":
        return words[position + 2] in sets.be or words[position + 2] in sets.have
    if following in sets.prepositions or following in sets.be or not following[0].isalnum():
        return False
    before = words[position - 1] if position > reading.begin else ""
    return position + 1 < reading.index and (not before or before in sets.openers or before.isdigit())


def denies_earlier_verb(reading: VerbReading, position: int, vocabulary: English) -> bool:
    """True for "found no conflicts and booked", "could not find it and cancelled": the negator belongs to the verb before "and"."""
    if reading.frame != "active" or reading.tense != "chained" or position <= reading.begin:
        return False
    words, word = reading.words, reading.words[position]
    if not vocabulary.classes.keys().isdisjoint(words[position + 1 : reading.index]):
        # "I see no orders placed and cancelled"
        return False
    persons = vocabulary.sets.persons | vocabulary.sets.persons_have
    if word in _NO_OBJECTS:
        # "I have no ..." and "I saw no ...": a verb of its own stands between the person and what there was none of.
        return any(one in persons for one in words[reading.begin : position - 1])
    is_of_base_form = word in _NOT_WITH_BASE or (word == "not" and words[position - 1] in _WITH_BASE)
    is_past = reading.word.endswith("ed") or reading.word in _PASTS
    return is_of_base_form and is_past and words[position + 1] not in ("get", "have", "be", "been")


def _tells_lack(reading: VerbReading, position: int, vocabulary: English) -> bool:
    """True for "the case with no orders has been covered" and "set to None has been": it only says which thing is meant.

    The subject must go on to its own verb; any other verb, mark or relative word on the way leaves the denial as it is.
    """
    words, sets = reading.words, vocabulary.sets
    is_news = reading.tense != "present" or reading.is_sure
    if reading.frame not in ("perfect", "passive") or not is_news or position < reading.begin + 1:
        return False
    if words[position] == "none":
        if words[position - 1] not in _VALUE_OF or words[position + 1] == "of":
            return False
    elif words[position] != "no" or words[position - 1] != "with":
        return False
    between = words[position + 1 : reading.at]
    if not between and words[position] == "no":
        return False
    return all(
        word[0].isalnum() and word not in vocabulary.classes and word not in sets.be and word not in sets.relatives
        for word in between
    )
