"""The published JSON Schemas, and a small reader of them that names every fault with its JSON path.

A reader must not miss: the schema files are the definition. This reader knows the keywords they use and refuses a file
with others at load time, so a schema can never say more than is checked. It also turns whole floats (``0.0``) into
integers where the schema asks for an integer, in place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.trace.timestamps import is_timestamp

Fault = tuple[str, str]

TRACE_SCHEMAS = ("agent-trace/v1", "agent-trace/v2")

_ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "default"}
_KEYWORDS = {
    "$ref", "type", "const", "enum", "required", "additionalProperties", "properties", "items", "anyOf", "minimum",
    "minLength", "format",
}  # fmt: skip
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHOWN = 60
_LARGEST_WHOLE = 2.0**63
_NAMES = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def child_path(path: str, key: str | int) -> str:
    """Return the JSON path of a member: ``$.steps[0].i``, and ``$["odd key"]`` where the key is no plain word."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if _PLAIN_KEY.fullmatch(key):
        return f"{path}.{shorten(key, _SHOWN)}"
    return f"{path}[{show(key)}]"


def show(value: Any) -> str:
    """Return ``value`` short and safe to print: strings are quoted and cut, containers only counted."""
    if isinstance(value, str):
        return '"' + shorten(printable(value[: _SHOWN + 1]), _SHOWN).replace('"', '\\"') + '"'
    if isinstance(value, dict):
        return f"an object of {len(value)} field{'' if len(value) == 1 else 's'}"
    if isinstance(value, list):
        return f"a list of {len(value)} item{'' if len(value) == 1 else 's'}"
    return shorten(json.dumps(value), _SHOWN)


@cache
def load_schema(name: str) -> Schema:
    """Return the packaged schema ``name``, such as ``agent-trace-v1``; read once per process."""
    # Imported here: healthy lines need no schema, and finding packaged files takes longer to import than to do.
    from agent_claimcheck.core.resources import read_data

    return Schema(json.loads(read_data(f"schemas/{name}.json")))


class Schema:
    """One JSON Schema, ready to find faults with."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Raises ``ValueError`` when the document uses a keyword this reader does not know."""
        self.document = document
        self._definitions: dict[str, dict[str, Any]] = document.get("$defs", {})
        for part in (document, *self._definitions.values()):
            _refuse_unknown_keywords(part)

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield every fault of ``value`` as (JSON path, message). Whole floats become integers in place on the way."""
        yield from self._check(value, self.document, "$")

    def _check(self, value: Any, part: dict[str, Any], path: str) -> Iterator[Fault]:
        if "$ref" in part:
            part = self._definitions[part["$ref"].removeprefix("#/$defs/")]
        if "anyOf" in part:
            yield from self._check_any(value, part["anyOf"], path)
            return
        wanted = part.get("type")
        if wanted is not None and not _has_type(value, wanted):
            yield path, f"expected {_name(wanted)}, got {show(value)}"
            return
        if "const" in part and value != part["const"]:
            yield path, f"expected {show(part['const'])}, got {show(value)}"
        if "enum" in part and not _is_listed(value, part["enum"]):
            yield path, f"expected one of {', '.join(map(_word, part['enum']))}; got {show(value)}"
        if "minimum" in part and not isinstance(value, bool) and value < part["minimum"]:
            yield path, f"must be at least {part['minimum']}, got {show(value)}"
        if isinstance(value, str):
            if len(value) < part.get("minLength", 0):
                yield path, "must not be empty"
            if part.get("format") == "date-time" and not is_timestamp(value):
                yield path, f"is not a date-time: {show(value)}"
        elif isinstance(value, dict):
            yield from self._check_object(value, part, path)
        elif isinstance(value, list) and "items" in part:
            for index, item in enumerate(value):
                value[index] = self._as_integer(item, part["items"])
                yield from self._check(value[index], part["items"], f"{path}[{index}]")

    def _check_any(self, value: Any, branches: list[dict[str, Any]], path: str) -> Iterator[Fault]:
        found = [list(self._check(value, branch, path)) for branch in branches]
        if all(found):
            yield from found[0]

    def _check_object(self, value: dict[str, Any], part: dict[str, Any], path: str) -> Iterator[Fault]:
        properties: dict[str, Any] = part.get("properties", {})
        extra = part.get("additionalProperties", True)
        for name in part.get("required", ()):
            if name not in value:
                yield path, f"required field {show(name)} is missing"
        for key, item in value.items():
            if key in properties:
                value[key] = self._as_integer(item, properties[key])
                yield from self._check(value[key], properties[key], child_path(path, key))
            elif extra is False:
                yield path, f"unknown field {show(key)}"
            elif isinstance(extra, dict):
                yield from self._check(item, extra, child_path(path, key))

    @staticmethod
    def _as_integer(value: Any, part: dict[str, Any]) -> Any:
        # ``in`` works for both forms of ``type``: no other type name contains "integer".
        wanted = part.get("type", ())
        if isinstance(value, float) and "integer" in wanted and value.is_integer() and abs(value) < _LARGEST_WHOLE:
            return int(value)
        return value


def _has_type(value: Any, wanted: str | list[str]) -> bool:
    names = (wanted,) if isinstance(wanted, str) else wanted
    return any(_is_a(value, name) for name in names)


def _is_a(value: Any, name: str) -> bool:
    match name:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "integer":
            # Whole floats within 64 bits have become integers by now.
            return isinstance(value, int) and not isinstance(value, bool)
        case _:
            return isinstance(value, int | float) and not isinstance(value, bool)


def _is_listed(value: Any, choices: list[Any]) -> bool:
    return (value is None or isinstance(value, str)) and value in choices


def _name(wanted: str | list[str]) -> str:
    names = [_NAMES[name] for name in ((wanted,) if isinstance(wanted, str) else wanted)]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _word(choice: str | None) -> str:
    return "null" if choice is None else choice


def _refuse_unknown_keywords(part: dict[str, Any]) -> None:
    unknown = part.keys() - _KEYWORDS - _ANNOTATIONS
    if unknown:
        raise ValueError(f"schema keywords that are not supported: {', '.join(sorted(unknown))}")
    below = [*part.get("properties", {}).values(), *part.get("anyOf", ())]
    below += [part[key] for key in ("items", "additionalProperties") if isinstance(part.get(key), dict)]
    for item in below:
        _refuse_unknown_keywords(item)
