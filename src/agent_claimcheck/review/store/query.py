"""What a list may be narrowed to and sorted by, as one SQL question with keyset paging.

A reader must not miss: every value travels as a parameter and every name comes from a table in this file, so nothing a
page sends becomes SQL. Paging goes on behind the last row seen, so a row that leaves the queue shifts nothing.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.review.store.words import match_expression

View = Literal["queue", "reviewed", "all"]
Sort = Literal["closest", "teaches", "lowest", "highest", "newest", "oldest", "name"]
Parameters = list[Any]

PAGE = 50
"""Rows of one page."""

COLUMNS = (
    "id", "trace_id", "verdict", "record", "domain", "source", "language", "detector", "p", "order_p", "started_at",
    "why", "asked", "claims", "findings", "status", "is_judged",
)  # fmt: skip
"""What a row of a list holds, in this order."""

SINGLE = ("verdict", "record", "domain", "source", "language", "detector")
"""Fields an item has one of."""
SEVERAL = ("finding", "claim", "tool")
"""Fields an item has any number of."""

_STATUS = {"queue": "open", "reviewed": "reviewed"}
_SORTS: dict[str, tuple[tuple[str, ...], bool]] = {
    "closest": (("margin", "id"), False),
    "teaches": (("turn", "margin", "id"), False),
    "lowest": (("low", "id"), False),
    "highest": (("high", "id"), True),
    "newest": (("started_at", "id"), True),
    "oldest": (("started_at", "id"), False),
    "name": (("trace_id", "id"), False),
}
"""Sort -> the columns that order it, the last one unique, and whether it falls."""

_MOST_VALUES = 50
_COUNTED = 10_000
"""Matches that are counted; beyond it a page says "more than"."""


class Filter(Struct, frozen=True, kw_only=True):
    """What a list shows. Values of one field are alternatives; the fields must all hold."""

    view: View = "queue"
    sort: Sort = "closest"
    q: str = ""
    verdict: tuple[str, ...] = ()
    record: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    detector: tuple[str, ...] = ()
    finding: tuple[str, ...] = ()
    claim: tuple[str, ...] = ()
    tool: tuple[str, ...] = ()


class Question(Struct, frozen=True):
    """One SQL text with its parameters."""

    sql: str
    parameters: Parameters


def page_question(wanted: Filter, after: str | None, limit: int = PAGE) -> Question:
    """Return the question for up to ``limit`` rows behind the cursor ``after``. Raises ``UsageError``, a bad cursor."""
    where, parameters = _conditions(wanted)
    names, is_falling = _SORTS[wanted.sort]
    if after:
        where.append(f"({', '.join(names)}) {'<' if is_falling else '>'} ({', '.join('?' * len(names))})")
        parameters += _read_cursor(after, len(names))
    order = ", ".join(f"{name} DESC" if is_falling else name for name in names)
    columns = ", ".join(dict.fromkeys((*COLUMNS, *names)))
    sql = f"SELECT {columns} FROM items{_clause(where)} ORDER BY {order} LIMIT ?"  # noqa: S608 - names of this file
    return Question(sql, [*parameters, limit])


def count_question(wanted: Filter) -> Question:
    """Return the question how many rows there are, at most ``_COUNTED`` + 1."""
    where, parameters = _conditions(wanted)
    inner = f"SELECT 1 FROM items{_clause(where)} LIMIT {_COUNTED + 1}"  # noqa: S608 - names of this file
    return Question(f"SELECT count(*) FROM ({inner})", parameters)  # noqa: S608 - names of this file


def ids_question(wanted: Filter) -> Question:
    """Return the question for the ids of all matching items, in input order."""
    where, parameters = _conditions(wanted)
    return Question(f"SELECT id FROM items{_clause(where)} ORDER BY id", parameters)  # noqa: S608 - names of this file


def is_plain(wanted: Filter) -> bool:
    """Return whether the filter narrows nothing beyond its view, so that a counter knows the number of rows."""
    return not wanted.q.strip() and not any(getattr(wanted, name) for name in (*SINGLE, *SEVERAL))


def cursor_of(row: dict[str, Any], sort: Sort) -> str:
    """Return the cursor that stands behind ``row``, a row of ``page_question``."""
    values = [row[name] for name in _SORTS[sort][0]]
    return base64.urlsafe_b64encode(msgspec.json.encode(values)).decode("ascii")


def row_names(sort: Sort) -> tuple[str, ...]:
    """Return the names of the columns of ``page_question``."""
    return tuple(dict.fromkeys((*COLUMNS, *_SORTS[sort][0])))


def _read_cursor(cursor: str, length: int) -> list[Any]:
    try:
        values = msgspec.json.decode(base64.urlsafe_b64decode(cursor), type=list[str | int | float])
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        values = []
    if len(values) != length:
        raise UsageError("the cursor is none that a page gave out", slug="invalid_cursor")
    return values


def _conditions(wanted: Filter) -> tuple[list[str], Parameters]:
    where: list[str] = []
    parameters: Parameters = []
    if wanted.view in _STATUS:
        where.append("status = ?")
        parameters.append(_STATUS[wanted.view])
    for name in SINGLE:
        values = getattr(wanted, name)[:_MOST_VALUES]
        if values:
            where.append(f"{name} IN ({', '.join('?' * len(values))})")
            parameters += values
    for name in SEVERAL:
        values = getattr(wanted, name)[:_MOST_VALUES]
        if values:
            marks = ", ".join("?" * len(values))
            where.append(f"id IN (SELECT item FROM facets WHERE kind = ? AND value IN ({marks}))")  # noqa: S608 - question marks
            parameters += [name, *values]
    if wanted.q.strip():
        words = match_expression(wanted.q)
        where.append("trace_id = ?" if words is None else "id IN (SELECT rowid FROM words WHERE words MATCH ?)")
        parameters.append(wanted.q.strip() if words is None else words)
    return where, parameters


def _clause(where: list[str]) -> str:
    return f" WHERE {' AND '.join(where)}" if where else ""
