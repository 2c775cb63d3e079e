"""Reads the languages that have frames: a sentence claims success when a frame fits a clause and nothing blocks it.

A reader must not miss: this recognises that success is claimed, with the language's negations, questions, plans and
conditions. It is coarser than the English grammar, and says so in its confidence.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from agent_claimcheck.evidence.claims.frame_language import Frames
from agent_claimcheck.evidence.claims.hits import UNSURE

_LONGEST = 600
"""A clause beyond this length is read up to here: nobody claims in a clause of that length."""

_MOST_JOINED = 4
"""Deeds read in one clause beside its first."""
_NEVER_AHEAD = frozenset(("sent", "paid", "refunded", "issued"))
"""Classes of deeds whose day is the day they were done: a table is booked for a day to come, a letter is not sent on one."""
_LASTING = frozenset(("configured", "closed"))
"""Classes of states that last: "the light is off" may be news or a finding."""
_JOINED = 0.7
"""How sure they are at most: the other verb may stand inside a noun's attribute."""


class FrameHit(NamedTuple):
    """A claim in one sentence: class, ``[start, end)`` of the verb in it, confidence, and ``[start, end)`` of its clause."""

    verb_class: str
    start: int
    end: int
    confidence: float
    clause: tuple[int, int]


def read_frames(text: str, ending: str, language: Frames) -> tuple[list[FrameHit], list[str]]:
    """Return the hits of one lower-case sentence and the classes it denies."""
    if ending in ("?", "？"):
        return [], []
    hits: list[FrameHit] = []
    denied: list[str] = []
    for begin, stop in _clauses(text, language):
        clause = text[begin : min(stop, begin + _LONGEST)]
        match, confidence, named = _first_frame(clause, language)
        verb_class = named or (language.classify(match["v"]) if match is not None else "completed")
        is_denied = denies(clause, language, match.start("v") if match is not None else None)
        if match is None and not is_denied:
            match, confidence = _unlisted_deed(clause, language), UNSURE
        if match is None:
            continue
        if is_denied:
            denied.append(verb_class)
        elif not language.blockers.search(clause) and not language.conditions.search(text[:stop][-_LONGEST:]):
            start, end = match.span("v")
            if confidence > UNSURE and (
                (verb_class in _NEVER_AHEAD and language.dated.search(clause))
                or (verb_class in _LASTING and language.be.search(clause[:start]))
                or language.by_others.search(clause)
                or language.records.search(text[:_LONGEST])
            ):
                confidence = UNSURE
            place = (begin, begin + len(clause))
            hits.append(FrameHit(verb_class, begin + start, begin + end, confidence, place))
            for other in _joined_deeds(clause, (start, end), language):
                first, last = other.span("v")
                hits.append(
                    FrameHit(
                        language.classify(other["v"]), begin + first, begin + last, min(confidence, _JOINED), place
                    )
                )
    if not hits and not denied and denies(text[:_LONGEST], language):
        denied.append("")
    return hits, denied


def _joined_deeds(clause: str, said: tuple[int, int], language: Frames) -> list[re.Match[str]]:
    """Return the other verbs of a claiming clause that "and" joins to the one at ``said``: "cancelled the trip and paid you back"."""
    cuts = [match.span() for match in language.joints.finditer(clause)][:_MOST_JOINED]
    if not cuts:
        return []
    found = []
    for match in language.verb.finditer(clause):
        first, last = match.span("v")
        between = (last, said[0]) if last <= said[0] else (said[1], first)
        is_joined = any(between[0] <= start and end <= between[1] for start, end in cuts)
        if language.joins_by_ending and not any(start == last for start, _ in cuts):
            continue
        if is_joined and language.classify(match["v"]) != language.classify(clause[said[0] : said[1]]):
            found.append(match)
    return found[:_MOST_JOINED]


def fits_frame(text: str, language: Frames) -> bool:
    """True when some frame of ``language`` fits ``text`` (lower case), blocked or not."""
    return _first_frame(text[:_LONGEST], language)[0] is not None


def leaves_open(sentence: str, language: Frames) -> bool:
    """True when a sentence (lower case) denies something, plans it, or hangs it on a condition."""
    part = sentence[:_LONGEST]
    return denies(part, language) or any(pattern.search(part) for pattern in (language.blockers, language.conditions))


def denies(text: str, language: Frames, said: int | None = None) -> bool:
    """True when lower-case ``text`` holds a negation that is of the deed told at ``said``, and not only of a cost or a reason."""
    if language.denials.search(text) is None:
        return False
    spared = [match.span() for match in language.spared.finditer(text)]
    if said is not None:
        spared = [(start, end) for start, end in spared if not start <= said < end]
    return not spared or not all(
        any(start <= found.start() < end for start, end in spared) for found in language.denials.finditer(text)
    )


def _first_frame(clause: str, language: Frames) -> tuple[re.Match[str] | None, float, str]:
    """Return where a frame fits first, how sure it is, and its class where it names one."""
    # One search for any verb is cheaper than one for each frame around a verb, and most clauses hold none.
    for confidence, pattern, verb_class in language.frames if language.verb.search(clause) else language.set_phrases:
        match = pattern.search(clause)
        if match is not None:
            return match, confidence, verb_class
    return None, 0.0, ""


def _unlisted_deed(clause: str, language: Frames) -> re.Match[str] | None:
    """Return what "I have watered the plants" claims, whose verb is in no list; ``None`` for looking and thinking."""
    for pattern in language.deeds:
        match = pattern.search(clause)
        if match is not None and not match["v"].startswith(language.no_deeds):
            return match
    return None


def _clauses(text: str, language: Frames) -> list[tuple[int, int]]:
    cuts = [0]
    cuts.extend(match.end() for match in language.breaks.finditer(text))
    cuts.append(len(text))
    return [(a, b) for a, b in pairwise(cuts) if b > a]
