"""From a seed to the files of a data set: two splits, a manifest and a card.

A reader must not miss: nothing but the seed, the profile and the size goes in. No clock, no platform, no set order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.lab.dataset.full.kinds import plan_wide_cases
from agent_claimcheck.lab.dataset.full.player import WIDE_GENERATOR, play_wide
from agent_claimcheck.lab.dataset.names import SPLITS, Pools, Split, load_words, make_pools
from agent_claimcheck.lab.dataset.plan.cells import DOMAINS, Case, plan_cases
from agent_claimcheck.lab.dataset.plan.player import GENERATOR, play
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.write import Version, to_json

DEFAULT_SEED = 20260924
FULL_SIZE = 3000
Profile = Literal["default", "full"]

MANIFEST = "manifest.json"
CARD = "DATASET_CARD.md"


def split_file(split: Split) -> str:
    """Return the file name of a split."""
    return f"traces.{split}.jsonl"


class Dataset(Struct, frozen=True):
    """A generated data set. ``counts`` is by cell, in sorted order; ``traces`` by split, in the order of ids."""

    profile: Profile
    generator: str
    seed: int
    version: Version
    traces: dict[Split, list[Trace]]
    counts: dict[str, int]


def generate_dataset(profile: str, seed: int = DEFAULT_SEED, size: int | None = None) -> Dataset:
    """Return the data set of ``profile``; ``size`` is the number of runs of the full one (default 3,000)."""
    return generate_documented(seed) if profile == "default" else generate_full(seed, size or FULL_SIZE)


def generate_full(seed: int = DEFAULT_SEED, size: int = FULL_SIZE) -> Dataset:
    """Return the full data set of ``size`` runs."""
    pools = full_pools(seed)
    traces: dict[Split, list[Trace]] = {split: [] for split in SPLITS}
    for place, case in enumerate(plan_wide_cases(seed, size)):
        trace = play_wide(case, pools[case.split], seed=seed, trace_id=f"full-{place + 1:05d}", place=place)
        traces[case.split].append(trace)
    counts = count_wide_cells(traces)
    return Dataset("full", WIDE_GENERATOR, seed, "v2", traces, dict(sorted(counts.items())))


def full_pools(seed: int) -> dict[Split, Pools]:
    """Return the names, companies, words of titles and modules each split of the full data set draws from."""
    words = load_words("full")
    return make_pools(seed, {key: words[key] for key in ("adjectives", "things", "modules")}, words["endings"])


def count_wide_cells(traces: dict[Split, list[Trace]]) -> Counter[str]:
    """Return how many runs of the full profile every cell holds: split/domain/genuine or false/kind/evidence."""
    counts: Counter[str] = Counter()
    for split in SPLITS:
        for trace in traces[split]:
            details = (trace.ground_truth.details if trace.ground_truth else None) or {}
            kind = details.get("injection")
            group = "genuine" if kind == "none" else "false"
            shown = details.get("variant") if kind == "none" else kind
            counts[f"{split}/{trace.task.domain}/{group}/{shown}/{details.get('evidence')}"] += 1
    return counts


def generate_documented(seed: int = DEFAULT_SEED) -> Dataset:
    """Return the documented data set of 300 runs."""
    pools = documented_pools(seed)
    traces: dict[Split, list[Trace]] = {split: [] for split in SPLITS}
    counts: Counter[str] = Counter()
    for place, (trace_id, case) in enumerate(_name_cases(seed, plan_cases(seed))):
        trace = play(case, pools[case.split], seed=seed, trace_id=trace_id, place=place)
        traces[case.split].append(trace)
        counts[case.cell] += 1
    return Dataset("default", GENERATOR, seed, "v1", traces, dict(sorted(counts.items())))


def documented_pools(seed: int) -> dict[Split, Pools]:
    """Return the names, companies, titles, job titles and files each split of the documented data set draws from."""
    words = load_words("documented")
    return make_pools(seed, {key: words[key] for key in ("titles", "jobs", "files")}, words["endings"])


def _name_cases(seed: int, cases: list[Case]) -> list[tuple[str, Case]]:
    """Give the cases of each domain numbers in random order, so that an id says nothing about its run."""
    named = []
    for domain in DOMAINS:
        group = Stream(seed, "order", domain).shuffled([case for case in cases if case.domain == domain])
        named += [(f"{domain}-{number:03d}", case) for number, case in enumerate(group, start=1)]
    return named


def render_splits(dataset: Dataset) -> dict[str, bytes]:
    """Return the trace files of ``dataset`` by name."""
    return {split_file(split): _lines(dataset.traces[split], dataset.version) for split in SPLITS}


def render_files(dataset: Dataset) -> dict[str, bytes]:
    """Return all files of ``dataset`` by name: the splits, the manifest and the card."""
    from agent_claimcheck.lab.dataset.card import write_card

    files = render_splits(dataset)
    manifest: dict[str, Any] = {
        "generator": dataset.generator,
        "profile": dataset.profile,
        "seed": dataset.seed,
        "schema": f"agent-trace/{dataset.version}",
        "size": sum(len(traces) for traces in dataset.traces.values()),
        "counts": dataset.counts,
        "sha256": {name: sha256_hex(data) for name, data in files.items()},
    }
    card = write_card(dataset, files).encode()
    files[MANIFEST] = canonical_json(manifest) + b"\n"
    files[CARD] = card
    return files


def write_files(files: dict[str, bytes], out: Path) -> None:
    """Write ``files`` into the directory ``out``, which is made if needed. Raises ``OutputError``."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (out / name).write_bytes(data)
    except OSError as error:
        raise OutputError(f"cannot write the data set to {out}: {error.strerror or error}") from error


def _lines(traces: Iterable[Trace], version: Version) -> bytes:
    return b"".join(to_json(trace, version) + b"\n" for trace in traces)
