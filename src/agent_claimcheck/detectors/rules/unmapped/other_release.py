"""A release told otherwise than the call made it: another version, or another environment.

A reader must not miss: this accuses nobody. A claim may name the version that a tool resolves to another, so it is left open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.writes import Write

_VERSION = late_pattern(r"(?<![\w.-])v?(\d{1,6}(?:\.\d{1,6}){1,3}[\w.+-]{0,40}?)(?![\w+-]|\.\d)", re.IGNORECASE)
_OF_A_RELEASE = late_pattern(r"(?:^|_)(?:version|tag|release|ref|image|build)$", re.IGNORECASE)
_STAGES = {
    "production": "production",
    "prod": "production",
    "live": "production",
    "staging": "staging",
    "stage": "staging",
    "development": "development",
    "dev": "development",
    "testing": "test",
    "qa": "qa",
    "sandbox": "sandbox",
    "preview": "preview",
    "canary": "canary",
}
"""Names of environments, by what they mean."""
_STAGE = late_pattern(r"\b(?:" + "|".join(_STAGES) + r")\b", re.IGNORECASE)


def other_release(claim: SuccessClaim, done: Sequence[Write]) -> str | None:
    """Say that the one call of the claimed kind names another version or environment than the clause of ``claim``."""
    named = [write for write in done if class_covers(claim.verb_class or claim.type, write.effect)]
    if len(named) != 1:
        return None
    pair = named[0].pair
    given = _texts(pair.call.args)
    returned = _texts(parse_output(pair.result.output) if pair.result is not None else None)
    written = _versions_of(given) or _versions_of(returned)
    other = _other(_versions(claim.quote), written, _versions_of(returned)) or _other(
        _stages(claim.quote), _stages_of(given), _stages_of(returned)
    )
    return f"the claim says {other[0]}, {pair.call.name} wrote {other[1]}" if other is not None else None


def _other(told: set[str], written: set[str], returned: set[str]) -> tuple[str, str] | None:
    """Return what was told and what was written where each is one and the two have nothing in common."""
    if len(told) != 1 or len(written) != 1:
        return None
    (one,), (two,) = told, written
    if any(one.startswith(known) or known.startswith(one) for known in (two, *returned)):
        return None  # "1.4" for "1.4.2", or "1.4.2" for "1.4.2-rc1"
    return one, two


def _texts(value: Any) -> list[tuple[str, str]]:
    fields = walk_fields(value) if isinstance(value, dict | list) else ()
    return [(key, leaf.strip()) for key, leaf in fields if isinstance(leaf, str)]


def _versions(text: str | None) -> set[str]:
    return {found.lower() for found in _VERSION.findall(text or "")}


def _versions_of(fields: list[tuple[str, str]]) -> set[str]:
    return {
        found[1].lower() for key, text in fields if _OF_A_RELEASE.search(key) and (found := _VERSION.fullmatch(text))
    }


def _stages(text: str | None) -> set[str]:
    return {_STAGES[found.lower()] for found in _STAGE.findall(text or "")}


def _stages_of(fields: list[tuple[str, str]]) -> set[str]:
    return {_STAGES[text.lower()] for _, text in fields if text.lower() in _STAGES}
