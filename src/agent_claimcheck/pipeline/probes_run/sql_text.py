"""Reads a query just far enough to know that it is one SELECT and which parameters it binds.

A reader must not miss: the database is opened read-only as well; this check exists so that a mistake is named when the
file is loaded. What cannot be told apart in all databases (backslash strings, dollar quotes) is refused.
"""

from __future__ import annotations

import re

from msgspec import Struct

_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*(?:\n|\Z)|/\*.*?\*/)
    |(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)
    |(?P<cast>::)
    |:(?P<param>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<word>[A-Za-z_][A-Za-z0-9_$]*)
    |(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)
_CHANGING = frozenset(
    ["insert", "update", "delete", "merge", "create", "alter", "drop", "truncate", "grant", "revoke", "attach",
     "detach", "pragma", "vacuum", "copy", "call", "execute", "into"]
)  # fmt: skip


class SqlFault(ValueError):
    """A query that is not one plain SELECT; the text says why."""


class SqlText(Struct, frozen=True, kw_only=True):
    """A query in pieces: literal text and, between two of them, the parameter that is bound there."""

    literals: tuple[str, ...]
    params: tuple[str, ...]

    def written(self, style: str) -> str:
        """Return the query with parameters written in ``style``: ``:{}`` or ``%({})s``; percent signs are doubled then."""
        texts = [text.replace("%", "%%") if "%" in style else text for text in self.literals]
        return texts[0] + "".join(style.format(name) + text for name, text in zip(self.params, texts[1:], strict=True))


def read_query(query: str) -> SqlText:
    """Split one SELECT into its pieces. Raises ``SqlFault``.

    >>> read_query("SELECT id FROM t WHERE id = :id").params
    ('id',)
    """
    literals, params, words = [""], list[str](), list[str]()
    is_ended = False
    for token in _TOKEN.finditer(query):
        kind, text = token.lastgroup, token[0]
        if is_ended and kind != "space":
            raise SqlFault("must be a single statement")
        if kind == "param":
            params.append(token["param"])
            literals.append("")
            continue
        if kind == "word":
            words.append(text.lower())
        elif kind == "other":
            if text == ";":
                is_ended = True
                continue
            if text in "'\"`$\\?@#":
                raise SqlFault(f"holds {text!r} where it is not understood; parameters are written :name")
        elif kind == "quoted" and "\\" in text:
            raise SqlFault("holds a backslash in quotes, which databases read differently")
        literals[-1] += text
    if not words or words[0] not in ("select", "with"):
        raise SqlFault("must be one SELECT or WITH statement")
    changing = next((word for word in words if word in _CHANGING), None)
    if changing is not None:
        raise SqlFault(f"must only read, and {changing.upper()} does not; a column of that name goes in double quotes")
    return SqlText(literals=tuple(literals), params=tuple(params))
