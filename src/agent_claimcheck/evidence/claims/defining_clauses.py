"""Blanks the clause that says which thing is meant: "The bug where users could not log in has been resolved".

A reader must not miss: what stands in such a clause (a "not", an "if", a "could") is true of the thing and takes nothing
back, but a clause that is told ("The log says that the order we placed has been cancelled") carries the claim itself. So the
sentence must open with a plain noun, the clause must have a verb of its own and no clause within, and the noun must agree
with the "has been" that follows.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.vocabulary import English

_CLAUSE = late_pattern(
    r"\A[\s*>•✅✓✔–—\d.)-]{0,12}(?P<noun>(?:the|a|an|this|your|our|all|every|each|both)(?: [\w`'./-]+){1,5}?)"
    r" (?P<clause>(?P<opener>that|which|who|where|when|whenever|if|whether|until|what|how) (?P<words>[^,;:.!?()—–\n]{3,120}?))"
    r" (?P<verb>has|have)(?= (?:now |also |just |since |successfully )?been )"
)
_APART = frozenset(("unless", "because", "since", "until", "once", "after", "before", "so", "but", "been"))
_NESTED = frozenset(("that", "which", "who", "whose", "whether", "if", "when", "where", "what", "how", "why"))
_TELLS_THAT = frozenset(
    ("fact", "claim", "hope", "belief", "statement", "idea", "news", "assumption", "conclusion", "message", "note", "report",
     "sign", "evidence", "indication", "confirmation", "reason", "possibility", "question", "notice", "rumour", "view", "proof",
     "guarantee", "promise", "doubt", "impression", "word", "email", "mail", "point", "problem", "risk", "chance")
)  # fmt: skip
"""Nouns whose "that" or "whether" may tell something instead of saying which one is meant."""
_TOLD_BY = frozenset(("that", "whether", "if"))
_AFTER_PREPOSITION = frozenset(("what", "how", "whether", "until"))
_MODALS = frozenset(("will", "would", "can", "cannot", "could", "should", "may", "might", "must", "shall"))
_NO_PLURAL = ("ss", "us", "is", "'s")
_RELATIVES = frozenset(("that", "which", "who"))
_OWN_NOUN = frozenset(
    (
        "the",
        "a",
        "an",
        "this",
        "these",
        "those",
        "your",
        "my",
        "our",
        "each",
        "every",
        "all",
        "no",
        "it",
        "he",
        "she",
        "they",
    )
)
""""The bug that the cache ...": such a clause opens with a noun of its own."""


def without_defining_clause(text: str, vocabulary: English) -> str:
    """Return the lower-case sentence ``text`` with such a clause blanked, at its length; as it is where there is none."""
    found = _CLAUSE.match(text)
    if found is None or not _says_which(found, vocabulary):
        return text
    start, end = found.span("clause")
    return f"{text[:start]}{' ' * (end - start)}{text[end:]}"


def _says_which(found: re.Match[str], vocabulary: English) -> bool:
    noun, words, opener = found["noun"].split(), found["words"].split(), found["opener"]
    if not words or not _APART.isdisjoint(words) or not _is_noun(noun, opener, vocabulary):
        return False
    if not _tells_itself(words, vocabulary):
        return False
    if opener in _TOLD_BY and not _TELLS_THAT.isdisjoint(noun) and not _has_verb_at_once(opener, words):
        return False
    before = noun[-1]
    if opener in _AFTER_PREPOSITION and before not in vocabulary.sets.prepositions and opener != "until":
        return False
    if not _agrees(noun, found["verb"]):
        return False
    return _has_verb_at_once(opener, words) or _has_verb(words, vocabulary)


def _tells_itself(words: list[str], vocabulary: English) -> bool:
    """False when the "has been" may end a clause within: "the page where you can see whether the refund has been issued"."""
    reports = vocabulary.sets.reports
    inner = max((at for at, word in enumerate(words) if word in _NESTED or word in reports), default=None)
    if inner is None:
        return True
    told = words[inner + 1 :]
    if not told:
        return words[inner] in reports
    return told[0] == "to" or _has_verb(told, vocabulary)


def _is_noun(noun: list[str], opener: str, vocabulary: English) -> bool:
    """True when no word of ``noun`` is a verb that would tell the clause: "the log says that", "the text explained where"."""
    sets = vocabulary.sets
    for word in noun[1:]:
        if word in sets.be or word in sets.have or word in sets.modals or word in sets.persons or word in sets.reports:
            return False
    return opener in ("if", "when") or not noun[-1].endswith("ed")


def _agrees(noun: list[str], verb: str) -> bool:
    """True when "has" follows a noun without a plural, and "have" one with it: "the manual explains that" does not."""
    plural = [word for word in noun[1:] if word.endswith("s") and not word.endswith(_NO_PLURAL)]
    return bool(plural) if verb == "have" else not plural


def _has_verb_at_once(opener: str, words: list[str]) -> bool:
    """True for "that caused the build to fail": the clause opens with its verb and not with a noun of its own."""
    return opener in _RELATIVES and len(words) > 1 and words[0] not in _OWN_NOUN


def _has_verb(words: list[str], vocabulary: English) -> bool:
    sets = vocabulary.sets
    return any(
        word in sets.be or word in sets.have or word in _MODALS or word in sets.persons or word.endswith(("ed", "n't"))
        or (len(word) > 3 and word.endswith("s") and not word.endswith(_NO_PLURAL))
        for word in words
    )  # fmt: skip
