"""The only reader of TOML and the environment: turns flags, variables and files into one frozen ``Settings``."""

from __future__ import annotations

from agent_claimcheck.core.settings.load import load_settings
from agent_claimcheck.core.settings.model import Settings, describe
from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.core.settings.sections import (
    BudgetSettings,
    CheckSettings,
    ClaimsSettings,
    ClassifierSettings,
    GateSettings,
    JudgeSettings,
    RulesSettings,
)

__all__ = [
    "BudgetSettings",
    "CheckSettings",
    "ClaimsSettings",
    "ClassifierSettings",
    "GateSettings",
    "JudgeSettings",
    "RulesSettings",
    "Secret",
    "Settings",
    "describe",
    "load_settings",
]
