"""What one reading gave: found, not found, or unavailable.

A reader must not miss: only "not found" speaks against a claim. Whatever else went wrong is ``unavailable``: ``ok`` is
null and the reason is written in this package's own fixed words, so that no text of a server or a program can read like
"not found" and accuse an honest run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from agent_claimcheck.core.errors import ClaimcheckError
from agent_claimcheck.evidence.values.payload import ABSENT, field_at
from agent_claimcheck.trace.limits import is_within_limits


class Reading(Struct, frozen=True, kw_only=True):
    """``ok`` true: found; false: not found; null: nothing can be said. ``detail`` is for the user's eyes only."""

    ok: bool | None
    output: Any = None
    error: str | None = None
    detail: str = ""


class Unavailable(ClaimcheckError):
    """A reading could not be made. ``detail`` may hold foreign text; it is never written into a probe."""

    slug = "probe_unavailable"

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class NotFound(ClaimcheckError):
    """The environment answered that there is no such record."""

    slug = "probe_not_found"


def found(output: Any) -> Reading:
    """Return a reading of something that is there; a bare value becomes ``{"value": ...}`` so that checks can name it."""
    return Reading(ok=True, output=output if isinstance(output, dict | list) else {"value": output})


def not_found(reason: str) -> Reading:
    """Return a reading that says the record is not there."""
    return Reading(ok=False, error=f"not found: {reason}")


def unavailable(reason: str, detail: str = "") -> Reading:
    """Return a reading that says nothing."""
    return Reading(ok=None, error=f"unavailable: {reason}", detail=detail)


def json_or_none(data: bytes) -> Any:
    """Return the JSON value in ``data``, ``ABSENT`` when it is none or too deep to be carried in a trace."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return ABSENT
    return value if is_carriable(value) else ABSENT


def is_carriable(value: Any) -> bool:
    """True when a probe inside a trace can hold ``value``: not too deep, integers within 64 bits."""
    return is_within_limits({"trace": {"steps": [{"output": value}]}})


def taken(value: Any, segments: Sequence[str]) -> Any:
    """Return the part of ``value`` at ``segments``.

    Raises ``NotFound`` when the list it should stand in is empty, and ``Unavailable`` when the answer is built otherwise.
    """
    for position in range(len(segments)):
        part = field_at(value, segments[: position + 1])
        if part is ABSENT:
            if field_at(value, segments[:position]) == []:
                raise NotFound("the list is empty")
            raise Unavailable("the answer lacks the field that the probe takes")
    return field_at(value, segments)
