"""Reads what a tool is for from its name alone: ``mcp__crm__createContact`` creates.

A reader must not miss: a name is a hint. A verb that may go either way (``run``, ``process``, ``open``) is ``unknown``,
and ``unknown`` blocks accusations.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.evidence.word_lists import WordLists

EffectKind = Literal["read", "write", "unknown"]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BREAK = re.compile(r"[\x00-/:-@\[-`{-\x7f\U00010000-\U0010ffff]+")
"""All but digits and letters. Told by what it is, not by what it is not, it is compiled ten times as fast."""

_LISTS = WordLists("tool_names")
_SHELL = _LISTS.words("shell")
_CODE = _LISTS.words("code")
_EDITORS = _LISTS.words("editors")
_CONTENT = _LISTS.words("content")
_OPENED = _LISTS.words("opened")
_RESOLVED = _LISTS.words("resolved")
_READ_ENDINGS = _LISTS.words("read_endings")
_READ_NAMES = _LISTS.words("read_names")
_NOUNS = _LISTS.words("nouns")
_READ_NOUNS = _LISTS.words("read_nouns")
_ACTING = _LISTS.words("acting")
_SURE_LOOKS = _LISTS.words("sure_looks")
_COMPOUNDS = _LISTS.words("compounds")
_STRONG = _LISTS.words("strong")
"""Verbs that are never nouns: found in the middle of a name ("calendar_create_event") they still decide."""
_MONEY = _LISTS.words("money")
_WIRE = _LISTS.words("wire")
_HANDLING = frozenset({"do", "handle", "manage", "perform", "process"})
_SWITCHED = frozenset({"off", "on"})
_LOOKS = frozenset({"find", "look", "search"})
_ASKING = frozenset({"ask", "query"})
_PEOPLE = _LISTS.words("people")
_HELPERS = _LISTS.words("helpers")


class NameReading(Struct, frozen=True, kw_only=True):
    """What a tool's name says. ``words`` are its lower-cased words, server prefix dropped; ``verb`` is the deciding one.

    ``returns_content`` is true for tools whose output is somebody else's text (files, pages, mail), so that an error
    quoted in it is not the tool's own. ``is_shell`` and ``is_editor`` mark command lines and file editors, ``may_list_tasks``
    names that the list of an agent's own tasks may have.
    """

    kind: EffectKind
    verb_class: str | None
    verb: str | None
    words: tuple[str, ...]
    reason: str
    is_shell: bool = False
    is_code: bool = False
    is_editor: bool = False
    returns_content: bool = False
    may_list_tasks: bool = False


_LISTS_OF_TASKS = frozenset({"todo", "todos", "plan", "plans", "task", "tasks", "checklist", "steps"})
_KINDS: dict[str, EffectKind] = {"read": "read", "write": "write", "mixed": "unknown"}
_WORDS: dict[str, tuple[EffectKind, str | None]] = {
    row[0]: (_KINDS[row[1]], row[2] if len(row) > 2 else None) for row in WordLists("verbs").rows("verbs")
}


def does_verb_change(verb: str) -> bool:
    """True when a tool named after ``verb`` would change something, or may."""
    return _WORDS.get(verb, ("read", None))[0] != "read"


def is_reading_verb(verb: str) -> bool:
    """True when a tool named after ``verb`` would only look."""
    return verb in _WORDS and _WORDS[verb][0] == "read"


def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a tool name, lower case: ``functions.getUserDetails`` gives ``get``, ``user``, ``details``.

    An MCP prefix (``mcp__server__``) is dropped; the part after the last dot or slash comes first, then the rest.
    """
    return _split(name)[0]


_NEUTRAL = frozenset({"functions", "default_api", "tools"})
"""Namespaces that models and APIs put before every tool."""
_NEUTRAL_ENDING = re.compile(r"v\d{1,3}|\d{1,3}|tool|api|fn|func")
_CALLING = frozenset({"call", "exec", "execute", "invoke", "run", "use"})
"""Verbs whose object such a word may be: "call_api"."""


