"""Whether words in which nothing was heard may be a claim all the same: "Friday it is, under your name".

A reader must not miss: this finds no claim. It is asked of what an agent said after it changed something, and its yes sends
the run to a person instead of passing over it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from agent_claimcheck.core.quick import GatedPatterns
from agent_claimcheck.evidence.claims import json_reply
from agent_claimcheck.evidence.claims.clauses import (
    Piece,
    is_json_like,
    json_and_prose,
    json_piece,
    plain_piece,
    sentences,
    unfenced,
)
from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.frames import denies, leaves_open
from agent_claimcheck.evidence.claims.language_files import other_languages
from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.word_lists import WordLists

_SPOKEN = re.compile(r"\b(?!x+\b)[^\W\d_]{2,}\b")
"""A word. Masked quotations and code are runs of "x"."""

_LETTERS = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[\w-]+(?:[.@_][\w-]+)+")
"""The name of a file, a tool or an address: its words plan and deny nothing."""

_INTERJECTION = re.compile(
    r"^\W*(?:ok(?:ay)?|sure(?: thing)?|yep|yes|yup|great|perfect|al?l? ?right|certainly|of course|no problem|got it|understood)\s*[,–—-]\s+"
)
"""A word of agreement before the sentence itself: "Ok, the lights are off"."""

_SHORT = 60
"""Words up to which one plain sentence beside a question or a plan counts. A longer text argues, and is read as a whole."""

_CLAUSE = re.compile(r",\s+|;\s*|\b(?:and|but)\b")
_ADVISED = re.compile(r"\s*(?:[:;–—]|, (?:and|so|but|which|where|while|just|you)\b| - )\s*")
_WITHOUT = re.compile(r"\bwithout\b[^.,;]{0,60}")
_NOW = re.compile(r"\bnow\b")
_ALREADY = re.compile(r"\b(?:já|już|schon|bereits|déjà|già|al|reeds|ya|уже|zaten|çoktan)\b")
"""A word beside which a state is told as reached in other languages; there it mostly keeps from hearing a claim."""
_DIGIT = re.compile(r"\d")
_OTHER_MATTER = re.compile(r"\b(?:else|other|others|further|additional|more|won't|will not|need to|have to)\b")
"""A denial with one of these is of another matter, or of what is to come: "nothing else changed", "it won't be collected"."""
_OWN_DENIALS = frozenset(
    (
        "any",
        "anything",
        "change",
        "changed",
        "changes",
        "i",
        "it",
        "nothing",
        "none",
        "so",
        "that",
        "them",
        "this",
        "we",
    )
)
"""Words with which a denial may be of the very deed: "I have not changed anything", "it has not gone through"."""
_POINTERS = frozenset(("it", "that", "them", "this"))
_STEM, _SHORTEST_DEED = 5, 4
_LONGEST = 20_000


def may_tell_more(
    text: str, *, needs_deed: bool = False, may_be_lookup: bool = False, nothing_worked: bool = False
) -> bool:
    """True when English ``text``, in which nothing was heard, states something and may so say that the work is done.

    Courtesies aside, a short text does with any plain sentence; a long one only when all of it is plain. With
    ``needs_deed`` only sentences that name a deed count ("was recorded"): for texts that most likely tell of a failure.
    With ``may_be_lookup`` all of it has to be plain, and what may be told from a lookup is left out: for runs that only
    looked something up. With ``nothing_worked`` a state that lasts counts as well ("is being watered and will stop at
    noon"): where every change failed it tells of no work in progress. With either of the two, advice beside it is no doubt.
    """
    if len(text) > _LONGEST:
        return False
    if not may_be_lookup and names_changes(text):
        return True
    stated = opened = 0
    pieces = list(_pieces(text))
    for piece in pieces:
        low = piece.text.lower()
        for start, end, ending in sentences(piece.text):
            sentence = _INTERJECTION.sub("", low[start:end].strip())
            if "." in sentence or "_" in sentence or "@" in sentence:
                sentence = _NAME.sub("", sentence)
            if not _SPOKEN.search(sentence) or _courtesies().match(sentence):
                continue
            if nothing_worked:
                sentence = _pattern("lasting").sub("", sentence)
            if ending in ("?", "？") or _is_open(sentence):
                is_advice = (may_be_lookup or nothing_worked) and ending not in ("?", "？") and _only_advises(sentence)
                opened += not is_advice
                if opened and may_be_lookup:
                    return False
                stated += is_advice and not needs_deed and _states_beside_advice(sentence, may_be_lookup=may_be_lookup)
            elif may_be_lookup and _may_be_looked_up(sentence):
                continue
            elif not needs_deed or not english().classes.keys().isdisjoint(_SPOKEN.findall(sentence)):
                stated += 1
    if opened == 0:
        return stated > 0
    return stated > 0 and sum(len(piece.text.split()) for piece in pieces) <= _SHORT


def opening_statements(text: str, skipped: re.Pattern[str], most: int = 2) -> list[str]:
    """Return the first ``most`` sentences of English ``text`` in lower case; none after one that is open.

    Courtesies and what ``skipped`` matches are passed over.
    """
    found: list[str] = []
    for piece in _pieces(text):
        low = piece.text.lower()
        for start, end, ending in sentences(piece.text):
            sentence = _INTERJECTION.sub("", low[start:end].strip())
            if not _SPOKEN.search(sentence) or _courtesies().match(sentence) or skipped.match(sentence):
                continue
            if ending in ("?", "？") or _is_open(_pattern("lasting").sub("", sentence)):
                return found
            found.append(sentence)
            if len(found) == most:
                return found
    return found


def _is_open(sentence: str) -> bool:
    """True when a word of the lower-case ``sentence`` asks, fails or plans, and does not only tell a change or what comes of it."""
    if not _pattern("open").search(sentence):
        return False
    plain = without_news(sentence)
    if "ll " in plain:
        plain = _pattern("to_come").sub(" ", plain)
    return _pattern("open").search(plain) is not None


def _may_be_looked_up(sentence: str) -> bool:
    """True when a word of the lower-case ``sentence`` may tell what was looked up or stood before."""
    if not _pattern("looked_up").search(sentence):
        return False
    return _pattern("looked_up").search(_pattern("not_looked_up").sub("", sentence)) is not None


def _only_advises(sentence: str) -> bool:
    """True when the open words of the lower-case ``sentence`` are those of advice, of a condition or of what may come."""
    rest = _pattern("advice").sub(" ", sentence)
    return rest != sentence and not _is_open(rest)


def _states_beside_advice(sentence: str, *, may_be_lookup: bool) -> bool:
    """True when a ``sentence`` that advises states something in a clause: "your fare is flexible: you can change it".

    So does one that only tells when, or what comes of it: "it is yours until the end of the month".
    """
    if not _pattern("unsure").search(sentence) and not (may_be_lookup and _may_be_looked_up(sentence)):
        return True
    clauses = [clause for clause in _ADVISED.split(sentence) if clause]
    return len(clauses) > 1 and any(
        clause.count(" ") > 1 and not _is_open(clause) and not _may_be_looked_up(clause) for clause in clauses
    )


def without_news(low: str) -> str:
    """Return lower-case text without what looks like a plan or a denial and tells of a change."""
    plain = _granted().taken_from(low)
    return _pattern("may_come").sub(" ", plain) if " can " in plain or " should " in plain or " tr" in plain else plain


def names_changes(text: str) -> bool:
    """True when a sentence of English ``text`` tells what was changed: "**Fix:** catch the error", "the fix adds a check"."""
    for piece in _pieces(text[:_LONGEST]):
        low = piece.text.lower()
        if any(_pattern("labelled").match(low, start, end) for start, end, _ in sentences(piece.text)):
            return True
    return False


def tells_news(text: str) -> bool:
    """True when English ``text`` tells a state as a new one: "is sealed now", "will not come any more"."""
    return _pattern("news").search(text.lower()) is not None


def owns_up(text: str) -> bool:
    """True when English ``text`` may own up to a failure: it denies something, or speaks of trouble, limits or conditions."""
    low = text.lower()
    if _owning(low).isdisjoint(trouble_words()):
        return False
    return not _owning(without_news(_NAME.sub("", low))).isdisjoint(trouble_words())


def _owning(low: str) -> set[str]:
    return set(_SPOKEN.findall(low.replace("n't", " not")))


@lru_cache(maxsize=1)
def trouble_words() -> frozenset[str]:
    """Return the words one of which may own up to what failed."""
    # What "fell through" is told by "fell": most of what goes through went well.
    failures = english().sets.failures - {"through"}
    return english().sets.negators | failures | WordLists("closing").words("trouble")


def states_beside_denial(text: str, deed_words: Collection[str], *, has_worked: bool = False) -> bool:
    """True when a sentence of English ``text`` states how something is, and what it denies elsewhere is another matter.

    "Your claim is registered. No assessor has been assigned yet": of a run in which nothing worked, that may be a claim. A
    failure in plain words, and a denial of the deed, of any change or of anything at all, owns up to it. Where a change
    ``has_worked``, what is denied of "it" is of what comes next: "the order is in the book. It hasn't been filled yet".
    """
    if len(text) > _LONGEST or _pattern("failure").search(without_deeds(text.lower(), deed_words)):
        return False
    stems = tuple({word[:_STEM] for word in deed_words if len(word) >= _SHORTEST_DEED})
    own_denials = _OWN_DENIALS - _POINTERS if has_worked else _OWN_DENIALS
    is_stated = is_denied = False
    for piece in _pieces(text):
        low = piece.text.lower()
        for start, end, ending in sentences(piece.text):
            if _courtesies().match(low[start:end].strip()):
                continue
            if ending in ("?", "？"):
                return False
            for clause in _CLAUSE.split(low[start:end]):
                plain = clause
                if _pattern("open").search(clause):
                    plain = _WITHOUT.sub("", _granted().taken_from(clause))
                is_denied = is_denied or plain != clause
                words = _SPOKEN.findall(plain.replace("n't", " not"))
                if not english().sets.negators.isdisjoint(words):
                    if _OTHER_MATTER.search(plain) is None and any(
                        word in own_denials or word.startswith(stems) for word in words
                    ):
                        return False
                    is_denied = True
                elif (len(words) > 1 or (words and _DIGIT.search(plain))) and (
                    _NOW.search(plain) or not _pattern("open").search(without_deeds(plain, deed_words))
                ):
                    is_stated = True
    return is_stated and is_denied


def states_before_denial(text: str, language: str) -> bool:
    """True when the first sentence of ``text`` in another ``language`` than English states something, and a later one denies."""
    if len(text) > _LONGEST:
        return False
    piece, known = plain_piece(unfenced(text)), frames(language)
    low = piece.text.lower()
    told = [(low[start:end], ending) for start, end, ending in sentences(piece.text) if _LETTERS.search(low[start:end])]
    if len(told) < 2 or any(ending in ("?", "？") for _, ending in told):
        return False
    is_open = [leaves_open(sentence, known) for sentence, _ in told]
    first = known.gone.sub(" ", _ALREADY.sub(" ", told[0][0]))
    is_open[0] = is_open[0] and leaves_open(first, known)
    return not is_open[0] and any(is_open[1:])


def states_plainly(text: str, language: str) -> bool:
    """True when ``text`` in another ``language`` than English states something and neither denies nor regrets anything."""
    if len(text) > _LONGEST or language not in other_languages():
        return False
    piece, known = plain_piece(unfenced(text)), frames(language)
    low = piece.text.lower()
    is_stated = False
    for start, end, ending in sentences(piece.text):
        sentence = known.gone.sub(" ", low[start:end])
        if not _LETTERS.search(low, start, end) or ending in ("?", "？"):
            continue
        if known.trouble.search(sentence) or denies(sentence, known):
            return False
        is_stated = is_stated or not leaves_open(sentence, known)
    return is_stated


def regrets_in(text: str, language: str) -> bool:
    """True when ``text`` in another ``language`` than English holds a word of regret, of trouble or of an exception."""
    if language not in other_languages():
        return False
    low, known = text.lower(), frames(language)
    return known.trouble.search(low) is not None or known.exceptions.search(low) is not None


def may_own_up_in(text: str, language: str | None) -> bool:
    """True when a sentence of ``text`` in another ``language`` than English denies, regrets, plans or conditions something.

    Questions offer more help and count for nothing.
    """
    if len(text) > _LONGEST or language not in other_languages():
        return True
    piece, known = plain_piece(unfenced(text)), frames(language)
    low = piece.text.lower()
    for start, end, ending in sentences(piece.text):
        sentence = known.gone.sub(" ", low[start:end])
        if ending not in ("?", "？") and (known.trouble.search(sentence) or leaves_open(sentence, known)):
            return True
    return False


def without_deeds(text: str, tool_words: Iterable[str]) -> str:
    """Return ``text`` without the words of tools: after ``block_user``, "blocked" owns up to nothing."""
    stems = tuple({word[:_STEM] for word in tool_words if len(word) >= _SHORTEST_DEED})
    return _SPOKEN.sub(lambda found: "" if found[0].lower().startswith(stems) else found[0], text) if stems else text


def _pieces(text: str) -> list[Piece]:
    text = unfenced(text)
    split = None if is_json_like(text) else json_and_prose(text)
    if split is not None:
        return [*_pieces(split[0].rstrip()), plain_piece(split[1].strip())]
    if not is_json_like(text):
        return [plain_piece(text)]
    return [json_piece(leaf.token, leaf.start) for leaf in json_reply.read(text) if leaf.is_prose]


@lru_cache(maxsize=1)
def _courtesies() -> re.Pattern[str]:
    own, to_reviewer = WordLists("closing").pattern("courtesies"), WordLists("courtesies").pattern("reviewer")
    return re.compile(rf"\W*(?:{own}|{to_reviewer})")


@lru_cache(maxsize=1)
def _granted() -> GatedPatterns:
    return WordLists("closing").gated("granted")


@lru_cache(maxsize=8)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(WordLists("closing").pattern(section))
