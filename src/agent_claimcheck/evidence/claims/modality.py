"""Decides whether a verb that stands in an asserting construction is really asserted, and asserted of the agent.

A reader must not miss: three questions, in this order. Is it denied? Is it left open (plan, question, condition,
hearsay)? Is it somebody else's doing or merely how things stand? Only what passes all three is a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent_claimcheck.evidence.claims.vocabulary import English


class Reading:
    """One verb in its sentence: the words, where the verb stands, its clause, and the construction around it.

    ``word`` is the verb as written, lower case; ``distinct`` are the words as a set.
    ``frame`` is ``active``, ``perfect``, ``passive``, ``headless`` or ``phrase``; ``at`` is where the construction
    begins; ``tense`` is ``perfect``, ``past``, ``present`` or ``chained``; ``flags`` are the adverbs beside the verb.
    """

    __slots__ = (
        "at", "begin", "distinct", "ending", "flags", "frame", "index", "stop", "tense", "ticked", "verb_class", "word",
        "words",
    )  # fmt: skip

    def __init__(
        self,
        words: list[str],
        distinct: set[str],
        index: int,
        clause: tuple[int, int],
        ending: str,
        verb_class: str,
        *,
        ticked: bool,
    ) -> None:
        self.words = words
        self.distinct = distinct
        self.index = index
        self.word = words[index]
        self.begin, self.stop = clause
        self.ending = ending
        self.verb_class = verb_class
        self.ticked = ticked
        self.flags: list[str] = []
        self.frame = ""
        self.tense = ""
        self.at = index - 1

    @property
    def is_sure(self) -> bool:
        """ "successfully" or "now" beside the verb: news, not a state."""
        after = self.words[self.index + 1 : self.index + 3]
        return "successfully" in (*self.flags, *after) or "now" in self.flags or after[:1] == ["now"]

    def next_words(self, count: int) -> list[str]:
        """The words of the clause after the verb."""
        return self.words[self.index + 1 : min(self.stop, self.index + 1 + count)]


_OF_THINGS = frozenset({"with", "for", "of", "on"})
_ASKED = frozenset(
    ("requested", "asked", "instructed", "agreed", "discussed", "promised", "wanted", "wished", "directed")
)
_WISHED = frozenset({"asked", "expected", "mentioned", "wanted", "wished"})
_TELLING_THAT = frozenset(("noted", "replied", "wrote", "responded", "printed", "posted", "announced", "added"))
_TELLING = frozenset({"confirm", "inform", "let", "say", "tell"})
_NO_EVENT = frozenset(
    ("still", "then", "typically", "usually", "generally", "normally", "always", "often", "automatically")
)
""""The order is then cancelled" tells what would happen, "fees are usually waived" what is done as a rule."""

_TIME_OPENERS = frozenset(
    ("once", "when", "whenever", "until", "till", "before", "after", "during", "each", "every", "in", "as")
)
_PROCESSES = frozenset(
    ("workflow", "design", "setup", "process", "mode", "default", "practice", "general", "implementation", "case")
)
_GROUNDS = frozenset(("based", "per", "regarding", "concerning", "given"))
_OF_FAULTY = frozenset(("failed", "failing"))
_FAULTS = frozenset(("mistake", "mistakes", "error", "errors", "typo", "assumption", "guess"))
_GOODS = frozenset(("order", "orders", "package", "parcel", "shipment", "item", "items"))
_EXHIBITS = frozenset(("show", "shows", "showed"))
_NOTHING = (["nobody"], ["nothing"], ["none"], ["no"], ["neither"])
_NO_OBJECTS = frozenset({"no", "nothing", "none", "nobody"})
_NOT_WITH_BASE = frozenset({"didn't", "didnt", "couldn't", "couldnt"})
_WITH_BASE = frozenset({"did", "could"})
"""After these stands the base form of a verb: the "booked" of "did not find it and booked another" is none of theirs."""
_SEEN = ("saw", "see")
_PASTS = frozenset({"sent", "made", "wrote", "built", "bought", "paid", "sold", "took", "gave"})
_ASIDES = frozenset((",", "(", "—", "–"))
_NO_MORE: tuple[list[str], ...] = ([], ["."], [","], ["!"], [")"], ["wait"], ["sorry"])
""""Booked, no." and "booked, no, wait": the bare word takes it back."""
_CONTRADICTIONS = frozenset(("not", "no", "never", "false", "nope", "failed", "none", "n/a"))
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


def is_denied(reading: Reading, vocabulary: English) -> bool:
    """True when the clause says that it was not done, before or after the verb."""
    words, sets = reading.words, vocabulary.sets
    for position in range(reading.begin, reading.index):
        word = words[position]
        is_negator = (word in sets.negators or word.endswith("'nt")) and words[
            position + 1
        ] not in sets.spared_negations
        if word in _OF_FAULTY and _tells_which(reading, position, vocabulary):
            continue
        if is_negator and not _denies_earlier_verb(reading, position, vocabulary):
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


def _tells_which(reading: Reading, position: int, vocabulary: English) -> bool:
    """True for "the failing test has been fixed" and "the deploy failed and was rolled back", which deny no deed."""
    words, sets = reading.words, vocabulary.sets
    following = words[position + 1]
    if following == "and":
        return words[position + 2] in sets.be or words[position + 2] in sets.have
    if following in sets.prepositions or following in sets.be or not following[0].isalnum():
        return False
    before = words[position - 1] if position > reading.begin else ""
    return position + 1 < reading.index and (not before or before in sets.openers or before.isdigit())


def _denies_earlier_verb(reading: Reading, position: int, vocabulary: English) -> bool:
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


def is_unreal(reading: Reading, vocabulary: English) -> bool:
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


def _is_left_open(reading: Reading, vocabulary: English) -> bool:
    """True when a word of the clause before the verb makes a plan, a time to come, a reason or hearsay of it."""
    words, sets, begin, index = reading.words, vocabulary.sets, reading.begin, reading.index
    for position in range(begin, index):
        word = words[position]
        if word in vocabulary.unsettling and _is_thing(reading, vocabulary, position):
            continue
        if word in (*_WITH_BASE, *_SEEN) and _denies_earlier_verb(reading, position + 1, vocabulary):
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
            if word in ("expected", "reported") and position > begin + 1 and words[position - 1] in sets.openers:
                # "matches the expected result"
                continue
            if word in _EXHIBITS and not sets.concluding.isdisjoint(words[position:index]):
                continue
            return True
    return False


def _is_idle_report(reading: Reading, vocabulary: English, position: int) -> bool:
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


def _is_thing(reading: Reading, vocabulary: English, position: int) -> bool:
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


def is_as_asked(words: Sequence[str], position: int) -> bool:
    """ "As requested, ..." gives no reason, it announces the deed."""
    ahead = words[position + 1 : position + 3]
    return words[position] == "as" and not _ASKED.isdisjoint(ahead[:1] if ahead[:1] != ["you"] else ahead[1:])


def _opens_unreal(reading: Reading, vocabulary: English) -> bool:
    """The sentence opens as an order to the reader, as hearsay, or as "had I": that colours all its clauses."""
    opening = reading.words[:3]
    if opening[0] == "please":
        opening = reading.words[1:4]
    if not opening or reading.frame == "active":
        return opening[:1] == ["had"]
    return opening[0] in vocabulary.sets.checks or opening[:2] in (["make", "sure"], ["according", "to"])


def _is_idle_modal(reading: Reading, vocabulary: English, position: int) -> bool:
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


def _is_asked(reading: Reading, vocabulary: English) -> bool:
    """In a sentence that ends with "?": is the verb part of the question, or said before it?"""
    words, sets = reading.words, vocabulary.sets
    for position in range(reading.index + 1, len(words) - 1):
        if words[position] in (",", "—", "–", "-", "and", "so"):
            opener = words[position + 1]
            if opener in sets.question_openers or opener in sets.question_tails:
                return words[0] in sets.question_openers
    return True


def _has_condition_after(reading: Reading, vocabulary: English) -> bool:
    words, sets = reading.words, vocabulary.sets
    for position in range(reading.index + 1, reading.stop):
        if words[position] == ",":
            return False
        if words[position] in sets.conditions_after and words[position - 1] != "know":
            return words[position + 1 : position + 2] != [] and words[position + 1] in sets.subjects
    return False


def is_own_doing(reading: Reading, vocabulary: English) -> bool:
    """False for what others did, for what merely is so, and for handing the matter over to a person."""
    sets, word, frame = vocabulary.sets, reading.word, reading.frame
    after = reading.next_words(11)
    near = reading.words[reading.begin : reading.index]
    if word in sets.handed_over and (
        not sets.handover_to.isdisjoint(after) or (frame != "active" and near[:1] == ["you"])
    ):
        # "I assigned incident INC-4410 to the network team" settles the incident's owner; a customer is handed on.
        return word == "assigned" and frame == "active" and not sets.opened_objects.isdisjoint(after[:3])
    wanted = sets.made_objects if word == "made" else sets.opened_objects if word == "opened" else None
    if wanted is not None and (
        (wanted.isdisjoint(near) and wanted.isdisjoint(after)) or not _FAULTS.isdisjoint(after[:3])
    ):
        return False
    if word in ("started", "initiated") and after and after[0].endswith("ing"):
        return False
    if reading.verb_class == "completed" and not (
        sets.findings.isdisjoint(near) and sets.findings.isdisjoint(after[:5])
    ):
        return False
    if frame == "headless" and word in sets.like_imperatives and not reading.ticked and reading.at < reading.begin:
        return False
    if word == "closed" and reading.tense == "present" and sets.opened_objects.isdisjoint(near):
        # A shop is closed now, and so is an office.
        return False
    if word == "confirmed":
        return _is_confirmation(reading, vocabulary, near, after)
    if frame == "active":
        if reading.words[reading.begin] in _GROUNDS and (not after or not after[0][0].isalnum()):
            # "Based on the request we submitted, ..."
            return False
        return word not in ("handled", "requested") or (len(after) > 1 and reading.at <= reading.begin)
    is_by_others = (
        after[:1] == ["by"]
        and len(after) > 1
        and not after[1].endswith("ing")
        and (not sets.others.isdisjoint(after[1:3]) or after[1].startswith("xx"))
        and "me" not in after[:3]
        and sets.things_that_fix.isdisjoint(after[1:5])
    )
    if is_by_others and reading.tense != "chained":
        return False
    if ("already" in reading.flags and not reading.is_sure) or _tells_of_before((*near, *after[:6]), vocabulary):
        return False
    if frame in ("perfect", "passive"):
        return reading.is_sure or _is_news(reading, vocabulary, near, after)
    if word in vocabulary.state_like and not reading.is_sure and not reading.ticked:
        return word not in sets.headless_states and (
            reading.index > reading.begin or reading.stop - reading.index > 2 or len(reading.words) <= 3
        )
    return True


def _tells_of_before(words: Sequence[str], vocabulary: English) -> bool:
    """True for "last week" and "earlier"; "last night's snapshot" names a thing."""
    if vocabulary.sets.past_markers.isdisjoint(words):
        return False
    named = {word for word, following in pairwise(words) if word == "last" and following.endswith("'s")}
    return not (vocabulary.sets.past_markers - named).isdisjoint(words)


def _is_confirmation(reading: Reading, vocabulary: English, near: Sequence[str], after: Sequence[str]) -> bool:
    confirmable = vocabulary.sets.confirmable
    if reading.frame == "active":
        return not confirmable.isdisjoint(after[:4])
    return "already" not in reading.flags and not confirmable.isdisjoint(near) and "status" not in near


def _is_news(reading: Reading, vocabulary: English, near: Sequence[str], after: Sequence[str]) -> bool:
    """A passive without "successfully" or "now": is it news of a deed, or a report of how things stand?"""
    sets, word = vocabulary.sets, reading.word
    if reading.frame == "perfect" or reading.tense == "chained":
        if word == "processed" and ("order" in near or "orders" in near):
            return not sets.processed_news.isdisjoint(near)
        return word not in sets.states
    is_soft = reading.tense == "past" and word in sets.soft_news
    if word in vocabulary.state_like and word != "placed" and not is_soft:
        return False
    if reading.tense == "present":
        return (
            word in sets.present_claims and _NO_EVENT.isdisjoint((*reading.flags, *after[:1])) and "status" not in near
        )
    if word == "sent" and (after[:2] == ["to", "you"] or not _GOODS.isdisjoint(near)):
        # A shop sends a parcel.
        return False
    if word in ("cancelled", "canceled") and ("flight" in near or "flights" in near):
        return False
    if len(after) > 1 and after[0][:3] in sets.months and after[1][0].isdigit():
        return False
    return not any(
        first in ("on", "in", "at", "since") and (second[0].isdigit() or second[:3] in sets.months)
        for first, second in pairwise(after[:7])
    )
