"""The loaded settings: one frozen record that is handed down. Nothing below the command line reads the environment."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from agent_claimcheck.core.settings.keys import SETTINGS
from agent_claimcheck.core.settings.paths import ledger_path
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
from agent_claimcheck.core.settings.values import shown

API_KEY = "api_key"
"""The name under which the key's source stands in ``Settings.sources`` and in ``describe``."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of one run.

    ``sources`` says for every dotted key where its value came from: the config file's name, ``env NAME``, ``flag`` or
    ``default``. ``config_file`` is the file that was read, ``None`` without one. Paths are as written: relative ones
    are relative to the working directory.
    """

    gate: GateSettings
    judge: JudgeSettings
    budget: BudgetSettings
    rules: RulesSettings
    classifier: ClassifierSettings
    claims: ClaimsSettings
    check: CheckSettings
    cache_dir: Path
    api_key: Secret | None = None
    config_file: str | None = None
    sources: dict[str, str] = {}

    @property
    def ledger_file(self) -> Path:
        """The ledger in use, whether set or default."""
        return ledger_path(self.cache_dir, self.budget.ledger)


def describe(settings: Settings) -> list[tuple[str, str, str]]:
    """Return ``(key, value, source)`` for every setting, then for the API key, whose value is never shown."""
    rows: list[tuple[str, str, str]] = []
    for name, setting in SETTINGS.items():
        value = getattr(getattr(settings, setting.section), setting.field)
        rows.append((name, "not set" if value is None else shown(value), settings.sources.get(name, "default")))
    key_state = "not set" if settings.api_key is None else "set (hidden)"
    rows.append((API_KEY, key_state, settings.sources.get(API_KEY, "default")))
    return rows
