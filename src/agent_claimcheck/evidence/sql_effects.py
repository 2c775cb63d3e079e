"""What an SQL text does: the first statement decides, unless a later one or an inner one writes.

A reader must not miss: a text that does not begin like SQL is none, and a procedure call may do anything; so may a function
that is selected from nowhere (``SELECT pg_terminate_backend(77)``).
"""

from __future__ import annotations

from typing import NamedTuple

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.tool_names import EffectKind

_SQL = late_pattern(
    r"(?is)^\s*(?:--[^\n]*\n\s*|/\*.{0,500}?\*/\s*){0,5}"
    r"(select|with|show|describe|desc|explain|pragma|values|insert|update|delete|replace|merge|upsert|create|alter|drop"
    r"|truncate|grant|revoke|begin|start|commit|call|exec|set|use)\b"
)
_SQL_READS = frozenset({"select", "with", "show", "describe", "desc", "explain", "pragma", "values"})
_SQL_WRITES = {
    "insert": "added",
    "update": "updated",
    "delete": "deleted",
    "replace": "updated",
    "merge": "updated",
    "upsert": "updated",
    "create": "created",
    "alter": "changed",
    "drop": "deleted",
    "truncate": "deleted",
    "grant": "granted",
    "revoke": "cancelled",
}
_SQL_INNER = late_pattern(
    r"(?i)(?:;|\)|\bas\b\s*\()\s*(insert|update|delete|replace|merge|create|alter|drop|truncate)\b"
)
_FROM = late_pattern(r"(?i)\bfrom\b")
_ACTS = late_pattern(
    r"(?i)\bselect\s+(?:\w{1,60}\.)?(?:pg_(?:terminate|cancel|reload|switch|promote|advisory|drop|create)|set|do|call|exec|refresh|run"
    r"|process|create|delete|drop|update|insert|cancel|kill|purge|rebuild|send|notify|grant|add|remove)\w{0,60}\s*\("
)
"""A function that is called for what it does."""
_MOST_CHARS = 20_000


class SqlEffect(NamedTuple):
    """What a text does, the class of its deed where it writes, and the word of SQL that says so."""

    kind: EffectKind
    verb_class: str | None
    word: str


def sql_effect(text: str) -> SqlEffect | None:
    """Say what an SQL text does; ``None`` when it is not SQL. Never raises; linear in the part of it that is read."""
    head = text[:_MOST_CHARS]
    found = _SQL.match(head)
    if found is None:
        return None
    word = found.group(1).lower()
    inner = None if word in _SQL_WRITES else _SQL_INNER.search(head)
    if inner is not None:
        word = inner.group(1).lower()
    if word in _SQL_WRITES:
        return SqlEffect("write", _SQL_WRITES[word], word.upper())
    if word == "select" and _ACTS.search(head) and not _FROM.search(head):
        return SqlEffect("unknown", None, "SELECT of a function")
    return SqlEffect("read" if word in _SQL_READS else "unknown", None, word.upper())
