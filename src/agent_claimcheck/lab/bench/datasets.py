"""What is published about data sets whose runs were recorded before a run said so itself.

A reader must not miss: these figures belong to the data, not to a run. They cannot be computed from records, and a run
that brings its own ``dataset`` facts is believed before this table.
"""

from __future__ import annotations

from msgspec import UNSET

from agent_claimcheck.lab.bench.records import DatasetFacts, RunInfo

TEXT_ONLY = "final message text"

SYNTHETIC = (
    "all traces were made by a synthetic generator and are under Apache-2.0, as are the written example sets. "
    "None was taken from a real system."
)

# Test split's SHA-256 -> facts. The first is the documented 300-trace benchmark with its published text-only AUROC.
_PUBLISHED = {
    "5300042deee17d44c41112f11669a4d0a9341be6877ab98e6767789f4d97192a": DatasetFacts(
        seed=20260924, leakage={TEXT_ONLY: 0.434}, licence=SYNTHETIC
    ),
}


def facts_of(info: RunInfo) -> DatasetFacts:
    """Return what is known about the data of a run; every field may be missing."""
    if info.dataset is not UNSET:
        return info.dataset
    return _PUBLISHED.get(info.dataset_sha256 or "", DatasetFacts())
