"""How a run uses the judge, as one picklable record. It imports nothing of the judge, so building it costs nothing."""

from __future__ import annotations

import secrets
from pathlib import Path

from msgspec import Struct, field

from agent_claimcheck.core.settings import Settings


class JudgeOptions(Struct, frozen=True, kw_only=True):
    """How a run uses the judge, besides its settings.

    ``samples`` is how often each question is asked. ``record`` and ``replay`` are directories. ``run_id`` names the run
    in the ledger; whoever works from the same options, in whatever process, shares its budget. ``budget_desk`` names the
    Ray actor that keeps the budget for processes on other machines.
    """

    settings: Settings
    samples: int = 1
    use_cache: bool = True
    record: Path | None = None
    replay: Path | None = None
    run_id: str = field(default_factory=lambda: secrets.token_hex(6))
    is_dry: bool = False
    budget_desk: str | None = None
