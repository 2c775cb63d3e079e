"""From the values of a Parquet column to the JSON they stand for, by the type of the column.

A reader must not miss: a text may be JSON by its type, as DuckDB writes it, and then ``"7"`` with its quotes is the text
7. Only the schema of the file tells this from a text in quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

import msgspec

Reader = Callable[[Any], Any]


def column_readers(file: Any) -> dict[str, Reader]:
    """Return for each top-level column of ``file``, a ``ParquetFile``, what makes JSON of its values.

    Nulls in objects are left out, times become text, maps objects.
    """
    schema = file.schema
    # Leaves stand in the same order in both schemas; only that of Parquet says on its own which are JSON.
    are_json = (schema.column(i).logical_type.type == "JSON" for i in range(len(schema)))
    return {field.name: _reader(field.type, are_json) for field in file.schema_arrow}


def _reader(kind: Any, are_json: Iterator[bool]) -> Reader:
    from pyarrow import types

    if types.is_struct(kind):
        return _of_objects({field.name: _reader(field.type, are_json) for field in kind})
    if types.is_map(kind):
        next(are_json, False)
        return _of_maps(_reader(kind.item_type, are_json))
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _of_lists(_reader(kind.value_type, are_json))
    return parsed if next(are_json, False) else _leaf


def _of_objects(readers: dict[str, Reader]) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {name: readers[name](item) for name, item in value.items() if item is not None}

    return read


def _of_maps(reader: Reader) -> Reader:
    def read(value: Any) -> Any:
        pairs = value.items() if isinstance(value, dict) else value
        return None if pairs is None else {str(key): reader(item) for key, item in pairs if item is not None}

    return read


def _of_lists(reader: Reader) -> Reader:
    def read(value: Any) -> Any:
        return None if value is None else [reader(item) for item in value]

    return read


def _leaf(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime | date) else value


def parsed(value: Any) -> Any:
    """Return what ``value`` is the JSON of; a value that is no JSON text as it is."""
    if not isinstance(value, str | bytes):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return value
