"""Where the traces of a bench run come from: the packaged benchmark, or any labelled files, with what is known of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from msgspec import Struct

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.core.resources import read_data
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.bench.baselines import measure_leakage
from agent_claimcheck.lab.bench.datasets import SYNTHETIC
from agent_claimcheck.lab.bench.records import DatasetFacts
from agent_claimcheck.lab.bench.subjects import Subject, Subjects, read_subjects
from agent_claimcheck.lab.labels import one_label_each
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.trace.write import to_json

PACKAGED = ("bench:train", "bench:test")
_TEST_FILE = "benchmark/traces.test.jsonl"


class BenchData(Struct, frozen=True, kw_only=True):
    """The labelled traces of a run. ``sha256`` is of the test file, or of the test traces where files are the user's."""

    subjects: Subjects
    facts: DatasetFacts
    sha256: str
    is_packaged: bool


def packaged_sha256() -> str:
    """Return the SHA-256 of the packaged test file, by which a recorded run names its data."""
    return sha256_hex(read_data(_TEST_FILE))


def read_data_set(files: Sequence[str], case: CaseSettings, *, with_leakage: bool = True) -> BenchData:
    """Read labelled traces from ``files``, or the packaged benchmark when there are none.

    Raises ``InputError`` when no labelled trace is left to test on. ``with_leakage`` also measures the leakage baselines.
    """
    items = read_sources(files or PACKAGED, SourceOptions(keeps_repeats=bool(files)))
    subjects = read_subjects(one_label_each(items) if files else items, case)
    leakage = measure_leakage([subject.trace for subject in subjects.of_split("test")]) if with_leakage else {}
    if files:
        return BenchData(
            subjects=subjects,
            facts=DatasetFacts(leakage=leakage),
            sha256=_sha256_of(subjects.of_split("test")),
            is_packaged=False,
        )
    manifest = json.loads(read_data("benchmark/manifest.json"))
    return BenchData(
        subjects=subjects,
        facts=DatasetFacts(seed=manifest["seed"], leakage=leakage, licence=SYNTHETIC),
        sha256=packaged_sha256(),
        is_packaged=True,
    )


def _sha256_of(subjects: Iterable[Subject]) -> str:
    return sha256_hex(b"".join(to_json(subject.trace, "v2") + b"\n" for subject in subjects))
