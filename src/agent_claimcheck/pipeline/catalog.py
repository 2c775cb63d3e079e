"""The one visible list of parts: what can be named on the command line, and where it lives.

A new part is one file and one line here. Nothing is imported until it is asked for.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from typing import Any

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.detectors.contract import Detector

DETECTORS: dict[str, str] = {
    "rules": "agent_claimcheck.detectors.rules.detector:RulesDetector",
    "trust-agent": "agent_claimcheck.detectors.baselines:TrustAgent",
    "any-error": "agent_claimcheck.detectors.baselines:AnyError",
}

DEFAULT_DETECTOR = "rules"

_registered: dict[str, Callable[[], Detector]] = {}


def register_detector(name: str, factory: Callable[[], Detector]) -> None:
    """Make a detector of your own available under ``name``. ``factory`` takes nothing and returns the detector.

    Raises ``UsageError`` when the name is taken by a built-in detector.
    """
    if name in DETECTORS:
        raise UsageError(f"detector name {name!r} is taken by a built-in detector", hint="choose another name")
    _registered[name] = factory


def detector_names() -> list[str]:
    """Return every known detector name, sorted."""
    return sorted({*DETECTORS, *_registered})


def build_detector(name: str) -> Detector:
    """Return the detector called ``name``. Raises ``UsageError`` for an unknown one."""
    if name in _registered:
        return _registered[name]()
    if name not in DETECTORS:
        close = difflib.get_close_matches(name, detector_names(), n=1)
        meant = f"did you mean {close[0]!r}? " if close else ""
        raise UsageError(f"unknown detector {name!r}", hint=f"{meant}known: {', '.join(detector_names())}")
    built: Detector = load_part(DETECTORS[name])()
    return built


def load_part(place: str) -> Any:
    """Import ``module:attribute`` and return the attribute."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
