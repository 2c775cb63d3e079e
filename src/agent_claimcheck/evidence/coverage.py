"""Could a call have done what a claim says? Classes of action, grouped in families.

A reader must not miss: "no" is an accusation's first half, so it is said only where the two families have nothing to
do with each other. In doubt the answer is ``None``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("actions")
_FAMILIES = _LISTS.keys_by_word("families")
_ANY_WRITE = _LISTS.words("any_write")
_SYNONYMS = _LISTS.keys_by_word("synonyms")
_APART = frozenset(frozenset((one, two)) for one, others in _LISTS.table("apart").items() for two in others)
"""Families where one cannot be the other. Everything else is a maybe."""
_READ_CLAIMS = _LISTS.words("read_claims")
_STEMS = _LISTS.table("stems")
_PLAIN = frozenset({"created", "added", "updated", "changed", "sent", "recorded", "saved"})
"""Claims so general that any action of their family makes them true."""
_FILE_NOT = frozenset({"refund", "money", "ship"})
_KEPT_CHARS = 80
"""Claim types longer than this are no word of ours; remembering them would only let a hostile trace fill memory."""


class _EffectLike(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def verb_class(self) -> str | None: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def is_file_change(self) -> bool: ...
    @property
    def is_shell(self) -> bool: ...


def family_of(verb_class: str | None) -> str | None:
    """Return the family of a class (``booked`` is ``obtain``), or ``None`` for words not listed."""
    return _FAMILIES.get(verb_class) if verb_class else None


def class_covers(claim_class: str, effect: _EffectLike) -> bool | None:
    """Could this call have done what the claim says? ``None`` when nobody can tell.

    A read covers no change. A call of unknown effect covers nothing for sure and rules nothing out. ``completed`` is
    covered by any write.
    """
    covers = _covers if len(claim_class) <= _KEPT_CHARS else _covers.__wrapped__
    return covers(claim_class, effect.kind, effect.verb_class, effect.words, effect.is_file_change, effect.is_shell)


def classes_covered(claim_classes: frozenset[str], effect: _EffectLike) -> frozenset[str]:
    """Return those of a few fixed ``claim_classes`` that the call could have done, or of which nobody can tell."""
    return _classes_covered(
        claim_classes, effect.kind, effect.verb_class, effect.words, effect.is_file_change, effect.is_shell
    )


@lru_cache(maxsize=4096)
def _classes_covered(
    classes: frozenset[str], kind: str, did: str | None, words: tuple[str, ...], is_file_change: bool, is_shell: bool
) -> frozenset[str]:
    return frozenset(one for one in classes if _covers(one, kind, did, words, is_file_change, is_shell) is not False)


@lru_cache(maxsize=4096)
def _covers(
    claim_class: str, kind: str, did: str | None, words: tuple[str, ...], is_file_change: bool, is_shell: bool
) -> bool | None:
    claim = claim_class.strip().lower().replace(" ", "_")
    if kind == "read":
        return None if claim in _READ_CLAIMS else False
    if claim in _ANY_WRITE:
        return True if kind == "write" else None
    wanted, given = _FAMILIES.get(claim), _FAMILIES.get(did) if did else None
    if did == "drafted" and claim == "sent" and "send" not in words:
        return False  # what was only drafted is not sent
    if wanted == "test" and given == "test":
        return True
    if kind == "unknown":
        return None
    if wanted == "test":
        # An editor or a mail tool runs no tests; a command line may.
        return None if is_shell or _mentions(words, "test") else False
    if did is not None and _SYNONYMS.get(claim, claim) == _SYNONYMS.get(did, did):
        return True
    if is_file_change:
        return _file_covers(wanted, given)
    if wanted is None or given is None:
        return None
    if wanted == given:
        # Within one family: "added" by create, "ordered" by book. Surely so only for the plain words of it.
        return True if claim in _PLAIN else None
    if frozenset((wanted, given)) in _APART and not _mentions(words, wanted):
        return False
    if wanted == "obtain" and given == "create" and _mentions(words, "obtain"):
        return True
    return None


def _file_covers(wanted: str | None, given: str | None) -> bool | None:
    if wanted in _FILE_NOT:
        return None
    if wanted in ("create", "change") and given in ("create", "change", "remove", "code", None):
        return True
    return True if wanted is not None and wanted == given else None


def _mentions(words: tuple[str, ...], family: str) -> bool:
    stems = _STEMS.get(family, ())
    return any(word.startswith(stems) for word in words) if stems else False
