"""A result that tells or denies the very deed its tool is named after: ``merge_pr`` answers ``{"merged": true}``, or false.

A reader must not miss: where the deed is denied, deeds that may leave all as wished are not asked (``created: false`` of what
was there already), and any other field with a value may tell of another way or a later time:
``{"sent": false, "draft_id": "d-1"}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import participles
from agent_claimcheck.evidence.tool_names import read_verb

_MOST_FIELDS = 64
_MAY_BE_SO_ALREADY = frozenset(
    {"add", "change", "create", "edit", "enrol", "enroll", "ensure", "follow", "insert", "join", "mark", "modify", "overwrite",
     "patch", "refresh", "register", "rename", "replace", "set", "subscribe", "sync", "update", "upsert", "write"}
)  # fmt: skip
_SAYS_NO_MORE = frozenset(
    [
        "bounce",
        "cause",
        "code",
        "detail",
        "details",
        "error",
        "errors",
        "hint",
        "id",
        "message",
        "missing",
        "msg",
        "name",
        "note",
        "reason",
        "to",
        "why",
    ]
)
_EXPLAINS = frozenset(
    {"bounce", "cause", "error", "errors", "explanation", "missing", "problem", "reason", "violations", "why"}
)
"""Fields that say why something was not done."""
_TAKEN = frozenset({"accepted", "executed", "performed"})
"""What an answer says of any order whatever."""
DECIDES = frozenset(
    {"accept", "answer", "approve", "assess", "decide", "decline", "deny", "evaluate", "invite", "moderate", "offer", "propose",
     "reject", "respond", "review", "rsvp", "vote"}
)  # fmt: skip
"""Tools of which the answer may tell a decision, or what somebody else will make of it."""
_KEY_WORD = late_pattern(r"[A-Z]?[a-z]+")
_MAILS = frozenset({"email", "mail", "message", "notify", "sms", "text"})
_IRREGULAR = {"send": "sent", "pay": "paid", "buy": "bought", "put": "put", "withdraw": "withdrawn"}


def denied_deed(body: Mapping[str, Any], words: tuple[str, ...]) -> str | None:
    """Return the key of ``body`` that is false and names the deed of a tool with these ``words``, or ``None``."""
    denied = [key for key, value in islice(body.items(), _MOST_FIELDS) if value is False]
    if not denied or any(
        value not in (None, False, "") and not _says_no_more(key, words)
        for key, value in islice(body.items(), _MOST_FIELDS)
    ):
        return None
    wanted = {part for word in words[:4] if word not in _MAY_BE_SO_ALREADY for part in _participles(word)}
    if any(_IRREGULAR["send"] in _participles(word) or word in _MAILS for word in words[:4]):
        wanted.add("delivered")
    if words and not _EXPLAINS.isdisjoint(body) and read_verb(words[0]) is None:
        wanted.update(
            participles(words[0])
        )  # a verb in no list: ``print_label`` that answers ``printed: false``, and why
    return next((key for key in denied if _bare(key) in wanted), None)


def refused_with_reason(body: Mapping[str, Any], words: tuple[str, ...]) -> str | None:
    """Return the key of ``body`` that is false and says of any order that it was not taken, where another one says why.

    >>> refused_with_reason({"accepted": False, "meter": "M-1", "reason": "outside window"}, ("submit", "reading"))
    'accepted'
    """
    key = next((one for one in _TAKEN & body.keys() if body[one] is False), None)
    if key is None or not DECIDES.isdisjoint(words):
        return None
    return key if any(body[one] not in (None, "", [], {}, False) for one in _EXPLAINS & body.keys()) else None


def told_deed(body: Mapping[str, Any], words: tuple[str, ...]) -> str | None:
    """Return the key of ``body`` that is true and names the deed of a tool with these ``words``, or ``None``."""
    told = [key for key, value in islice(body.items(), _MOST_FIELDS) if value is True]
    if not told:
        return None
    # ``mark_restocked`` has its deed in its name as it stands.
    wanted = {done for word in words[:4] for done in (*_participles(word), *([word] if word.endswith("ed") else []))}
    return next((key for key in told if _bare(key) in wanted), None)


def _says_no_more(key: str, words: tuple[str, ...]) -> bool:
    """True for a field that explains the denial, or names the record of the tool: ``order_id`` for ``cancel_order``."""
    parts = [part.lower() for part in _KEY_WORD.findall(key[:40])]
    if not parts or key.casefold() in _SAYS_NO_MORE:
        return bool(parts)
    is_of_tool = any(part in words for part in parts)
    return is_of_tool and (len(parts) == 1 or parts[-1] in ("id", "key", "number"))


def _bare(key: str) -> str:
    low = key[:40].casefold().replace("_", "")
    return low.removeprefix("is").removeprefix("was")


@lru_cache(maxsize=512)
def _participles(word: str) -> frozenset[str]:
    verb = read_verb(word)
    if verb is None or verb[0] != "write" or len(word) < 3:
        return frozenset()
    if word in _IRREGULAR:
        return frozenset({_IRREGULAR[word]})
    if word.endswith("e"):
        return frozenset({word + "d"})
    return frozenset({word + "ed", word + word[-1] + "ed", word[:-1] + "ied"})
