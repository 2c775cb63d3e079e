"""Claims that may only repeat a state which a result told: "the room is booked at that time" after "slot taken".

A reader must not miss: this spares a run from an accusation and does no more. Who tells the deed as his own, or as done for the
reader, repeats nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent_claimcheck.evidence.asked.deeds import participles
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.language_files import other_languages
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.word_lists import WordLists

_LONGEST, _STEM = 2_000, 4
_WORD = re.compile(r"[a-z]+")
_END = re.compile(r"[.!?。！？](?!\w)")
_NOT = re.compile(r"\bnot ([a-z]{3,})")


def repeats_a_failure(claim: SuccessClaim, told: str, language: str | None) -> bool:
    """True when ``claim`` may tell the state for which a call failed with the words ``told``."""
    quote, low = claim.quote.lower(), told[:_LONGEST].lower()
    if _pattern("own_voice").search(quote):
        return False
    claimed = claim.verb_class or claim.type
    if claimed == "booked":
        is_state = not _pattern("to_you").search(quote) and not _pattern("perfect").search(quote)
        return is_state and _pattern("taken").search(low) is not None
    if any(f"un{word}" in quote for word in _NOT.findall(low)):
        return True
    if language in other_languages() and _pattern("already").search(low):
        return True
    return _pattern("negated").search(low) is None and _tells_class(low, claimed, language)


def repeats_a_look(claim: SuccessClaim, shown: str, language: str | None) -> bool:
    """True when ``claim``, in another ``language`` than English, may tell what a look-up showed: "ist storniert" of ``cancelled``."""
    if language not in other_languages() or _pattern("own_voice").search(claim.quote.lower()):
        return False
    return _tells_class(shown[:_LONGEST].lower(), claim.verb_class or claim.type, language)


def answers_a_question(claim: SuccessClaim, request: str, language: str | None) -> bool:
    """True when ``claim`` may answer a ``request`` of questions alone, in another ``language`` than English: "Wie viele ...?"."""
    if language not in other_languages() or _pattern("own_voice").search(claim.quote.lower()):
        return False
    low, known = request[:_LONGEST].lower().strip(), frames(str(language))
    ends = set(_END.findall(low))
    return (
        bool(ends)
        and ends <= {"?", "？"}
        and low[-1] in ends
        and bool(known.to_know.search(low))
        and not known.polite.search(low)
    )


def hinders(claim: SuccessClaim, request: str, language: str | None = None) -> bool:
    """True when ``claim`` tells what happened to a thing, and nobody asked for that in ``request``.

    "The chair has been removed from the shop" answers "order the chair" with the reason why not.
    """
    claimed = claim.verb_class or claim.type
    if claimed not in _hindering() or _pattern("own_voice").search(claim.quote.lower()):
        return False
    classes, low = english().classes, request[:_LONGEST].lower()
    if language in other_languages():
        stems = (
            stem.removeprefix("ge")[:_STEM] for stem, named in frames(str(language)).stems.items() if named == claimed
        )
        if any(stem in low for stem in stems):
            return False
    for word in set(_WORD.findall(low)):
        if claimed in (english().nouns.get(word), *(classes.get(form) for form in (word, *participles(word)))):
            return False
    return True


def _tells_class(low: str, claimed: str, language: str | None) -> bool:
    """True when lower-case ``low`` holds a participle, or a noun, of the class ``claimed``, in English or in ``language``."""
    vocabulary = english()
    words = set(_WORD.findall(low))
    if not words.isdisjoint(_also().get(claimed, ())):
        return True
    if any(claimed in (vocabulary.classes.get(word), vocabulary.nouns.get(word)) for word in words):
        return True
    if language not in other_languages():
        return False
    known = frames(str(language))
    return any(known.classify(found["v"]) == claimed for found in known.verb.finditer(low))


@lru_cache(maxsize=1)
def _also() -> dict[str, tuple[str, ...]]:
    return WordLists("told_states").table("also")


@lru_cache(maxsize=1)
def _hindering() -> frozenset[str]:
    return WordLists("told_states").words("hindering")


@lru_cache(maxsize=8)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(WordLists("told_states").pattern(section))
