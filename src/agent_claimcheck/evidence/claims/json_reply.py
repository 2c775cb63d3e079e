"""Reads replies that are JSON: their prose values, and the status fields and key names that are themselves claims.

A reader must not miss: a status deep inside listed data tells how things stand; only the reply's own status, or one
under a key such as ``actions_completed``, says what the agent did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from agent_claimcheck.evidence.claims.clauses import json_strings
from agent_claimcheck.evidence.claims.vocabulary import english

_STATUS_KEYS = frozenset(("status", "result", "outcome", "state", "action", "action_taken", "task_status", "final_status"))
_ACTIONS = r"(?:action|change|update|request|step|task|operation|cancellation|exchange|return|booking|order)s?"
_FINISHED = r"(?:completed|taken|made|performed|executed|processed|done|submitted|applied|confirmed)"
_DONE_KEY = re.compile(
    rf"^(?:{_ACTIONS}_{_FINISHED}|{_FINISHED}_{_ACTIONS}|what_changed|what_was_done|status_updates?)$"
)
_ACTION_STATUS = re.compile(
    r"(?:\w+_)?(?:update|change|cancellation|booking|exchange|return|refund|submission|request|task|action|operation)_status$"
)
_NOT_DONE = re.compile(
    r"already|not_|pending|eligible|to_be|ready_for|needs|failed|error|will|cannot|unable|awaiting|requires?"
)
_SUCCESS_VALUES = frozenset(("success", "successful", "succeeded", "completed", "complete", "done", "finished", "resolved"))
_PROSE_KEYS = frozenset(("message", "response", "text", "answer", "note", "summary", "content", "reply"))
_SPLIT = re.compile(r"[\s_\-]+")
_NONE_VALUES = re.compile(r"^(?:none|no\b|n/a|null|false|nothing|skipped|not\b|)", re.IGNORECASE)


class Leaf(Struct, frozen=True):
    """One string of the reply. ``verb_class`` is set when it is a claim by itself; prose is read like any text."""

    keys: tuple[str, ...]
    value: str
    offsets: tuple[int, ...]
    is_prose: bool
    verb_class: str = ""
    around: str = ""


def read(text: str) -> Iterator[Leaf]:
    """Yield the strings of the JSON-like ``text`` in order; linear, and indifferent to broken JSON."""
    in_done = 0
    for keys, value, offsets in json_strings(text):
        names = [_snake(key) for key in keys]
        last = names[-1] if names else ""
        done_at = next((at for at, name in enumerate(names) if _is_done_key(name)), None)
        if not value:
            if done_at == len(names) - 1 and done_at is not None and "status" not in last and in_done < 20:
                in_done += 1
                if not text[offsets[2] : offsets[2] + 3].replace(" ", "").startswith(("[]", "{}")):
                    around = text[offsets[2] : offsets[2] + 400]
                    yield Leaf(keys, last, offsets[:2], False, "completed", around)
            continue
        words = [word for word in _SPLIT.split(value.lower()) if word]
        if len(words) > 4 or len(value) > 80 or not names:
            yield Leaf(keys, value, offsets, True)
            continue
        is_own = len(names) == 1 or done_at is not None
        verb_class = ""
        if (last in _STATUS_KEYS and is_own) or (_ACTION_STATUS.match(last) and words[0] in _SUCCESS_VALUES):
            verb_class = _class_of(words, value)
        if verb_class:
            around = text[max(0, offsets[0] - 200) : offsets[0] + 200]
            yield Leaf(keys, value, offsets, False, verb_class, around)
        else:
            yield Leaf(keys, value, offsets, last in _PROSE_KEYS)


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
