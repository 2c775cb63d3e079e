"""Wiring: from settings to a picklable specification that any worker can build a Checker from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.settings import Settings, load_settings
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.packs.load import load_builtin_packs, load_rule_pack
from agent_claimcheck.packs.select import shadowed
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.learned_options import LearnedOptions
from agent_claimcheck.scoring.gate import Thresholds


class CheckerSpec(Struct, frozen=True, kw_only=True):
    """Everything a Checker needs, resolved: detector name, packs (user packs last), thresholds, claim types.

    ``checks`` names conduct checks whose reports are added to each result.
    """

    detector: str
    packs: tuple[RulePack, ...]
    thresholds: Thresholds
    non_success_types: frozenset[str]
    scope: Literal["all", "final"] = "all"
    judge: JudgeOptions | None = None
    learned: LearnedOptions = LearnedOptions()
    checks: tuple[str, ...] = ()

    @property
    def case(self) -> CaseSettings:
        """What the case file of every trace needs to know."""
        return CaseSettings(packs=self.packs, non_success_types=self.non_success_types, scope=self.scope)

    @property
    def shadowed(self) -> list[str]:
        """One line for every built-in rule that a user pack replaces."""
        return [override.describe() for override in shadowed(self.packs) if override.winner.is_user]


def spec_from_settings(
    settings: Settings | None = None,
    *,
    config: Path | None = None,
    rules: Sequence[Path] = (),
    overrides: Mapping[str, Any] | None = None,
) -> CheckerSpec:
    """Build the specification from loaded settings, or from the configuration file and environment when none are given."""
    if settings is None:
        settings = load_settings(config, overrides or {}, os.environ, Path.cwd())
    paths: list[str | Path] = [*settings.rules.packs, *rules]
    user_packs = [load_rule_pack(path) for path in paths]
    return CheckerSpec(
        detector=settings.check.detector,
        packs=(*load_builtin_packs(), *user_packs),
        thresholds=Thresholds(verified=settings.gate.verified, false_success=settings.gate.false_success),
        non_success_types=frozenset(settings.rules.non_success_types),
        scope=settings.claims.scope,
        judge=JudgeOptions(settings=settings),
        learned=LearnedOptions.of(settings),
    )
