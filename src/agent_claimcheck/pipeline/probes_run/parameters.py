"""The only door for text of a trace into a probe: every value is typed, bounded and matched as a whole, or refused.

A reader must not miss: control characters, line breaks, invisible characters and, unless allowed, everything outside
ASCII are refused for every type, whatever the pattern says. A path is relative, has no ``..`` left and names nothing
outside its root.
"""

from __future__ import annotations

import os
import posixpath
import re
from datetime import date
from pathlib import Path
from typing import Any

from agent_claimcheck.core.text import printable
from agent_claimcheck.pipeline.probes_run.definition import Param

_WHOLE_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\Z")  # 18 digits always fit 64 bits
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\Z")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")

TypedValue = str | int


class ValueRefused(ValueError):
    """A value of a trace may not reach the probe; the text says why and does not repeat the value."""


def typed_value(param: Param, raw: Any, *, is_argument: bool = False) -> TypedValue:
    """Return ``raw`` as the value of ``param``. Raises ``ValueRefused``.

    ``is_argument`` says that it becomes an argument of a command: then it may not start with ``-`` unless allowed.
    """
    text = _text_of(param, raw)
    value: TypedValue = text
    match param.type:
        case "integer":
            if not _WHOLE_NUMBER.match(text):
                raise ValueRefused("is no whole number of at most 18 digits")
            value = int(text)
        case "email":
            if not _EMAIL.match(text):
                raise ValueRefused("is no e-mail address")
        case "date":
            _check_day(text)
        case "path":
            text = value = relative_path(text, param.strip)
    if param.pattern is not None and param.pattern.search(text) is None:
        raise ValueRefused("does not match its pattern")
    if is_argument and text.startswith("-") and not param.is_dash_allowed:
        raise ValueRefused("starts with a dash, which a command would read as an option")
    return value


def _text_of(param: Param, raw: Any) -> str:
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise ValueRefused("is neither text nor a whole number")
    if isinstance(raw, int) and abs(raw) >= 10**18:
        raise ValueRefused("is no whole number of at most 18 digits")
    text = str(raw)
    if len(text) > param.max_length:
        raise ValueRefused(f"is longer than {param.max_length} characters")
    if not text.strip():
        raise ValueRefused("is empty")
    if printable(text) != text:
        raise ValueRefused("holds control or invisible characters")
    if not text.isascii() and not param.is_unicode_allowed:
        raise ValueRefused("holds characters outside ASCII")
    return text


def _check_day(text: str) -> None:
    try:
        is_day = _DAY.match(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        is_day = False
    if not is_day:
        raise ValueRefused("is no date such as 2030-01-31")


def relative_path(text: str, strip: str = "") -> str:
    """Return ``text`` as a clean relative path with ``/``. Raises ``ValueRefused`` when it leads out of its root.

    >>> relative_path("/workspace/src/./a.py", "/workspace/")
    'src/a.py'
    """
    if strip and text.startswith(strip):
        text = text[len(strip) :].lstrip("/")
    if "\\" in text or text.startswith("/") or (len(text) > 1 and text[1] == ":"):
        raise ValueRefused("is no relative path")
    parts = text.split("/")
    if ".." in parts:
        raise ValueRefused("leads out of its root")
    clean = posixpath.normpath(text)
    if clean.startswith("~"):
        raise ValueRefused("is no relative path")
    return clean


def inside_root(root: Path, path: str) -> Path:
    """Return where ``path`` below ``root`` really lies, links followed. Raises ``ValueRefused`` when that is outside."""
    real_root = os.path.realpath(root)
    try:
        real = os.path.realpath(os.path.join(real_root, path))  # noqa: PTH118 - pathlib drops what realpath must see
    except (OSError, ValueError):
        raise ValueRefused("is no usable path") from None
    if real != real_root and not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise ValueRefused("leads out of its root")
    return Path(real)
