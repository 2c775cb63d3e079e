"""Reads replies that are JSON: their prose values, and the status fields and key names that are themselves claims.

A reader must not miss: a status deep inside listed data tells how things stand; only the reply's own status, or one
under a key such as ``actions_completed``, says what the agent did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.json_tokens import json_strings
from agent_claimcheck.evidence.claims.vocabulary import english

_STATUS_KEYS = frozenset(
    ("status", "result", "outcome", "state", "action", "action_taken", "task_status", "final_status")
)
_ACTIONS = r"(?:action|change|update|request|step|task|operation|cancellation|exchange|return|booking|order)s?"
_FINISHED = r"(?:completed|taken|made|performed|executed|processed|done|submitted|applied|confirmed)"
_DONE_KEY = late_pattern(
    rf"^(?:{_ACTIONS}_{_FINISHED}|{_FINISHED}_{_ACTIONS}|what_changed|what_was_done|status_updates?)$"
)
_ACTION_STATUS = late_pattern(
    r"(?:\w+_)?(?:update|change|cancellation|booking|exchange|return|refund|submission|request|task|action|operation)_status$"
)
_NOT_DONE = late_pattern(
    r"already|not_|pending|eligible|to_be|ready_for|needs|failed|error|will|cannot|unable|awaiting|requires?"
)
_SUCCESS_VALUES = frozenset(
    ("success", "successful", "succeeded", "completed", "complete", "done", "finished", "resolved")
)
_SUCCESS_FLAGS = frozenset(("success", "ok", "succeeded", "successful", "is_success"))
""""success": true says of the whole reply that it was done."""
_OF_RECORDS = frozenset(("status", "state"))
""""status": "delivered" tells how an order stands."""
_TASK_LISTS = frozenset(("tasks", "steps", "subtasks", "actions"))
_DEED_LISTS = frozenset(("actions", "changes", "updates", "log", "done", "steps", "summary", "results", "notes"))
"""Keys under which a short text that begins with a deed is a sentence: "cancelled order 48213"."""
_PROSE_KEYS = frozenset(("message", "response", "text", "answer", "note", "summary", "content", "reply"))
_TRUE = "true"
_MOST_CONTAINERS = 20
_SPLIT = late_pattern(r"[\s_\-]+")
_NONE_VALUES = late_pattern(r"^(?:none|no\b|n/a|null|false|nothing|skipped|not\b|)", re.IGNORECASE)


class Leaf(Struct, frozen=True):
    """One string of the reply, as its ``token`` at ``start``. ``verb_class`` is set when it is a claim by itself.

    ``around`` is the part of the reply that holds its values. ``is_flag`` marks ``"cancelled": true``, which may as well
    tell how things stand; one of class ``completed`` may even speak of the look-up itself. Prose is read like any text.
    """

    token: str
    start: int
    is_prose: bool = False
    verb_class: str = ""
    around: str = ""
    is_flag: bool = False


def read(text: str) -> Iterator[Leaf]:
    """Yield what may claim something in the JSON-like ``text``, in order; linear, and indifferent to broken JSON."""
    containers = 0
    for keys, token, start in json_strings(text):
        last = _snake(keys[-1]) if keys else ""
        if not token:
            is_claim = _is_done_key(last) and "status" not in last and containers < _MOST_CONTAINERS
            if is_claim and not text[start : start + 3].replace(" ", "").startswith(("[]", "{}")):
                containers += 1
                named = max(0, text.rfind(keys[-1], 0, start))
                yield Leaf(keys[-1], named, verb_class="completed", around=text[start : start + 400])
            continue
        if token == _TRUE and len(keys) == 1 and _class_of_flag(last):
            named = max(0, text.rfind(keys[-1], 0, start))
            around = text[max(0, start - 200) : start + 200]
            yield Leaf(keys[-1], named, verb_class=_class_of_flag(last), around=around, is_flag=True)
            continue
        if not keys or len(token) > 80 or token.count(" ") > 3 or (last in _DEED_LISTS and _tells_deed(token)):
            yield Leaf(token, start, is_prose=True)
            continue
        words = [word for word in _SPLIT.split(token[:80].lower()) if word]
        verb_class = ""
        is_own = last in _STATUS_KEYS and (len(keys) == 1 or any(_is_done_key(_snake(key)) for key in keys))
        if words and (is_own or (words[0] in _SUCCESS_VALUES and _ACTION_STATUS.match(last))):
            verb_class = "" if last in _OF_RECORDS and words[0] in english().sets.states else _class_of(words, token)
        if verb_class:
            yield Leaf(token, start, verb_class=verb_class, around=text[max(0, start - 200) : start + 200])
        elif len(keys) == 2 and _is_task_done(keys, last, words):
            yield Leaf(
                token, start, verb_class="completed", around=text[max(0, start - 200) : start + 200], is_flag=True
            )
        elif len(keys) == 1 and len(words) == 1 and _is_deed(words[0]):
            # {"hall": "booked"}: what became of each thing.
            around = text[max(0, start - 200) : start + 200]
            yield Leaf(token, start, verb_class=english().classes[words[0]], around=around, is_flag=True)
        elif last in _PROSE_KEYS:
            yield Leaf(token, start, is_prose=True)


def _is_task_done(keys: tuple[str, ...], last: str, words: list[str]) -> bool:
    """True for ``{"tasks": [{"name": ..., "status": "done"}]}``."""
    return last in _STATUS_KEYS and _snake(keys[0]) in _TASK_LISTS and len(words) == 1 and words[0] in _SUCCESS_VALUES


def _class_of_flag(key: str) -> str:
    return "completed" if key in _SUCCESS_FLAGS else english().classes.get(key, "")


def _tells_deed(token: str) -> bool:
    """True for a text that begins with a deed: "cancelled order 48213"."""
    first, space, _ = token.partition(" ")
    return bool(space) and _is_deed(first.lower())


def _is_deed(word: str) -> bool:
    """True for a word that tells a deed and no mere state: "booked", not "closed"."""
    return bool(english().classes.get(word)) and word not in english().state_like


@lru_cache(maxsize=2048)
def _is_done_key(name: str) -> bool:
    return bool(_DONE_KEY.match(name)) and not _NOT_DONE.search(name)


def _class_of(words: list[str], value: str) -> str:
    joined = "_".join(words)
    if _NOT_DONE.search(joined) or _is_none(value):
        return ""
    if words[0] in _SUCCESS_VALUES and len(words) == 1:
        return "completed"
    classes = english().classes
    for word in (words[-1], words[0]):
        if classes.get(word):
            return classes[word]
    return ""


def _is_none(value: str) -> bool:
    match = _NONE_VALUES.match(value.strip())
    return bool(match and (match[0] or not value.strip()))


@lru_cache(maxsize=2048)
def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower().replace(" ", "_").replace("-", "_")[:80]
