"""A result that denies the very deed its tool is named after: ``merge_pr`` answers ``{"merged": false}``.

A reader must not miss: deeds that may leave all as wished are not asked (``created: false`` of what was there already), and
any other field that is true may tell of another way it was done (``{"sent": false, "queued": true}``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from agent_claimcheck.evidence.tool_names import read_verb

_MOST_FIELDS = 64
_MAY_BE_SO_ALREADY = frozenset(
    {"add", "change", "create", "edit", "enrol", "enroll", "ensure", "follow", "insert", "join", "mark", "modify", "overwrite",
     "patch", "refresh", "register", "rename", "replace", "set", "subscribe", "sync", "update", "upsert", "write"}
)  # fmt: skip
_IRREGULAR = {"send": "sent", "pay": "paid", "buy": "bought", "put": "put", "withdraw": "withdrawn"}


def denied_deed(body: Mapping[str, Any], words: tuple[str, ...]) -> str | None:
    """Return the key of ``body`` that is false and names the deed of a tool with these ``words``, or ``None``."""
    denied = [key for key, value in islice(body.items(), _MOST_FIELDS) if value is False]
    if not denied or any(value is True for value in islice(body.values(), _MOST_FIELDS)):
        return None
    wanted = {participle for word in words[:4] for participle in _participles(word)}
    return next((key for key in denied if _bare(key) in wanted), None)


def _bare(key: str) -> str:
    low = key[:40].casefold().replace("_", "")
    return low.removeprefix("is").removeprefix("was")


@lru_cache(maxsize=512)
def _participles(word: str) -> frozenset[str]:
    verb = read_verb(word)
    if verb is None or verb[0] != "write" or word in _MAY_BE_SO_ALREADY or len(word) < 3:
        return frozenset()
    if word in _IRREGULAR:
        return frozenset({_IRREGULAR[word]})
    if word.endswith("e"):
        return frozenset({word + "d"})
    return frozenset({word + "ed", word + word[-1] + "ed", word[:-1] + "ied"})
