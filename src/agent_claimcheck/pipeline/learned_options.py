"""Which fitted files a run uses, as one picklable record. It imports nothing that scores, so building it costs nothing."""

from __future__ import annotations

from msgspec import Struct

from agent_claimcheck.core.settings import Settings


class LearnedOptions(Struct, frozen=True, kw_only=True):
    """Paths of the classifier and calibration files the user chose; ``None`` for the shipped ones."""

    model: str | None = None
    calibration: str | None = None

    @classmethod
    def of(cls, settings: Settings) -> LearnedOptions:
        """Return what the settings say."""
        return cls(model=settings.classifier.model, calibration=settings.classifier.calibration)
