"""What a rule pack says, as records. ``load`` builds these from YAML; the rules detector reads them.

A reader must not miss: nothing here evaluates anything. Patterns are compiled RE2 objects made at load time.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Operator = Literal["exists", "equals", "in", "contains", "matches", "subset"]
Normaliser = Literal["datetime", "email", "number", "string"]


class FieldCheck(Struct, frozen=True, kw_only=True):
    """One check of one field: ``path op expected [as normaliser]``.

    ``path`` is as written in the pack (``a.b.0``, ``args.x``); ``segments`` is it split, list indices still as text.
    ``from_args`` is true when the path reads the call's arguments instead of the result.
    ``pattern`` is the compiled RE2 pattern of a ``matches`` check.
    """

    path: str
    segments: tuple[str, ...]
    from_args: bool
    op: Operator
    expected: Any
    normaliser: Normaliser | None = None
    pattern: Any = None


class ClaimRule(Struct, frozen=True, kw_only=True):
    """What proves one claim type: an action glob, receipt checks and an optional state probe."""

    claim_type: str
    action: str
    receipt: tuple[FieldCheck, ...] = ()
    probe: str | None = None
    probe_checks: tuple[FieldCheck, ...] = ()


class ClaimPattern(Struct, frozen=True, kw_only=True):
    """A compiled claim pattern; named groups become subject fields."""

    claim_type: str
    source: str
    pattern: Any


class RulePack(Struct, frozen=True, kw_only=True):
    """One pack file. ``reads`` are globs of tools that change nothing, whatever their names suggest.

    ``origin`` is ``builtin`` or the path it was loaded from; ``user`` packs win over built-in ones."""

    name: str
    version: int
    tools: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    claim_patterns: tuple[ClaimPattern, ...] = ()
    claims: dict[str, ClaimRule] = {}
    origin: str = "builtin"
    is_user: bool = False
