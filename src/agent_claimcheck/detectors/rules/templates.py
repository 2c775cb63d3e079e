"""Templates in rule packs: ``{subject.start}`` and ``{args.path}``.

A reader must not miss: a template that has nothing to refer to makes its check *skipped*, never failed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.values.payload import ABSENT, field_at

_TEMPLATE = late_pattern(r"\{(subject|args)\.([^{}\s]+)\}")


class Expansion(Struct, frozen=True, kw_only=True):
    """An expected value with its templates filled in. ``missing`` names the references that had no value."""

    value: Any
    missing: tuple[str, ...] = ()


def expand(expected: Any, subject: dict[str, Any], args: dict[str, Any] | None) -> Expansion:
    """Fill in the templates of ``expected``: a string, or a list or mapping that holds some.

    A string that is one template keeps the JSON type of what it refers to; embedded ones become text.
    """
    if isinstance(expected, str):
        return _expand_text(expected, subject, args or {})
    if isinstance(expected, list):
        parts = [expand(item, subject, args) for item in expected]
        return Expansion(value=[p.value for p in parts], missing=tuple(m for p in parts for m in p.missing))
    if isinstance(expected, dict):
        named = {key: expand(item, subject, args) for key, item in expected.items()}
        return Expansion(
            value={key: part.value for key, part in named.items()},
            missing=tuple(m for part in named.values() for m in part.missing),
        )
    return Expansion(value=expected)


class Reference(Struct, frozen=True):
    """What a string that is one template refers to: ``subject`` or ``args``, and the segments of the path in it."""

    root: str
    segments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The reference as it is written."""
        return f"{self.root}.{'.'.join(self.segments)}"


@lru_cache(maxsize=4096)
def reference_of(text: str) -> Reference | None:
    """Return what ``text``, a string of a pack, refers to when it is one template and nothing else."""
    whole = _TEMPLATE.fullmatch(text)
    return Reference(whole[1], tuple(whole[2].split("."))) if whole else None


def _expand_text(text: str, subject: dict[str, Any], args: dict[str, Any]) -> Expansion:
    if "{" not in text:
        return Expansion(value=text)
    whole = reference_of(text)
    if whole is not None:
        value = field_at(subject if whole.root == "subject" else args, whole.segments)
        if value is ABSENT or value is None:
            return Expansion(value=None, missing=(whole.name,))
        return Expansion(value=value)
    missing: list[str] = []

    def fill(match: re.Match[str]) -> str:
        value = field_at(subject if match[1] == "subject" else args, match[2].split("."))
        if value is ABSENT or value is None:
            missing.append(f"{match[1]}.{match[2]}")
            return ""
        return value if isinstance(value, str) else str(value)

    return Expansion(value=_TEMPLATE.sub(fill, text), missing=tuple(missing))
