"""The feature tables by name and version: ``evidence/v2`` and its first form are ours, ``shape/v1`` the documented one.

A reader must not miss: a table never changes. A new feature, or a changed meaning, makes a new version, because fitted
files name the table they were fitted on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.classifier.call_features import CALL_FEATURES, call_features
from agent_claimcheck.detectors.classifier.claim_features import CLAIM_FEATURES, claim_features
from agent_claimcheck.detectors.classifier.feature import Feature, Wanted
from agent_claimcheck.detectors.classifier.later_features import LATER_FEATURES, later_features
from agent_claimcheck.detectors.classifier.ngrams import term_in_words
from agent_claimcheck.detectors.classifier.shape import SHAPE_FEATURES, shape_values
from agent_claimcheck.detectors.classifier.shell_features import SHELL_FEATURES, shell_features
from agent_claimcheck.detectors.classifier.value_features import VALUE_FEATURES, value_features
from agent_claimcheck.evidence.case import Evidence

EVIDENCE_TABLE = "evidence/v2"
FIRST_EVIDENCE_TABLE = "evidence/v1"
"""What files fitted by earlier versions name."""
SHAPE_TABLE = "shape/v1"


class Compute(Protocol):
    """Computes the values of a table for one run, in order."""

    def __call__(self, evidence: Evidence, wanted: Wanted | None = None) -> tuple[float, ...]:
        """Return all values. Features that are not ``wanted`` may be 0 instead; ``None`` wants all."""
        ...


class FeatureTable(Struct, frozen=True, kw_only=True):
    """A named list of features and the function that computes them all, in order."""

    name: str
    features: tuple[Feature, ...]
    compute: Compute

    @property
    def names(self) -> tuple[str, ...]:
        """The feature names in order."""
        return tuple(feature.name for feature in self.features)

    @property
    def directions(self) -> tuple[int, ...]:
        """Which way each feature can speak, in order: +1, -1, or 0 for either."""
        return tuple(feature.direction for feature in self.features)


def evidence_features(evidence: Evidence, wanted: Wanted | None = None) -> tuple[float, ...]:
    """Return the values of table ``evidence/v2``; all of them are computed once per trace."""
    if wanted is not None:
        return _evidence_values(evidence, wanted)
    return evidence.shared(EVIDENCE_TABLE, lambda: _evidence_values(evidence, _EVERY))


def _first_evidence_features(evidence: Evidence, wanted: Wanted | None = None) -> tuple[float, ...]:
    """Return the values of table ``evidence/v1``."""
    return _first_values(evidence, _EVERY if wanted is None else wanted)


def _evidence_values(evidence: Evidence, wanted: Wanted) -> tuple[float, ...]:
    return (*_first_values(evidence, wanted), *later_features(evidence, wanted))


def _first_values(evidence: Evidence, wanted: Wanted) -> tuple[float, ...]:
    receipts = [evidence.receipt(pair) for pair in evidence.calls]
    return (
        *claim_features(evidence),
        *call_features(evidence, receipts, wanted),
        *value_features(evidence, wanted),
        *shell_features(evidence, receipts, wanted),
    )


_FIRST_FEATURES = (*CLAIM_FEATURES, *CALL_FEATURES, *VALUE_FEATURES, *SHELL_FEATURES)
_EVIDENCE_FEATURES = (*_FIRST_FEATURES, *LATER_FEATURES)
_EVERY = frozenset(feature.name for feature in _EVIDENCE_FEATURES)

TABLES: dict[str, FeatureTable] = {
    EVIDENCE_TABLE: FeatureTable(
        name=EVIDENCE_TABLE,
        features=_EVIDENCE_FEATURES,
        compute=evidence_features,
    ),
    FIRST_EVIDENCE_TABLE: FeatureTable(
        name=FIRST_EVIDENCE_TABLE, features=_FIRST_FEATURES, compute=_first_evidence_features
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


def in_words(table: str, name: str) -> str:
    """Return what a feature of the table, or a term of the text model, says to a reviewer; another name says itself."""
    return words_by_name(table).get(name) or term_in_words(name) or name