def _split(name: str) -> tuple[tuple[str, ...], int]:
    """Return the words of a tool name, and how many of them are its own and no namespace's."""
    bare = name[:200]
    if bare.startswith("mcp__"):
        bare = bare.split("__", 2)[-1]
    pieces = [piece for piece in re.split(r"[./:]+|__", bare) if piece]
    while len(pieces) > 1 and pieces[0].lower() in _NEUTRAL:
        del pieces[0]
    if len(pieces) > 1:
        pieces = [pieces[-1], *pieces[:-1]]
    words: list[str] = []
    own = 0
    for piece in pieces:
        for part in _BREAK.split(piece):
            words.extend(word.lower() for word in _CAMEL.split(part) if word)
        own = own or len(words)
    while len(words) > 1 and _NEUTRAL_ENDING.fullmatch(words[-1]) and words[0] not in _CALLING:
        words.pop()
    return tuple(words[:20]), min(own, len(words), 20)


@lru_cache(maxsize=4096)
def read_tool_name(name: str) -> NameReading:
    """Say whether a tool reads or writes, from its name. Never raises; unknown names are ``unknown``."""
    reading = _read_name(name)
    return reading if _LISTS_OF_TASKS.isdisjoint(reading.words) else replace(reading, may_list_tasks=True)


def _read_name(name: str) -> NameReading:
    words, own = _split(name)
    joined = "_".join(words)
    flat = joined.replace("_", "")
    if not words:
        return NameReading(kind="unknown", verb_class=None, verb=None, words=(), reason="the call has no name")
    if name.lower() in _EDITORS or joined in _EDITORS or flat in _EDITORS:
        first = words[0]
        made = "created" if first in ("create", "write") else "added" if first in ("append", "insert") else "updated"
        return NameReading(
            kind="write", verb_class=made, verb=words[0], words=words, reason="a file editor", is_editor=True
        )
    if joined in _READ_NAMES or flat in _READ_NAMES:
        return NameReading(
            kind="read", verb_class=None, verb=words[0], words=words, reason=f"'{joined}' only reads",
            returns_content=joined not in ("calculate", "calculator", "think"),
        )  # fmt: skip
    is_shell = any(word in _SHELL for word in words)
    is_code = any(word in _CODE for word in words)
    kind: EffectKind
    verb_class: str | None
    # "shop.order_get" reads an order; what "orders.list" does stands in both parts.
    kind, verb_class, verb = _verb_of(words[:own] if own > 1 else words)
    if verb is None and own < len(words):
        kind, verb_class, verb = _verb_of(words)
    method = next((word for word in words if word in ("post", "put", "patch", "delete")), None)
    if method and any(word in _WIRE for word in words):
        kind, verb_class, verb = "write", "deleted" if method == "delete" else None, method
    if is_shell and kind != "read":
        kind, verb_class = "unknown", None
    elif is_code and kind == "unknown":
        verb_class = None
    reason = f"'{verb}' in its name" if verb else "no known verb in its name"
    return NameReading(
        kind=kind, verb_class=verb_class, verb=verb, words=words, reason=reason, is_shell=is_shell, is_code=is_code,
        returns_content=(kind == "read" and any(word in _CONTENT for word in words)) or verb in ("grep", "cat", "search"),
    )  # fmt: skip


