"""What is wrong with JSON text, in plain words.

A reader must not miss: nothing of the text is repeated that could not be printed.
"""

from __future__ import annotations

import json
import re

import msgspec

from agent_claimcheck.core.text import printable, shorten

_SHOWN = 20
_UNCLOSED = "Unterminated string starting at"
_MESSAGES = {
    "Expecting value": "a value is missing or misspelt",
    "Expecting property name enclosed in double quotes": "a field name in double quotes is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Extra data": "something follows the end of the JSON value",
    _UNCLOSED: "a string is not closed",
    "Invalid control character at": "a string holds a raw control character",
    "Invalid \\escape": "a string holds an unknown escape",
    "Invalid \\uXXXX escape": "a string holds a broken \\u escape",
    "Illegal trailing comma before end of object": "a comma stands before the end of an object",
    "Illegal trailing comma before end of array": "a comma stands before the end of a list",
}
_KINDS = {
    "object": "an object",
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
}
_PLACE = re.compile(r" - at `([^`]*)`\Z")
_MISSING = re.compile(r"Object missing required field `([^`]*)`\Z")
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`\Z")
_KIND = re.compile(r"Expected `([^`]*)`, got `([^`]*)`\Z")


def explain_syntax(error: json.JSONDecodeError, text: str) -> str:
    """Say in plain words why ``text`` is no JSON, and where; the sentence begins with "is not JSON"."""
    reason = _MESSAGES.get(error.msg, printable(error.msg))
    place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} of it, column {error.colno}"
    if error.msg == _UNCLOSED:
        return f"is not JSON: it ends too early, {reason} ({place})"
    if not text.strip():
        return "is not JSON: it is empty"
    if error.pos >= (end := len(text.rstrip())):
        lines = text[:end].split("\n")
        place = f"after column {len(lines[-1])}" if len(lines) == 1 else f"after line {len(lines)} of it"
        return f"is not JSON: it ends too early, {place}"
    seen = printable(text[error.pos : error.pos + _SHOWN]).replace('"', '\\"')
    return f'is not JSON: {reason} ({place}, at "{seen}")'


def explain_fault(error: Exception, data: bytes) -> str:
    """Say in plain words why reading ``data`` as JSON of a given shape ended in ``error``."""
    # The decoder may find the wrong shape before it comes to the fault that makes it no JSON at all.
    try:
        text = data.decode("utf-8")
        json.loads(text)
    except UnicodeDecodeError as fault:
        return f"is not UTF-8 text: byte 0x{data[fault.start]:02x} at position {fault.start + 1}"
    except json.JSONDecodeError as fault:
        return explain_syntax(fault, text)
    except RecursionError:
        return "is nested too deep"
    except ValueError:
        pass
    if isinstance(error, msgspec.ValidationError):
        return _explain_shape(str(error))
    return f"is not JSON: {printable(str(error)).removeprefix('JSON is malformed: ')}"


def _explain_shape(message: str) -> str:
    at = _PLACE.search(message)
    place = f"{at[1]}: " if at else ""
    said = message[: at.start()] if at else message
    if found := _MISSING.match(said):
        said = f'the field "{found[1]}" is missing'
    elif found := _UNKNOWN.match(said):
        said = f'unknown field "{found[1]}"'
    elif found := _KIND.match(said):
        said = f"expected {_kinds(found[1])}, got {_kinds(found[2])}"
    return shorten(printable(f"{place}{said}"), 300)


def _kinds(names: str) -> str:
    return " or ".join(_KINDS.get(name, name) for name in names.split(" | "))
