"""Decode and tame foreign JSON: NaN, lone surrogates, double-encoded strings, absurd nesting.

A reader must not miss: nothing here raises on content except ``BadJson``, whose text is fit for the user.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from agent_claimcheck.core.json_faults import explain_syntax
from agent_claimcheck.core.text import storable

MAX_DEPTH = 150
"""Deeper values are kept as JSON text: the trace record allows 200 levels and the trace around them takes some."""
MAX_INT = 2**63 - 1
_LITERAL_LIMIT = 20_000
"""Python literals are parsed only when short: ``ast`` is slow and its memory grows fast."""
_DECODER = msgspec.json.Decoder()


class BadJson(ValueError):
    """Text that is not JSON; the message says where. ``goes_on`` marks one whole value with more behind it."""

    def __init__(self, message: str, *, goes_on: bool = False) -> None:
        super().__init__(message)
        self.goes_on = goes_on


class Mended(NamedTuple):
    """What was no JSON in a text and was replaced. ``line`` counts from 0, within the text; ``message`` is for the user."""

    kind: Literal["text", "number"]
    line: int
    message: str


def decode_json(data: bytes | str, mended: list[Mended] | None = None) -> Any:
    """Decode JSON text. NaN and infinities become strings; lone surrogates and what is no UTF-8 are replaced.

    ``mended`` gets what was replaced of the text itself. Raises ``BadJson``.
    """
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeError):
        return _decode_slowly(data, [] if mended is None else mended)
    except RecursionError:
        raise BadJson("nested too deeply") from None


def _decode_slowly(data: bytes | str, mended: list[Mended]) -> Any:
    try:
        text = data if isinstance(data, str) else _as_text(data, mended)
        value = json.loads(text, parse_constant=lambda name: _as_word(name, mended))
        return repaired(value)
    except RecursionError:
        raise BadJson("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadJson(explain_syntax(error, text), goes_on=error.msg == "Extra data") from None
    except ValueError:
        raise BadJson("is not JSON: a number is too large") from None


def _as_text(data: bytes, mended: list[Mended]) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = data[: fault.start]
        column = fault.start - (before.rfind(b"\n") + 1) + 1
        text = (
            f"is not UTF-8 text: byte 0x{data[fault.start]:02x} (column {column}), read as U+FFFD; convert the file, "
            "such as with `iconv -f ISO-8859-1 -t UTF-8 FILE > NEW`"
        )
        mended.append(Mended("text", before.count(b"\n"), text))
        return data.decode("utf-8", "replace")


def _as_word(name: str, mended: list[Mended]) -> str:
    if not mended or mended[-1].kind != "number":
        mended.append(Mended("number", 0, f"holds {name}, which is no JSON number; it is read as a text"))
    return name


def repaired(value: Any) -> Any:
    """Return ``value`` with lone surrogates replaced and infinite floats turned to text."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {repaired(key): repaired(item) for key, item in value.items()}
    if isinstance(value, list):
        return [repaired(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value


def loose_json(value: Any, rounds: int = 3) -> Any:
    """Decode a string that holds a JSON object or array, up to ``rounds`` times; anything else is returned as it is.

    >>> loose_json('"{\\\\"a\\\\": 1}"')
    {'a': 1}
    >>> loose_json("plain text")
    'plain text'
    """
    current = value
    for _ in range(rounds):
        if not isinstance(current, str):
            return current
        start = current.lstrip()[:1] if current[:1].isspace() else current[:1]
        if start not in ("{", "[", '"'):
            break
        try:
            current = decode_json(current)
        except BadJson:
            break
    return value if isinstance(current, str) and not _wraps_text(value, current) else current


def _wraps_text(value: Any, current: str) -> bool:
    """A JSON string inside a string is unwrapped only when quotes really enclose the whole text."""
    return isinstance(value, str) and value is not current and value.strip().startswith('"')


def python_literal(text: str) -> Any:
    """Read a Python ``repr`` of a dict or list; the text itself when it is none."""
    stripped = text.strip()
    if len(stripped) > _LITERAL_LIMIT or stripped[:1] not in ("{", "[") or stripped[-1:] not in ("}", "]"):
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(stripped)
        msgspec.json.encode(value)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, OverflowError, msgspec.MsgspecError):
        return text
    return value if isinstance(value, dict | list) else text


_ARGUMENT_KEYS = ("arguments", "args", "input", "params", "parameters")


def arguments_of(call: dict[str, Any], *own: str) -> Any:
    """Return the arguments of a call: under the format's ``own`` keys, else under a common one; ``None`` without any.

    >>> arguments_of({"name": "cut", "params": {"at": 3}}, "input")
    {'at': 3}
    """
    for key in (*own, *_ARGUMENT_KEYS):
        value = call.get(key)
        if value is not None and (key in own or not _is_signature(value)):
            return value
    return None


def _is_signature(value: Any) -> bool:
    """What a tool takes, as JSON Schema, and not what it was given."""
    return isinstance(value, dict) and value.get("type") == "object" and isinstance(value.get("properties"), dict)


def read_args(value: Any) -> tuple[dict[str, Any] | None, str | None]:
    """Turn call arguments of any shape into an object, and keep the raw text where they were not one.

    Text that is no object becomes ``{"input": text}``, so that nothing is lost.
    """
    if value is None:
        return None, None
    if isinstance(value, dict):
        return bounded(value), None
    if isinstance(value, str):
        if not value.strip():
            return {}, None
        decoded = loose_json(value)
        if isinstance(decoded, str):
            decoded = python_literal(decoded)
        if isinstance(decoded, dict):
            return bounded(decoded), None
        return {"input": bounded(decoded)}, value
    return {"input": bounded(value)}, None


def read_output(value: Any) -> Any:
    """Turn a tool's output into a value: JSON text of an object or array is decoded, other text stays text."""
    if isinstance(value, str):
        if value[:1] in ("{", "["):
            decoded = loose_json(value, 1)
            return bounded(decoded)
        return value
    return bounded(value)


def bounded(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return ``value`` with what lies deeper than ``depth`` levels as JSON text and huge integers as text."""
    if isinstance(value, dict):
        if depth <= 0:
            return _flattened(value)
        if any(type(item) not in _PLAIN for item in value.values()):
            return {key: bounded(item, depth - 1) for key, item in value.items()}
        return value
    if isinstance(value, list):
        if depth <= 0:
            return _flattened(value)
        if any(type(item) not in _PLAIN for item in value):
            return [bounded(item, depth - 1) for item in value]
        return value
    if type(value) is int and not -MAX_INT <= value <= MAX_INT:
        return str(value) if value.bit_length() < 10_000 else "(huge integer)"
    return value


_PLAIN = frozenset({str, bool, float, type(None)})


def _flattened(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (RecursionError, msgspec.MsgspecError, OverflowError, TypeError):
        return "(nested too deeply)"


def text_of(value: Any) -> str:
    """Return a string as it is and anything else as compact JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else _flattened(value)


def string(value: Any) -> str | None:
    """Return a non-empty string, else ``None``: ids and names in foreign files are of any type."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if value.bit_length() < 200 else None
    return None


def word(value: Any) -> str:
    """Return a string as it is and anything else as "": for members that name a kind, whatever a file puts there."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> dict[str, Any]:
    """Return a dict as it is, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return value if isinstance(value, list) else []


def dicts(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list and pass over the rest."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield item


def walk(value: Any, *path: str | int) -> Any:
    """Follow keys and indexes; ``None`` where the way ends.

    >>> walk({"a": [{"b": 1}]}, "a", 0, "b")
    1
    """
    for key in path:
        if isinstance(key, int):
            if not isinstance(value, list) or not -len(value) <= key < len(value):
                return None
            value = value[key]
        else:
            if not isinstance(value, dict):
                return None
            value = value.get(key)
    return value
