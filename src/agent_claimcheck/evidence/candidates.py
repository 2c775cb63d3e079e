"""Which writes could have done what a claim says, and which of them it most likely speaks of.

A reader must not miss: a write of unknown class, or one that shares a word or a record with the claim, is a candidate, and a
candidate that did not fail keeps an absence from accusing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import participles
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.receipts.job_ends import speaks_of_the_end
from agent_claimcheck.evidence.tool_names import verbs_in
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write

_STEM = 5
_SHORTEST_NOUN = 3
_MOST_NEAR = 20
"""Writes, the last ones, among which the one that a claim speaks of is looked for: there may be hundreds of both."""
_WORD = late_pattern(r"[a-z]+")
_NO_NAME = frozenset({"order", "orders", "items", "details", "record", "records", "users"})
_LONGEST_QUOTE = 2000


def candidates(writes: Sequence[Write], claim: SuccessClaim) -> list[Write]:
    """Return the writes that could have done what ``claim`` says.

    Besides the class of its verb, a shared word settles it ("the *return* has been initiated" by ``return_items``), and
    so does a shared record: whoever wrote order 7 may have done what is claimed of order 7.
    """
    claimed = claim.verb_class or claim.type
    if any(write.seen_in is not None for write in writes) and not speaks_of_the_end(claimed, claim.quote):
        writes = [write if write.begun is None else Write(write.pair, write.effect, write.begun) for write in writes]
    is_covered = [class_covers(claimed, write.effect) is not False for write in writes]
    if all(is_covered):
        return list(writes)
    told = (
        claim.quote if claim.source != "structured" else " ".join(str(value) for _, value in walk_values(claim.subject))
    )
    stems = {word[:_STEM] for word in _WORD.findall(told[:_LONGEST_QUOTE].lower()) if len(word) >= _STEM}
    ids = claim.subject.get("id")
    return [
        write
        for write, covered in zip(writes, is_covered, strict=True)
        if covered or _shares_word(write, stems) or (isinstance(ids, list) and names_any(write, ids))
    ]


def has_candidate(writes: Sequence[Write], claim: SuccessClaim) -> bool:
    """Tell whether there are ``candidates``: mostly the first write is one, and no other has to be asked."""
    claimed = claim.verb_class or claim.type
    for write in writes:
        if class_covers(claimed, write.effect) is not False:
            return True
    return bool(candidates(writes, claim))


def nearest_to(claim: SuccessClaim, writes: Sequence[Write]) -> Write:
    """Return the one of ``writes`` that ``claim`` most likely speaks of; there must be one.

    Calls before the claim come before those after it, then those that name one of its ids, then those that share the
    most words with its quote; the last of what remains.
    """
    near = writes[-_MOST_NEAR:]
    step, ids = claim.step, claim.subject.get("id")
    if step is not None:
        near = [write for write in near if write.pair.call.i < step] or near
    if len(near) > 1 and isinstance(ids, list):
        near = [write for write in near if names_any(write, ids)] or near
    if len(near) > 1:
        stems = {word[:_STEM] for word in _WORD.findall(claim.quote[:_LONGEST_QUOTE].lower()) if len(word) >= _STEM}
        shared = [len(_words_shared(write, stems)) for write in near]
        near = [write for write, count in zip(near, shared, strict=True) if count == max(shared)]
    return near[-1]


def _shares_word(write: Write, stems: set[str]) -> bool:
    return bool(stems) and bool(_words_shared(write, stems))


def _words_shared(write: Write, stems: set[str]) -> set[str]:
    words = (word[:_STEM] for word in write.effect.words if len(word) >= _STEM and word not in _NO_NAME)
    return stems.intersection(words)


def is_named_after(write: Write, claim: SuccessClaim) -> bool:
    """True when the tool's name holds the verb of the claim and, where it has other words, one of them stands in the claim too.

    ``issue_badge`` for "her badge has been issued"; ``calibrate`` for "all sensors have been recalibrated".
    """
    low = claim.quote[:_LONGEST_QUOTE].lower()
    told = {*_WORD.findall(low), *_WORD.findall(low.replace("-", ""))}
    words = write.effect.words
    verbs = [verb for verb in verbs_in(words) if not told.isdisjoint(deed_forms(verb))]
    if not verbs:
        return False
    others = [word for word in words if word not in verbs and len(word) >= _SHORTEST_NOUN]
    return len(words) == 1 or any(word.removesuffix("s") in one for word in others for one in told)


@lru_cache(maxsize=1024)
def deed_forms(verb: str) -> frozenset[str]:
    """Return the participles of ``verb``, also of doing it again."""
    forms = participles(verb)
    return frozenset((*forms, *(f"re{form}" for form in forms)))


def names_any(write: Write, ids: Sequence[Any]) -> bool:
    """True when one of ``ids`` stands in the arguments of the call."""
    wanted = {str(item).casefold().lstrip("#") for item in ids}
    return any(
        isinstance(value, str | int) and str(value).casefold().lstrip("#") in wanted
        for _, value in walk_values(write.pair.call.args or {})
    )