def _stem(word: str) -> str | None:
    """Return the listed verb behind ``word``: ``creates``, ``created`` and ``booking`` lead to ``create`` and ``book``."""
    if word in _WORDS:
        return word
    for ending, replacement in (("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)] + replacement
            if stem in _WORDS:
                return stem
    return None


def read_verb(word: str) -> tuple[EffectKind, str | None] | None:
    """Return kind and class of a verb in any form ("creates", "booked"), ``None`` when it is not listed."""
    stem = _stem(word)
    return _WORDS[stem] if stem is not None else None


@lru_cache(maxsize=2048)
def verbs_in(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a tool's name that may be the verb of its deed: those listed as changes, and an unlisted first or last one.

    >>> verbs_in(("print", "label")), verbs_in(("disconnect", "pod")), verbs_in(("get", "order"))
    (('print', 'label'), ('disconnect', 'pod'), ())
    """
    if not words or _WORDS.get(words[0], ("", None))[0] == "read":
        return ()
    ends = (words[0], words[-1])
    return tuple(
        dict.fromkeys(word for word in words if _WORDS.get(word, ("" if word in ends else "read", None))[0] != "read")
    )


@lru_cache(maxsize=4096)
def orders_change(flag: str) -> bool:
    """True for a flag that begins with a verb of change, as an order: ``mark_read``, ``renewAll``; not ``deleted``."""
    words = split_name(flag[:60])
    if words[:1] in (("auto",), ("also",), ("then",)):
        words = words[1:]
    return bool(words) and words[0] not in _NOUNS and _WORDS.get(words[0], ("", None))[0] == "write"


def _verb_of(words: tuple[str, ...]) -> tuple[EffectKind, str | None, str | None]:
    if len(words) > 2 and f"{words[0]}_{words[1].removesuffix('s')}" in _COMPOUNDS:
        # "debit_card_lookup" debits nothing.
        words = words[2:]
        if len(words) == 1 and words[0] in _READ_ENDINGS:
            return "read", None, words[0]
    first, last = words[0], words[-1]
    if first in _NOUNS and len(words) == 1 and first in _WORDS:
        # A tool called "order" may place one or show one.
        return "unknown", _WORDS[first][1], first
    if last in _READ_ENDINGS and first in _NOUNS and len(words) > 1:
        # "post_get" reads a post, or posts to the address of a read.
        return ("unknown", _WORDS[first][1], first) if first == "post" else _read_by_ending(words)
    if first in _NOUNS and (last in _STRONG or (len(words) == 2 and last in _WORDS and last not in _NOUNS)):
        # "order_cancel" cancels and orders nothing.
        return _weigh(last, ())
    if first in _NOUNS and (strong := next((word for word in words[1:] if word in _STRONG), None)):
        # "order_append_note" appends.
        return _weigh(strong, words[words.index(strong) + 1 :])
    if first in _NOUNS and len(words) > 2 and (look := next((word for word in words[1:] if _is_look(word)), None)):
        return ("read" if look in _SURE_LOOKS else "unknown"), None, look
    if first in _WORDS:
        return _weigh(first, words[1:])
    if last in _READ_ENDINGS and len(words) > 1:
        return _read_by_ending(words)
    for position, word in enumerate(words[1:], start=1):
        if word in _STRONG or (len(words) == 2 and word in _WORDS and word not in _NOUNS):
            return _weigh(word, words[position + 1 :])
    stem = _stem(first)
    if stem and stem != first and first.endswith("s") and stem in _NOUNS:
        # "orders_sync" is about orders and may do anything.
        return "unknown", _WORDS[stem][1] if len(words) > 1 else None, stem if len(words) > 1 else None
    if stem and stem != first and not (first.endswith("s") and len(words) == 1):
        return _weigh(stem, words[1:])
    return "unknown", None, None


def _is_look(word: str) -> bool:
    return word in _SURE_LOOKS or (word in _WORDS and _WORDS[word][0] == "read" and word not in _NOUNS)


def _read_by_ending(words: tuple[str, ...]) -> tuple[EffectKind, str | None, str]:
    """Read "account_balance_info" as a look-up; "crm_add_to_list" and "bank_update_user_info" may well change something."""
    first, stem = words[0], _stem(words[0])
    if first in _ACTING and (len(words) > 2 or first in ("change", "process")):
        return "unknown", _WORDS[first][1], first
    if stem and stem != first and stem not in _NOUNS and _WORDS[stem][0] != "read":
        return "unknown", _WORDS[stem][1], stem
    for position, word in enumerate(words[1:-1], start=1):
        if word in _SWITCHED:
            return "unknown", None, word
        # Right before the ending it may be a noun: "user_order_history".
        if word in _WORDS and _WORDS[word][0] != "read" and (word not in _NOUNS or position < len(words) - 2):
            return "unknown", _WORDS[word][1], word
    return "read", None, words[-1]


def _weigh(verb: str, rest: tuple[str, ...]) -> tuple[EffectKind, str | None, str]:
    kind, verb_class = _WORDS[verb]
    if (
        rest[:1] in (("in",), ("out",))
        and kind == "read"
        and (verb == "check" or (len(rest) == 1 and verb not in _LOOKS))
    ):
        # "check_in" and "count_in" look at nothing.
        return "unknown", None, verb
    if verb in _ASKING and not _HELPERS.isdisjoint(rest):
        return "unknown", None, verb
    if kind == "read":
        # "check_and_update", "find_or_create", "get_or_create": the second verb counts.
        last = rest[-1] if rest else ""
        if verb in _LOOKS and last not in _NOUNS and _WORDS.get(last, ("", None))[0] == "write":
            # "find_replace", "search_console_submit"
            return "unknown", _WORDS[last][1], verb
        if rest[:1] == ("and",) and len(rest) > 1 and _WORDS.get(rest[1], ("", None))[0] != "read":
            # "search_and_play": right behind "and" stands another verb.
            return "unknown", _WORDS.get(rest[1], ("", None))[1], verb
        for joint in ("and", "or", "then"):
            if joint in rest:
                later = rest[rest.index(joint) + 1 : rest.index(joint) + 2]
                if later and later[0] in _WORDS and _WORDS[later[0]][0] != "read":
                    return "unknown", _WORDS[later[0]][1], verb
        strong = next((word for word in rest if word in _STRONG and _WORDS[word][0] == "write"), None)
        if strong and verb in _READ_NOUNS:
            return "unknown", _WORDS[strong][1], verb
        return "read", None, verb
    if verb == "open" and any(word in _OPENED for word in rest):
        return "read", None, verb
    if verb == "resolve" and any(word in _RESOLVED for word in rest):
        return "read", None, verb
    if verb in ("run", "execute", "exec", "perform", "do", "process", "handle", "request", "issue", "manage") and rest:
        return _weigh_object(verb, verb_class, rest)
    if verb == "place" and "order" not in rest and "trade" not in rest and "bid" not in rest:
        verb_class = "created"
    if verb == "send" and any(word in _MONEY for word in rest):
        verb_class = "transferred"
    if verb == "transfer" and any(word in _PEOPLE for word in rest):
        verb_class = "handed_over"
    return kind, verb_class, verb


def _weigh_object(verb: str, verb_class: str | None, rest: tuple[str, ...]) -> tuple[EffectKind, str | None, str]:
    """``process_refund`` refunds, ``run_tests`` tests, ``execute_query`` may do anything."""
    if (
        verb in _HANDLING
        and _WORDS.get(rest[0], ("", None))[0] == "read"
        and (rest[0] not in _NOUNS or rest[0] == "list")
    ):
        # "do_get_order" gets.
        return _weigh(rest[0], rest[1:])
    if verb in _HANDLING and len(rest) > 1 and (rest[-1] in _READ_ENDINGS or rest[-1] in _SURE_LOOKS):
        return "unknown", None, verb
    for word in reversed(rest) if verb == "request" else rest:
        stem = _stem(word)
        if stem is None:
            continue
        kind, inner = _WORDS[stem]
        if stem == "test":
            return "unknown", "tests_run", verb
        if kind == "write" and inner:
            return ("write" if verb not in ("run", "execute", "exec", "manage") else "unknown"), inner, verb
    return "unknown", verb_class, verb
