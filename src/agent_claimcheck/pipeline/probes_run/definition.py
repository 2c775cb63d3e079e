"""What a probes file says, as records. ``load`` builds them; nothing here runs anything.

A reader must not miss: a value of a trace can stand only in a ``SlottedText``, where it is one argument, one query value
or one part of a path, or be a bound parameter of a query.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

ValueType = Literal["string", "integer", "email", "date", "path"]
ValuePlace = Literal["claim.type", "claim.subject", "call.name", "call.args", "call.output", "task.id", "trace.id"]


class Limits(Struct, frozen=True, kw_only=True):
    """How long one reading may take (seconds), how large its answer may be (bytes), how many run."""

    timeout_s: float = 10.0
    max_output_bytes: int = 65_536
    concurrency: int = 4
    max_runs_per_trace: int = 20


class ValueSource(Struct, frozen=True, kw_only=True):
    """Where a value stands: a place, and the path inside it for subjects, arguments and outputs."""

    place: ValuePlace
    segments: tuple[str, ...] = ()


class Param(Struct, frozen=True, kw_only=True):
    """One value a probe takes from a trace, and what it must look like. ``pattern`` matches the whole value."""

    name: str
    sources: tuple[ValueSource, ...]
    type: ValueType
    pattern: Any = None
    max_length: int = 200
    is_unicode_allowed: bool = False
    is_dash_allowed: bool = False
    strip: str = ""


class SlottedText(Struct, frozen=True, kw_only=True):
    """A text with places for values: ``literals[0] value(params[0]) literals[1] ...``."""

    literals: tuple[str, ...]
    params: tuple[str, ...] = ()

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with its values put in, as they are."""
        parts = [self.literals[0]]
        for name, literal in zip(self.params, self.literals[1:], strict=True):
            parts += (values[name], literal)
        return "".join(parts)


class CommandRead(Struct, frozen=True, kw_only=True):
    """A program run in ``root`` without a shell. ``env`` names the variables it may see."""

    root: Path
    argv: tuple[SlottedText, ...]
    env: tuple[str, ...] = ()
    not_found_exit: tuple[int, ...] = ()
    take: tuple[str, ...] = ()


class HeaderValue(Struct, frozen=True, kw_only=True):
    """A header: a plain text, or ``prefix`` and the content of the environment variable ``env``."""

    text: str = ""
    env: str | None = None
    prefix: str = ""


class HttpRead(Struct, frozen=True, kw_only=True):
    """A GET below ``base_url``."""

    base_url: str
    path: SlottedText
    query: tuple[tuple[str, SlottedText], ...] = ()
    headers: tuple[tuple[str, HeaderValue], ...] = ()
    take: tuple[str, ...] = ()


class SqlRead(Struct, frozen=True, kw_only=True):
    """One SELECT. The URL is written out (``url``) or stands in an environment variable (``url_env``).

    ``folder`` is where a relative SQLite file is looked for; ``params`` are the names the query binds.
    """

    query: str
    params: tuple[str, ...]
    folder: Path
    url: str | None = None
    url_env: str | None = None
    rows: Literal["one", "all"] = "one"


class FileRead(Struct, frozen=True, kw_only=True):
    """A look at one file below ``root``."""

    root: Path
    path: SlottedText
    read: Literal["exists", "json", "sha256"]
    take: tuple[str, ...] = ()


Action = CommandRead | HttpRead | SqlRead | FileRead


class ProbeDefinition(Struct, frozen=True, kw_only=True):
    """One probe: when it runs (``for_claims``, ``for_tools``: globs), which values it takes, and what it reads."""

    name: str
    action: Action
    params: tuple[Param, ...] = ()
    for_claims: tuple[str, ...] = ()
    for_tools: tuple[str, ...] = ()
    is_missing_reported: bool = False

    def takes_from(self, owner: Literal["claim", "call"]) -> bool:
        """True when a parameter is read from a claim or from a call."""
        return any(source.place.startswith(f"{owner}.") for param in self.params for source in param.sources)


class ProbeFile(Struct, frozen=True, kw_only=True):
    """A whole probes file."""

    path: Path
    limits: Limits
    probes: tuple[ProbeDefinition, ...]
