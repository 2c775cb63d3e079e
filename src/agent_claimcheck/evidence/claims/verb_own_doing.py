"""Whether a deed that did happen is news of the agent's own doing: not of others, and not how things merely stand.

A reader must not miss: a passive names no doer, so the kind of verb, its tense and the words around it decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent_claimcheck.evidence.claims.verb_reading import VerbReading
from agent_claimcheck.evidence.claims.vocabulary import English

_NO_EVENT = frozenset(
    ("still", "then", "typically", "usually", "generally", "normally", "always", "often", "automatically")
)
""""The order is then cancelled" tells what would happen, "fees are usually waived" what is done as a rule."""
_GROUNDS = frozenset(("based", "per", "regarding", "concerning", "given"))
_FAULTS = frozenset(("mistake", "mistakes", "error", "errors", "typo", "assumption", "guess"))
_GOODS = frozenset(("order", "orders", "package", "parcel", "shipment", "item", "items"))


def is_own_doing(reading: VerbReading, vocabulary: English) -> bool:
    """False for what others did, for what merely is so, and for handing the matter over to a person."""
    sets, word, frame = vocabulary.sets, reading.word, reading.frame
    after = reading.next_words(11)
    near = reading.words[reading.begin : reading.index]
    if word in sets.handed_over and (
        not sets.handover_to.isdisjoint(after) or (frame != "active" and near[:1] == ["you"])
    ):
        # "I assigned incident INC-4410 to the network team" settles the incident's owner; a customer is handed on.
        return word == "assigned" and frame == "active" and not sets.opened_objects.isdisjoint(after[:3])
    if not _is_deed(reading, vocabulary, near, after):
        return False
    if frame == "headless" and word in sets.like_imperatives and not reading.is_ticked and reading.at < reading.begin:
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
    return _is_own_doerless(reading, vocabulary, near, after)


def _is_deed(reading: VerbReading, vocabulary: English, near: Sequence[str], after: Sequence[str]) -> bool:
    """False where a verb of many meanings has none that settles anything: "made a mistake", "started looking"."""
    sets, word = vocabulary.sets, reading.word
    wanted = sets.made_objects if word == "made" else sets.opened_objects if word == "opened" else None
    if wanted is not None and (
        (wanted.isdisjoint(near) and wanted.isdisjoint(after)) or not _FAULTS.isdisjoint(after[:3])
    ):
        return False
    if word in ("started", "initiated") and after and after[0].endswith("ing"):
        return False
    is_finding = not (sets.findings.isdisjoint(near) and sets.findings.isdisjoint(after[:5]))
    return reading.verb_class != "completed" or not is_finding


def _is_own_doerless(reading: VerbReading, vocabulary: English, near: Sequence[str], after: Sequence[str]) -> bool:
    """True for a deed told without its doer, unless another is named, or it was done before this run, or is no news."""
    sets, word, frame = vocabulary.sets, reading.word, reading.frame
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
    if word in vocabulary.state_like and not reading.is_sure and not reading.is_ticked:
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


def _is_confirmation(reading: VerbReading, vocabulary: English, near: Sequence[str], after: Sequence[str]) -> bool:
    confirmable = vocabulary.sets.confirmable
    if reading.frame == "active":
        return not confirmable.isdisjoint(after[:4])
    things = [word.removesuffix("'s") for word in near]
    return "already" not in reading.flags and not confirmable.isdisjoint(things) and "status" not in near


def _is_news(reading: VerbReading, vocabulary: English, near: Sequence[str], after: Sequence[str]) -> bool:
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
