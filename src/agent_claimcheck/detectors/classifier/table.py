"""The feature tables by name and version: ``evidence/v1`` is ours, ``shape/v1`` the documented one.

A reader must not miss: a table never changes. A new feature, or a changed meaning, makes a new version, because fitted
files name the table they were fitted on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.call_features import CALL_FEATURES, call_features
from agent_claimcheck.detectors.classifier.claim_features import CLAIM_FEATURES, claim_features
from agent_claimcheck.detectors.classifier.feature import Feature
from agent_claimcheck.detectors.classifier.shape import SHAPE_FEATURES, shape_values
from agent_claimcheck.detectors.classifier.shell_features import SHELL_FEATURES, shell_features
from agent_claimcheck.detectors.classifier.value_features import VALUE_FEATURES, value_features
from agent_claimcheck.evidence.case import Evidence

EVIDENCE_TABLE = "evidence/v1"
SHAPE_TABLE = "shape/v1"


class FeatureTable(Struct, frozen=True, kw_only=True):
    """A named list of features and the function that computes them all, in order."""

    name: str
    features: tuple[Feature, ...]
    compute: Callable[[Evidence], tuple[float, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """The feature names in order."""
        return tuple(feature.name for feature in self.features)

    @property
    def directions(self) -> tuple[int, ...]:
        """Which way each feature can speak, in order: +1, -1, or 0 for either."""
        return tuple(feature.direction for feature in self.features)


def evidence_features(evidence: Evidence) -> tuple[float, ...]:
    """Return the values of table ``evidence/v1``, computed once per trace."""
    return evidence.shared(
        EVIDENCE_TABLE,
        lambda: (
            *claim_features(evidence),
            *call_features(evidence),
            *value_features(evidence),
            *shell_features(evidence),
        ),
    )


TABLES: dict[str, FeatureTable] = {
    EVIDENCE_TABLE: FeatureTable(
        name=EVIDENCE_TABLE,
        features=(*CLAIM_FEATURES, *CALL_FEATURES, *VALUE_FEATURES, *SHELL_FEATURES),
        compute=evidence_features,
    ),
    SHAPE_TABLE: FeatureTable(name=SHAPE_TABLE, features=SHAPE_FEATURES, compute=shape_values),
}


def table_of(name: str) -> FeatureTable:
    """Return the table called ``name``. Raises ``InputError`` when this version of the package has none."""
    if name not in TABLES:
        raise InputError(f"no feature table {name!r}", hint=f"known: {', '.join(TABLES)}", slug="artifact")
    return TABLES[name]


@lru_cache(maxsize=8)
def words_by_name(table: str) -> dict[str, str]:
    """Return what each feature of a table says, by name."""
    return {feature.name: feature.words for feature in table_of(table).features}
