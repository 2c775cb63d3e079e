"""Checks one value of one setting, whether it came typed from TOML or a flag, or as text from the environment.

A reader must not miss: a value that could hold a secret (a URL with a password, a key typed where the name of its
variable belongs) is never repeated in a message.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any
from urllib.parse import urlsplit

from agent_claimcheck.core.settings.keys import Kind, Setting
from agent_claimcheck.core.text import printable, shorten

_KIND_WORDS: dict[Kind, str] = {
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "text": "text",
    "texts": "a list of texts",
}
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_PLAIN_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
_FALSE_WORDS = frozenset({"0", "false", "no", "off"})


class ValueFault(ValueError):
    """A value does not fit its setting; the text says what was expected and what was given."""


def shown(value: Any) -> str:
    """Return ``value`` as it is shown in a message: JSON-like, safe for a terminal, at most 60 characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return shorten(printable(text), 60)


def checked(setting: Setting, value: Any) -> Any:
    """Return ``value`` in the type of ``setting``; raise ``ValueFault`` when it does not fit.

    Lists and tuples of texts become tuples, whole numbers are accepted where a number is wanted.
    """
    value = _typed(setting, value)
    if setting.kind in ("number", "integer"):
        _check_range(setting, value)
    elif setting.kind == "text":
        _check_text(setting, value)
    elif setting.kind == "texts":
        for item in value:
            _check_text(setting, item)
    return value


def from_text(setting: Setting, text: str) -> Any:
    """Return the checked value of ``setting`` that ``text`` from the environment stands for. Lists have commas."""
    stripped = text.strip()
    value: Any = stripped
    if setting.kind in ("number", "integer") and _PLAIN_NUMBER.match(stripped):
        value = _number_of(stripped)
    elif setting.kind == "boolean" and stripped.lower() in _TRUE_WORDS | _FALSE_WORDS:
        value = stripped.lower() in _TRUE_WORDS
    elif setting.kind == "texts":
        value = [item.strip() for item in text.split(",") if item.strip()]
    return checked(setting, value)


def _number_of(text: str) -> int | float:
    digits = text.lstrip("+-")
    # Python refuses to read integers of thousands of digits; as a float they are simply out of range.
    return int(text) if digits.isdigit() and len(digits) < 20 else float(text)


def _typed(setting: Setting, value: Any) -> Any:
    kind = setting.kind
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "integer" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == "number" and isinstance(value, int | float) and not isinstance(value, bool):
        return _as_float(setting, value)
    if kind == "text" and isinstance(value, str):
        return value
    if kind == "texts" and isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if setting.key.form == "variable":
        raise ValueFault(f"must be {_KIND_WORDS[kind]}")
    raise ValueFault(f"must be {_KIND_WORDS[kind]}, got {shown(value)}")


def _as_float(setting: Setting, value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueFault(f"must be a finite number, got {shown(value)}")
    return number


def _check_range(setting: Setting, value: float) -> None:
    key = setting.key
    too_low = key.low is not None and (value <= key.low if key.is_above_low else value < key.low)
    if too_low or (key.high is not None and value > key.high):
        raise ValueFault(f"must be {expected(setting)}, got {shown(value)}")


def expected(setting: Setting) -> str:
    """Return in words which values ``setting`` takes, for example ``a number from 0 to 1``."""
    key = setting.key
    if key.choices:
        return "one of " + ", ".join(f'"{choice}"' for choice in key.choices)
    words = _KIND_WORDS[setting.kind]
    if key.form == "url":
        return "an http or https URL"
    if key.form == "variable":
        return "the name of an environment variable"
    if key.form == "path":
        return "a path" if setting.kind == "text" else "a list of paths"
    if key.low is None:
        return words
    start = f"above {_plain(key.low)}" if key.is_above_low else f"from {_plain(key.low)}"
    if key.high is None:
        return f"{words} {start}" if key.is_above_low else f"{words} {start} upwards"
    end = f"up to {_plain(key.high)}" if key.is_above_low else f"to {_plain(key.high)}"
    return f"{words} {start} {end}"


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def _check_text(setting: Setting, text: str) -> None:
    key = setting.key
    if not text.strip():
        raise ValueFault("must not be empty")
    if "\0" in text:
        raise ValueFault("must not hold a NUL character")
    if key.choices and text not in key.choices:
        raise ValueFault(f"must be {expected(setting)}, got {shown(text)}")
    if key.form == "variable" and not _VARIABLE_NAME.match(text):
        raise ValueFault("must be the name of an environment variable, not the key itself")
    if key.form == "url":
        check_url(text)


def check_url(text: str) -> None:
    """Raise ``ValueFault`` unless ``text`` is an address a key may be sent to: one host, whoever reads it."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueFault("must be an http or https URL") from None
    # Programs disagree on which host such a URL names, and the API key follows the host.
    if not text.isascii() or any(char in text for char in "\\ \t\r\n") or "@" in parts.netloc:
        raise ValueFault("must be a plain URL without user, password, spaces or backslashes")
    if parts.scheme not in ("http", "https") or not host:
        raise ValueFault(f"must be an http or https URL, got {shown(text)}")
    if parts.query or parts.fragment:
        raise ValueFault("must be a URL without ? and #")
