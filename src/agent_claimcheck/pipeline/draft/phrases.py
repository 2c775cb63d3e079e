"""Learns from runs how this agent says that a claim's work was done: which verbs stand with which nouns.

A reader must not miss: only wordings that several runs used become patterns, at the start of a clause and with nothing but
"is", "has been" and the like between noun and verb, so that "once the note is added" and "will be added" are no claims.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.linking import well_ended
from agent_claimcheck.pipeline.draft.wording import parts_of_type

_LEAST_RUNS = 3
_MOST_TEXT = 4_000
_CLAUSE = re.compile(r"[.,;:!?\n]|\band\b")
_WORD = re.compile(r"[a-z]+")
_MOST_FORMS = 6
_OPENING = r"(?:^|[.!:;,\n]\s*|\band\s+)(?:and )?"
_LINKS = r"(?:\s+(?:is|are|was|were|has|have|been|now|just|successfully))*"

_ITS = r"(?:it['’]s |it is |it has been |(?:I|we)(?:['’]ve| have)? )?"
_CLAUSE_START = re.compile(rf"{_OPENING}{_ITS}([a-z]+)\b", re.IGNORECASE)


def learned_patterns(claim_type: str, nouns: Sequence[str], episodes: Iterable[Episode]) -> tuple[str, ...]:
    """Return the patterns that several well-ended runs which declare ``claim_type`` were worded by; often none."""
    verb_class, own = parts_of_type(claim_type)
    family = family_of(verb_class)
    if family is None:
        return ()
    before: Counter[tuple[str, str]] = Counter()
    after: Counter[tuple[str, str]] = Counter()
    bare: Counter[str] = Counter()
    for episode in well_ended([one for one in episodes if any(claim.type == claim_type for claim in one.declared)]):
        text = (episode.trace.final_claim.text or "")[:_MOST_TEXT].lower()
        found_before, found_after = _wordings(text, dict.fromkeys((*own, *nouns)), family)
        before.update(found_before)
        after.update(found_after)
        bare.update(_bare_verbs(text, verb_class))
    found = [_pattern(noun, forms, is_noun_first=is_first) for noun, forms, is_first in _kept(before, after)]
    forms = [verb for verb, runs in sorted(bare.items(), key=lambda item: (-item[1], item[0])) if runs >= _LEAST_RUNS]
    if not own and forms:
        # The claim type names no thing, so the verb alone claims it: "it's committed", "committed the fix".
        found.append(rf"{_OPENING}{_ITS}(?:{'|'.join(forms[:_MOST_FORMS])})\b")
    return tuple(found)


def _bare_verbs(text: str, verb_class: str) -> set[str]:
    """Return the verbs of the class that begin a clause of ``text``, after "it's" and the like."""
    found = set()
    for match in _CLAUSE_START.finditer(text):
        if english().classes.get(match[1]) == verb_class:
            found.add(match[1])
    return found


def _wordings(text: str, nouns: Iterable[str], family: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return (noun, verb) pairs of one text with the noun first, and those with the verb first."""
    noun_first: set[tuple[str, str]] = set()
    verb_first: set[tuple[str, str]] = set()
    for clause in _CLAUSE.split(text):
        words = _WORD.findall(clause)
        verbs = [(place, word) for place, word in enumerate(words) if _is_of(word, family)]
        for noun in nouns:
            for at, word in enumerate(words):
                if word in (noun, noun + "s"):
                    noun_first.update((noun, verb) for place, verb in verbs if 0 < place - at <= 4)
                    verb_first.update((noun, verb) for place, verb in verbs if 0 < at - place <= 8 and place <= 3)
    return noun_first, verb_first


def _is_of(word: str, family: str) -> bool:
    verb_class = english().classes.get(word)
    return bool(verb_class) and family_of(verb_class) == family


def _kept(
    before: Counter[tuple[str, str]], after: Counter[tuple[str, str]]
) -> Iterable[tuple[str, tuple[str, ...], bool]]:
    for counts, is_noun_first in ((before, True), (after, False)):
        forms: dict[str, list[str]] = {}
        for (noun, verb), runs in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if runs >= _LEAST_RUNS:
                forms.setdefault(noun, []).append(verb)
        for noun, verbs in forms.items():
            yield noun, tuple(verbs[:_MOST_FORMS]), is_noun_first


def _pattern(noun: str, forms: Sequence[str], *, is_noun_first: bool) -> str:
    said = f"(?:{'|'.join(forms)})"
    if is_noun_first:
        return rf"{_OPENING}(?:(?:the|a|an|your|this|that) (?:[^\s.,;:!?]+ ){{0,3}}?)?{noun}s?{_LINKS}\s+{said}\b"
    return rf"{_OPENING}(?:(?:I|we)(?:['’]ve| have)? )?{said}\b[^.,;:!?\n]{{0,60}}?\b{noun}s?\b"
