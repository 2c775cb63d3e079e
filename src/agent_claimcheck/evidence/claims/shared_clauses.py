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
from agent_claimcheck.evidence.claims.subjects import read_object, read_values

_JOINT = re.compile(r"(?:[,;]\s|\s)(?:and|then|&|plus)\s|[,;]\s")
_OF_ITS_OWN = ("passive", "perfect")
"""Frames of a verb that tells of a subject before it."""


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
    parts = _parts(sentence, hits)
    if parts and all(hit.frame in _OF_ITS_OWN for hit in hits):
        objects = [_object(sentence, hit, part) for hit, part in zip(hits, parts, strict=True)]
        if all(objects):
            # Statements with a subject each, as two sentences would be.
            own = [_values(sentence, [hit], part)[0] for hit, part in zip(hits, parts, strict=True)]
            return [{**values, "object": thing} for values, thing in zip(own, objects, strict=True)]
    clause = hits[0].clause
    whole = _values(sentence, hits, clause)
    if parts and any(
        kind == "count" or (isinstance(value, list) and len(value) > 1) for kind, value in whole[0].items()
    ):
        own = [_values(sentence, [hit], part)[0] for hit, part in zip(hits, parts, strict=True)]
        kinds = [kind for kind in own[0] if all(kind in values for values in own)]
        for mine, values in zip(whole, own, strict=True):
            mine.update({kind: values[kind] for kind in kinds})
    for number, (hit, mine) in enumerate(zip(hits, whole, strict=True)):
        thing = _object(sentence, hit, parts[number]) if parts and hit.frame != "active" else ""
        thing = thing or _object(sentence, hit, clause)
        if thing:
            mine["object"] = thing
    return whole


def _parts(sentence: str, hits: Sequence[Hit]) -> list[tuple[int, int]]:
    """Return where the part of each verb stands; nothing when two of them have no joint between."""
    first, last = hits[0].clause
    cuts = [first]
    for hit, following in pairwise(hits):
        joints = list(_JOINT.finditer(sentence, hit.end, following.start + 1))
        if not joints:
            return []
        cuts.append(joints[-1].end() - 1)
    return list(pairwise([*cuts, last]))


def _values(sentence: str, hits: Sequence[Hit], part: tuple[int, int]) -> list[dict[str, Any]]:
    start, end = part
    return read_values(sentence[start:end], [(hit.start - start, hit.end - start) for hit in hits])


def _object(sentence: str, hit: Hit, part: tuple[int, int]) -> str:
    start, end = part
    return read_object(sentence[start:end], hit.start - start, hit.end - start, is_active=hit.frame == "active")
