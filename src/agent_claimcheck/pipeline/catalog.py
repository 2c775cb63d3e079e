"""The visible list of detectors and checks: what can be named on the command line, and where it lives.

A new one is one file and one line here. Nothing is imported until it is asked for. Importers, findings and output formats
have a catalog each in their own room, for rooms below this one read them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.suggest import closest

if TYPE_CHECKING:
    from agent_claimcheck.checks.contract import Check
    from agent_claimcheck.detectors.contract import Detector
    from agent_claimcheck.pipeline.judge_options import JudgeOptions
    from agent_claimcheck.pipeline.learned_options import LearnedOptions

DETECTORS: dict[str, str] = {
    "rules": "agent_claimcheck.detectors.rules.detector:RulesDetector",
    "trust-agent": "agent_claimcheck.detectors.baselines:TrustAgent",
    "any-error": "agent_claimcheck.detectors.baselines:AnyError",
    "judge": "agent_claimcheck.pipeline.judging:build_judge",
    "cascade": "agent_claimcheck.pipeline.judging:build_cascade",
    "classifier": "agent_claimcheck.pipeline.learned:build_classifier",
    "classifier-lr": "agent_claimcheck.pipeline.learned:build_classifier_lr",
    "cascade-offline": "agent_claimcheck.pipeline.learned:build_cascade_offline",
    "cascade-documented": "agent_claimcheck.pipeline.learned:build_cascade_documented",
    "siblings": "agent_claimcheck.pipeline.learned:build_siblings",
}

LEARNED_DETECTORS = frozenset({"classifier", "classifier-lr", "cascade-offline", "cascade-documented", "siblings"})
"""Detectors with a fitted file; they are built from ``LearnedOptions``."""

PAID_DETECTORS = frozenset({"judge", "cascade"})
"""Detectors that ask a model; they are built from ``JudgeOptions``."""

CHECKS: dict[str, str] = {
    "tool_use": "agent_claimcheck.checks.tool_use:check_run",
    "faithfulness": "agent_claimcheck.checks.faithfulness.check:check_faithfulness",
    "injection": "agent_claimcheck.checks.injection.check:check_injection",
    "role": "agent_claimcheck.checks.role:check_role",
}

DEFAULT_CHECKS = ("tool_use", "faithfulness")
"""What is asked of a run when no check is named."""

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


def build_detector(name: str, judge: JudgeOptions | None = None, learned: LearnedOptions | None = None) -> Detector:
    """Return the detector called ``name``; one that asks a model is built from ``judge``, a fitted one from ``learned``.

    Raises ``UsageError`` for an unknown name, and for a judge without a model or a price.
    """
    if name in _registered:
        return _registered[name]()
    if name not in DETECTORS:
        near = closest(name, detector_names())
        meant = f"did you mean {near!r}? " if near else ""
        raise UsageError(f"unknown detector {name!r}", hint=f"{meant}known: {', '.join(detector_names())}")
    part = _load_part(DETECTORS[name])
    if name in LEARNED_DETECTORS:
        fitted: Detector = part(learned)
        return fitted
    if name not in PAID_DETECTORS:
        built: Detector = part()
        return built
    if judge is None:
        raise UsageError(f"{name} needs the settings of a model", hint="build it through Checker(spec=...)")
    asked: Detector = part(judge)
    return asked


def select_checks(names: Sequence[str]) -> list[Check]:
    """Return the checks of these names. Raises ``UsageError`` for none, unknown or repeated names."""
    if isinstance(names, str) or not names:
        raise UsageError("no checks were selected", hint=f"known: {', '.join(sorted(CHECKS))}")
    unknown = sorted(set(names) - set(CHECKS))
    if unknown:
        raise UsageError(f"unknown checks: {', '.join(unknown)}", hint=f"known: {', '.join(sorted(CHECKS))}")
    if len(set(names)) != len(names):
        raise UsageError("a check was selected twice", hint="name each check once")
    return [load_check(name) for name in names]


def load_check(name: str) -> Check:
    """Return the check called ``name``, one of ``CHECKS``."""
    check: Check = _load_part(CHECKS[name])
    return check


def _load_part(place: str) -> Any:
    """Import ``module:attribute`` and return the attribute."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
