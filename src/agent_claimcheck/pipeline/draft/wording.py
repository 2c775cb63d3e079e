"""Proposes claim types and claim patterns: which words would tell that a tool's work was done.

A reader must not miss: the patterns begin where a sentence begins, so that "once I have booked it" is no claim. They find
little and accuse nobody; the general finder reads the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.tool_names import read_tool_name, read_verb, split_name
from agent_claimcheck.pipeline.draft.definitions import DefinedTool

_MOST_FORMS = 5
_MOST_NOUNS = 3
_OPENING = r"(?:^|[.!:\n]\s*)"
_SAME_CLAUSE = r"[^.,;:!?\n]"
_NUMBERED = r"[^\s,;:!?]*\d[^\s,;:!?]*"
"""A name such as ``v1.4.2`` or ``#17``."""
_ADVERB = r"(?:(?:now|just|successfully|also) )?"
_NO_NOUNS = frozenset(
    (
        *("api", "the", "for", "from", "new", "all", "and", "with"),
        *("item", "items", "record", "records", "data", "info", "details", "tool"),
    )
)
"""Words of tool names that name nothing in particular."""
_LAST_PIECE = re.compile(r"(?:[^./:_]|_(?!_))+")
_PLAIN_WORD = re.compile(r"[a-z]{3,20}\Z")


@lru_cache(maxsize=256)
def _forms_of(verb_class: str) -> tuple[str, ...]:
    """Return the words that claim this class ("booked", "reserved" ...), the class itself first where it is a word."""
    forms = [form for form, known in english().classes.items() if known == verb_class and _PLAIN_WORD.match(form)]
    if verb_class in forms:
        forms.remove(verb_class)
        forms.insert(0, verb_class)
    return tuple(forms[:_MOST_FORMS]) or ((verb_class,) if _PLAIN_WORD.match(verb_class) else ())


def nouns_of(tool: str, params: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what a tool is about: the words of its name that are no verb, or the owner of an id among its arguments."""
    verb = read_tool_name(tool).verb
    words: list[str] = []
    # The server's name says what it is about only where the tool's own name does not.
    for piece in (_LAST_PIECE.findall(tool[:200])[-1:], [tool]):
        words = words or [word for name in piece for word in split_name(name) if word != verb and is_telling_word(word)]
    if not words:
        owners = [name[:-3] for name in params if name.lower().endswith("_id")]
        words = [owner.lower() for owner in owners if _PLAIN_WORD.match(owner.lower())]
    return tuple(dict.fromkeys(_singular(word) for word in words))[:_MOST_NOUNS]


def is_telling_word(word: str) -> bool:
    """The word of a tool's name names something in particular."""
    return bool(_PLAIN_WORD.match(word)) and word not in _NO_NOUNS and not _is_verb_form(word)


def claim_type_of(verb_class: str, nouns: Sequence[str]) -> str:
    """Return a name for the claim: ``desk_booked``; ``booked`` when the tool's name has no noun."""
    return f"{nouns[-1]}_{verb_class}" if nouns else verb_class


def telling_nouns(tool: DefinedTool, others: Iterable[DefinedTool]) -> tuple[str, ...]:
    """Return the noun that tells the work of ``tool`` from that of every other tool; nothing when none does.

    The last word of a name is what it is about: "message" for ``send_direct_message``. When ``send_channel_message`` is
    there as well, "I sent the message" may mean either, and no pattern is made of it.
    """
    nouns = nouns_of(tool.name, tool.params)
    if not nouns:
        return ()
    family = family_of(tool.verb_class)
    for other in others:
        if other.name == tool.name or other.kind == "read":
            continue
        is_alike = other.verb_class is None or family_of(other.verb_class) in (family, None)
        if is_alike and nouns[-1] in nouns_of(other.name, other.params):
            return ()
    return nouns[-1:]


def is_told_by_verb(tool: DefinedTool, others: Iterable[DefinedTool]) -> bool:
    """The name has no noun, and no other tool has this verb: "I have deployed it" means this one."""
    if nouns_of(tool.name, tool.params):
        return False
    return not any(
        other.name != tool.name and other.kind != "read" and other.verb_class == tool.verb_class for other in others
    )


def parts_of_type(claim_type: str) -> tuple[str, tuple[str, ...]]:
    """Split a declared claim type into a verb class and nouns: ``invite_sent`` gives ``sent`` and ``invite``."""
    words = [word for word in claim_type.lower().split("_") if _PLAIN_WORD.match(word)]
    verbs = [word for word in words if english().classes.get(word)]
    if not verbs:
        return "", tuple(words)
    return english().classes[verbs[-1]], tuple(_singular(word) for word in words if word != verbs[-1])


def patterns_of(verb_class: str, nouns: Sequence[str]) -> tuple[str, ...]:
    """Return patterns for "I have booked the desk" and "The desk has been booked", at the start of a sentence."""
    forms = _forms_of(verb_class)
    if not forms:
        return ()
    did = f"(?:{'|'.join(forms)})"
    ours = rf"{_OPENING}(?:I|we)(?:['’]ve| have)? {_ADVERB}{did}\b"
    if not nouns:
        return (
            ours,
            # The dots of a version begin no sentence.
            rf"(?:^|[.!:]\s+|\n\s*)(?:(?:the|your|this|both|all)\b|{_NUMBERED}){_SAME_CLAUSE}{{0,60}}?"
            rf"\b(?:has|have) (?:now )?been {_ADVERB}{did}\b",
        )
    named = f"(?:{'|'.join(nouns)})s?"
    return (
        rf"{ours}{_SAME_CLAUSE}{{0,60}}?\b{named}\b",
        rf"{_OPENING}(?:the|your|both|all)\b{_SAME_CLAUSE}{{0,60}}?\b{named}\b{_SAME_CLAUSE}{{0,40}}?"
        rf"\b(?:has|have) been {_ADVERB}{did}\b",
    )


def _is_verb_form(word: str) -> bool:
    return read_verb(word) is not None and word.endswith(("ed", "ing"))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
