"""Reads a record from a database: SQLite through the standard library, PostgreSQL through a driver that is installed.

A reader must not miss: values are bound, never written into the query, and the connection itself is read-only. SQLite
is opened with ``mode=ro`` under an authorizer that knows nothing but reading.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from agent_claimcheck.core.errors import MissingExtraError
from agent_claimcheck.core.install import install_hint
from agent_claimcheck.pipeline.probes_run.definition import Limits, SqlRead
from agent_claimcheck.pipeline.probes_run.parameters import TypedValue
from agent_claimcheck.pipeline.probes_run.reading import NotFound, Reading, Unavailable, found, is_carriable
from agent_claimcheck.pipeline.probes_run.sql_text import SqlText, read_query

SQLITE = "sqlite"
POSTGRES = ("postgresql", "postgres")
_MOST_ROWS = 1000
_STEPS_PER_LOOK = 20_000  # SQLite instructions between two looks at the clock, a few milliseconds
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
_REFUSED_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"})

Rows = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""Column names and at most ``_MOST_ROWS + 1`` rows."""


class SqlReader:
    """Runs the query of one probe. Raises ``MissingExtraError`` when PostgreSQL is meant and no driver is installed."""

    def __init__(self, action: SqlRead, url: str, limits: Limits) -> None:
        self._action = action
        self._limits = limits
        self._query = read_query(action.query)
        self._rows: Callable[[Mapping[str, TypedValue]], Rows]
        if urlsplit(url).scheme == SQLITE:
            place = _sqlite_place(url, action.folder)
            self._rows = lambda values: _sqlite_rows(place, self._query, values, limits)
        else:
            read = _postgres_driver()
            self._rows = lambda values: read(url, self._query, values, limits)

    def read(self, values: Mapping[str, TypedValue]) -> Reading:
        """Return the row or rows. Raises ``NotFound`` or ``Unavailable``."""
        columns, rows = self._rows({name: values[name] for name in self._query.params})
        if len(rows) > _MOST_ROWS:
            raise Unavailable(f"the answer has more than {_MOST_ROWS} rows")
        records = [{name: _plain(cell) for name, cell in zip(columns, row, strict=False)} for row in rows]
        if not records:
            raise NotFound("no row")
        if not is_carriable(records):
            raise Unavailable("the answer holds a value that a trace cannot hold")
        if self._action.rows == "all":
            return found(records)
        if len(records) > 1:
            raise Unavailable("the answer has more than one row")
        return found(records[0])


def _sqlite_place(url: str, folder: Path) -> Path:
    """Return the file of ``sqlite:///file`` (below ``folder``) or ``sqlite:////file`` (absolute)."""
    return folder / unquote(urlsplit(url).path[1:])


def _plain(cell: Any) -> Any:
    if isinstance(cell, bytes | bytearray | memoryview):
        return bytes(cell).hex()
    if isinstance(cell, float) and (cell != cell or cell in (float("inf"), float("-inf"))):
        return str(cell)
    return cell if cell is None or isinstance(cell, str | int | float | bool | dict | list) else str(cell)


def _sqlite_rows(place: Path, query: SqlText, values: Mapping[str, TypedValue], limits: Limits) -> Rows:
    if not place.is_file():
        raise Unavailable("the database file is missing")
    deadline = time.monotonic() + limits.timeout_s
    try:
        connection = sqlite3.connect(
            f"file:{quote(str(place.resolve()))}?mode=ro", uri=True, timeout=limits.timeout_s, isolation_level=None
        )
    except sqlite3.Error as error:
        raise Unavailable("the database cannot be opened", str(error)) from None
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(limits.max_output_bytes, 10_000))
        connection.set_authorizer(_authorize)
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_PER_LOOK)
        cursor = connection.execute(query.written(":{}"), dict(values))
        rows = cursor.fetchmany(_MOST_ROWS + 1)
        return [column[0] for column in cursor.description or ()], rows
    except sqlite3.Error as error:
        if time.monotonic() > deadline:
            raise Unavailable(f"timed out after {limits.timeout_s:g} s") from None
        raise Unavailable("the query could not be run", str(error)) from None
    finally:
        connection.close()


def _authorize(action: int, _first: str | None, second: str | None, _third: str | None, _fourth: str | None) -> int:
    if action in _READING:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in _REFUSED_FUNCTIONS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


def _postgres_driver() -> Callable[[str, SqlText, Mapping[str, TypedValue], Limits], Rows]:
    if find_spec("psycopg") is not None:
        return _psycopg_rows
    if find_spec("pg8000") is not None:
        return _pg8000_rows
    raise MissingExtraError("a postgresql:// URL needs psycopg or pg8000", hint=install_hint("postgres"))


def _psycopg_rows(url: str, query: SqlText, values: Mapping[str, TypedValue], limits: Limits) -> Rows:
    import psycopg

    options = f"-c statement_timeout={int(limits.timeout_s * 1000)} -c default_transaction_read_only=on"
    try:
        with psycopg.connect(url, connect_timeout=max(1, int(limits.timeout_s)), options=options) as connection:
            connection.read_only = True
            cursor = connection.execute(query.written("%({})s"), dict(values))
            rows = cursor.fetchmany(_MOST_ROWS + 1)
            columns = [column.name for column in cursor.description or ()]
            connection.rollback()
            return columns, rows
    except psycopg.errors.QueryCanceled:
        raise Unavailable(f"timed out after {limits.timeout_s:g} s") from None
    except psycopg.Error as error:
        raise Unavailable("the database could not be read", str(error)) from None


def _pg8000_rows(url: str, query: SqlText, values: Mapping[str, TypedValue], limits: Limits) -> Rows:
    import pg8000.native

    parts = urlsplit(url)
    needs_tls = any(mode in parts.query for mode in ("sslmode=require", "sslmode=verify"))
    try:
        with pg8000.native.Connection(
            unquote(parts.username or "postgres"),
            host=parts.hostname or "localhost",
            port=parts.port or 5432,
            database=unquote(parts.path[1:]) or None,
            password=unquote(parts.password) if parts.password is not None else None,
            timeout=limits.timeout_s,
            ssl_context=True if needs_tls else None,
        ) as connection:
            connection.run(f"SET statement_timeout = {int(limits.timeout_s * 1000)}")
            connection.run("BEGIN READ ONLY")
            rows = connection.run(query.written(":{}"), **values) or []
            columns = [column["name"] for column in connection.columns or ()]
            connection.run("ROLLBACK")
            return columns, rows[: _MOST_ROWS + 1]
    except (pg8000.native.Error, OSError) as error:
        raise Unavailable("the database could not be read", str(error)) from None
