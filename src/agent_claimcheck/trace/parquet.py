"""Traces in Parquet files: one row a trace, as a column of JSON text or as columns of their own.

A reader must not miss: a table gives every row the keys of all rows, with null where a row lacks them. Such nulls are left
out again, so a key that really was null in ``args`` or ``output`` needs the JSON form.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from agent_claimcheck.core.errors import InputError, MissingExtraError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.parquet_values import column_readers, parsed
from agent_claimcheck.trace.remote import is_remote, open_remote

MAGIC = b"PAR1"
JSON_COLUMNS = ("trace", "json", "data", "record")
"""Names under which a column of JSON text, or of whole traces, is looked for."""

TRACE_COLUMNS = ("trace_id", "task", "steps", "final_claim")
_NESTED = ("task", "steps", "final_claim", "ground_truth", "meta")
"""Columns in which JSON text stands for what it says."""

_RESULT_COLUMNS = {"verdict", "reasons_json"}
_BATCH_ROWS = 128
_ENCODER = msgspec.json.Encoder(decimal_format="number")
_DEFAULT_SCHEMA = "agent-trace/v2"


def import_parquet() -> Any:
    """Return ``pyarrow.parquet``. Raises ``MissingExtraError`` without it."""
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        from agent_claimcheck.core.install import install_hint

        raise MissingExtraError("Parquet needs pyarrow", hint=install_hint("parquet")) from error
    return parquet


def iter_rows(name: str, batch_rows: int = _BATCH_ROWS) -> Iterator[dict[str, Any]]:
    """Yield the rows of a local or remote Parquet file as mappings. Raises ``InputError`` for a damaged file."""
    with _opened(name) as file:
        for batch in file.iter_batches(batch_size=batch_rows, use_threads=False):
            yield from batch.to_pylist()


def column_names(name: str) -> list[str]:
    """Return the names of the top-level columns. Raises ``InputError`` for a damaged file."""
    with _opened(name) as file:
        return list(file.schema_arrow.names)


@contextmanager
def _opened(name: str) -> Iterator[Any]:
    """Open a Parquet file; what it raises on the way becomes ``InputError``."""
    parquet = import_parquet()
    from pyarrow import ArrowException

    try:
        source = open_remote(name) if is_remote(name) else name
        with parquet.ParquetFile(source) as file:
            yield file
    except (ArrowException, OSError, ValueError) as error:
        message = printable(str(error))[:300]
        raise InputError(f"{printable(name)}: the Parquet data cannot be read: {message}", slug="damaged") from None


def read_parquet(name: str, *, file: str) -> Iterator[Trace | TraceProblem]:
    """Yield the traces and problems of a Parquet file; the line of a trace is its row, counted from 1."""
    row = 0
    try:
        names = column_names(name)
        refused = _refusal(names)
        if refused:
            yield TraceProblem(file=file, line=0, path="", message=refused)
            return
        for row, data in enumerate(_rows(name), start=1):
            decoded = decode_trace(data, file=file, line=row)
            if isinstance(decoded, Trace):
                yield decoded
            else:
                yield from decoded
    except InputError as error:
        yield TraceProblem(file=file, line=row, path="", message=f"reading stops here: {error}")
        return
    if not row:
        yield TraceProblem(file=file, line=0, path="", message="holds no traces")


def _refusal(names: list[str]) -> str:
    """Say why a file with columns of these ``names`` holds no traces; nothing when it may."""
    if set(names) >= _RESULT_COLUMNS:
        return "holds results of `check`, not runs: give the file that was checked"
    if _json_column(names) is None and not set(TRACE_COLUMNS) <= set(names):
        wanted = f"a column {' or '.join(JSON_COLUMNS)}, or the columns {', '.join(TRACE_COLUMNS)}"
        return f"holds no traces: a Parquet file needs {wanted}"
    return ""


def _json_column(names: list[str]) -> str | None:
    return next((known for known in JSON_COLUMNS if known in names), None)


def _rows(name: str) -> Iterator[bytes]:
    """Yield each row as the JSON of one trace."""
    with _opened(name) as file:
        readers = column_readers(file)
        column = _json_column(list(readers))
        wanted = None if column is None else [column]
        for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=wanted, use_threads=False):
            for values in batch.to_pylist():
                if column is None:
                    yield _encoded({key: readers[key](item) for key, item in values.items() if item is not None})
                    continue
                value = values[column]
                # A text goes on as it is, whatever its type says, so that its own faults are told.
                yield _encoded(value if isinstance(value, str | bytes) else readers[column](value))


def _encoded(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if not isinstance(value, dict):
        return _ENCODER.encode(value)
    trace = value
    for name in _NESTED:
        if isinstance(trace.get(name), str):
            trace[name] = _unpacked(trace[name])
    trace.setdefault("schema", _DEFAULT_SCHEMA)
    claim = trace.get("final_claim")
    if isinstance(claim, dict):
        claim.setdefault("text", None)
    steps = trace.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and isinstance(step.get("args"), str):
            step["args"] = _unpacked(step["args"])
    return _ENCODER.encode(trace)


def _unpacked(text: str) -> Any:
    """Return the object, list or null that ``text`` is the JSON of; any other text as it is."""
    value = parsed(text)
    return value if isinstance(value, dict | list | None) else text
