"""Gives each of several verbs in one clause its own values: "cancelled order 12 and booked order 14".

A reader must not miss: values are parted only where every verb has some of the kind; otherwise all share them, because
"created and sent the invoice INV-1" names it for both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from agent_claimcheck.evidence.claims.hits import Hit
from agent_claimcheck.evidence.claims.subjects import read_subject

_JOINT = re.compile(r"(?:[,;]\s|\s)(?:and|then|&|plus)\s|[,;]\s")


def subjects_of_shared(sentence: str, hits: Sequence[Hit]) -> dict[int, dict[str, Any]]:
    """Return, by their place in ``hits``, the subjects of those hits of ``sentence`` that share a clause with another."""
    clauses: dict[tuple[int, int], list[int]] = {}
    for number, hit in enumerate(hits):
        clauses.setdefault(hit.clause, []).append(number)
    found: dict[int, dict[str, Any]] = {}
    for numbers in clauses.values():
        if len(numbers) > 1:
            numbers.sort(key=lambda number: hits[number].start)
            found.update(zip(numbers, _part(sentence, [hits[number] for number in numbers]), strict=True))
    return found


def _part(sentence: str, hits: Sequence[Hit]) -> list[dict[str, Any]]:
    first, last = hits[0].clause
    whole = [_read(sentence, hit, first, last) for hit in hits]
    if not any(hit.frame != "active" for hit in hits) and not any(
        isinstance(value, list) and len(value) > 1 for value in whole[0].values()
    ):
        return whole
    cuts = [first]
    for hit, following in pairwise(hits):
        joints = list(_JOINT.finditer(sentence, hit.end, following.start + 1))
        if not joints:
            return whole
        cuts.append(joints[-1].end() - 1)
    cuts.append(last)
    own = [_read(sentence, hit, cuts[number], cuts[number + 1]) for number, hit in enumerate(hits)]
    if all(hit.frame in ("passive", "perfect") and "object" in values for hit, values in zip(hits, own, strict=True)):
        # Statements with a subject each, as two sentences would be.
        return own
    kinds = [kind for kind in own[0] if kind != "object" and all(kind in values for values in own)]
    for hit, mine, values in zip(hits, whole, own, strict=True):
        mine.update({kind: values[kind] for kind in kinds})
        if hit.frame != "active" and "object" in values:
            mine["object"] = values["object"]
    return whole


def _read(sentence: str, hit: Hit, start: int, end: int) -> dict[str, Any]:
    return read_subject(sentence[start:end], hit.start - start, hit.end - start, is_active=hit.frame == "active")
