"""Traces in Parquet files: one row a trace, as a column of JSON text or as columns of their own.

A reader must not miss: a table gives every row the keys of all rows, with null where a row lacks them. Such nulls are left
out again, so a key that really was null in ``args`` or ``output`` needs the JSON form.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import msgspec

from agent_claimcheck.core.errors import InputError, MissingExtraError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.remote import is_remote, open_remote

MAGIC = b"PAR1"
JSON_COLUMNS = ("trace", "json", "data", "record")
"""Names under which a column of JSON text, or of whole traces, is looked for."""

TRACE_COLUMNS = ("trace_id", "task", "steps", "final_claim")
_NESTED = ("task", "steps", "final_claim", "ground_truth", "meta")
"""Columns in which JSON text stands for what it says."""

_RESULT_COLUMNS = {"verdict", "reasons_json"}
_BATCH_ROWS = 128
_DEFAULT_SCHEMA = "agent-trace/v2"


def import_parquet() -> Any:
    """Return ``pyarrow.parquet``. Raises ``MissingExtraError`` without it."""
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        from agent_claimcheck.core.install import install_hint

        raise MissingExtraError("Parquet needs pyarrow", hint=install_hint("parquet")) from error
    return parquet


def iter_rows(name: str, columns: list[str] | None = None, batch_rows: int = _BATCH_ROWS) -> Iterator[dict[str, Any]]:
    """Yield the rows of a local or remote Parquet file as mappings. Raises ``InputError`` for a damaged file."""
    parquet = import_parquet()
    from pyarrow import ArrowException

    try:
        source = open_remote(name) if is_remote(name) else name
        with parquet.ParquetFile(source) as file:
            for batch in file.iter_batches(batch_size=batch_rows, columns=columns, use_threads=False):
                yield from batch.to_pylist()
    except (ArrowException, OSError, ValueError) as error:
        message = printable(str(error))[:300]
        raise InputError(f"{printable(name)}: the Parquet data cannot be read: {message}", slug="damaged") from None


def column_names(name: str) -> list[str]:
    """Return the names of the top-level columns. Raises ``InputError`` for a damaged file."""
    parquet = import_parquet()
    from pyarrow import ArrowException

    try:
        source = open_remote(name) if is_remote(name) else name
        with parquet.ParquetFile(source) as file:
            return list(file.schema_arrow.names)
    except (ArrowException, OSError, ValueError) as error:
        message = printable(str(error))[:300]
        raise InputError(f"{printable(name)}: the Parquet data cannot be read: {message}", slug="damaged") from None


def read_parquet(name: str, *, file: str) -> Iterator[Trace | TraceProblem]:
    """Yield the traces and problems of a Parquet file; the line of a trace is its row, counted from 1."""
    row = 0
    try:
        names = column_names(name)
        if set(names) >= _RESULT_COLUMNS:
            said = "holds results of `check`, not runs: give the file that was checked"
            yield TraceProblem(file=file, line=0, path="", message=said)
            return
        column = next((known for known in JSON_COLUMNS if known in names), None)
        if column is None and not set(TRACE_COLUMNS) <= set(names):
            wanted = f"a column {' or '.join(JSON_COLUMNS)}, or the columns {', '.join(TRACE_COLUMNS)}"
            yield TraceProblem(file=file, line=0, path="", message=f"holds no traces: a Parquet file needs {wanted}")
            return
        for row, values in enumerate(iter_rows(name, [column] if column else None), start=1):
            decoded = decode_trace(_encoded(values[column] if column else values), file=file, line=row)
            if isinstance(decoded, Trace):
                yield decoded
            else:
                yield from decoded
    except InputError as error:
        yield TraceProblem(file=file, line=row, path="", message=f"reading stops here: {error}")
        return
    if not row:
        yield TraceProblem(file=file, line=0, path="", message="holds no traces")


def _encoded(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    trace = _plain(value)
    if not isinstance(trace, dict):
        return msgspec.json.encode(trace)
    for name in _NESTED:
        if isinstance(trace.get(name), str):
            trace[name] = _parsed(trace[name])
    trace.setdefault("schema", _DEFAULT_SCHEMA)
    claim = trace.get("final_claim")
    if isinstance(claim, dict):
        claim.setdefault("text", None)
    steps = trace.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if not isinstance(step, dict):
            continue
        if isinstance(step.get("args"), str):
            step["args"] = _parsed(step["args"])
        elif step.get("args") == []:
            # A map without entries.
            step["args"] = {}
    return msgspec.json.encode(trace)


def _parsed(text: str) -> Any:
    """Return the object, list or null that ``text`` is the JSON of; any other text as it is."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return text
    return value if isinstance(value, dict | list | None) else text


def _plain(value: Any) -> Any:
    """Return ``value`` without nulls, its times as text and its maps, which come as lists of pairs, as objects."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
            return {str(key): _plain(item) for key, item in value if item is not None}
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime | date) else value
