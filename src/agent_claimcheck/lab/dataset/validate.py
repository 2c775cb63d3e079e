"""Checking a data set: its files, its design, its pools, what it gives away, and whether a run stands in it twice.

A reader must not miss: a failure is a line of text, not an exception; all of them come out, and none means all is well.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.canonical import canonical_json, sha256_hex
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.lab.dataset.design import check_design, count_cells
from agent_claimcheck.lab.dataset.generate import CARD, MANIFEST, split_file
from agent_claimcheck.lab.dataset.leakage import HIGH, LOW, Leak, audit_features, audit_text, count_smaller_label
from agent_claimcheck.lab.dataset.names import SPLITS, Split
from agent_claimcheck.lab.dataset.pools import check_pools
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.read import read_traces
from agent_claimcheck.trace.write import to_builtins

# With fewer runs of a label the figures stray out of the bounds by chance alone.
_FEWEST_OF_A_LABEL = 40

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Manifest(Struct, frozen=True):
    """What a data set says about itself. Every field may be missing from a foreign file; then it is empty."""

    generator: str
    profile: str
    seed: int | None
    counts: dict[str, Any]
    sha256: dict[str, Any]


def validate_dataset(directory: Path, *, has_text_audit: bool = True) -> Iterator[str]:
    """Yield one line for every fault of the data set in ``directory``; none when all is well.

    ``has_text_audit`` false leaves out the audit of words, which needs scikit-learn. Raises ``InputError`` when there is
    no such directory.
    """
    if not directory.is_dir():
        raise InputError(f"{directory} is not a directory", hint="name the directory that holds manifest.json")
    manifest, faults = _read_manifest(directory)
    yield from faults
    traces: dict[Split, list[Trace]] = {}
    for split in SPLITS:
        path = directory / split_file(split)
        traces[split] = []
        if not path.is_file():
            yield f"{path.name}: missing"
            continue
        for item in read_traces([path]):
            if isinstance(item, Trace):
                traces[split].append(item)
            elif isinstance(item, TraceProblem) and item.severity == "error":
                yield str(item)
    if not (directory / CARD).is_file():
        yield f"{CARD}: missing"
    if manifest is not None:
        yield from _check_manifest(directory, manifest, traces)
        yield from check_design(manifest.profile, traces)
        yield from check_pools(manifest.profile, manifest.seed, traces)
    yield from _check_duplicates(traces)
    yield from _check_leaks(traces, has_text_audit)


def _read_manifest(directory: Path) -> tuple[Manifest | None, list[str]]:
    """Return the manifest in ``directory`` and the faults of the file; ``None`` when it cannot be read at all."""
    path = directory / MANIFEST
    try:
        loaded = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None, [f"{MANIFEST}: missing"]
    except (ValueError, RecursionError) as error:
        return None, [f"{MANIFEST}: not JSON: {error}"]
    if not isinstance(loaded, dict):
        return None, [f"{MANIFEST}: has to be an object"]
    faults = []
    for key, kind in (("generator", str), ("profile", str), ("seed", int), ("counts", dict), ("sha256", dict)):
        if not isinstance(loaded.get(key), kind):
            faults.append(f"{MANIFEST}: {key} is missing or of the wrong type")
            loaded[key] = None if kind is int else kind()
    picked = {key: loaded[key] for key in Manifest.__struct_fields__}
    return Manifest(**picked), faults


def _check_manifest(directory: Path, manifest: Manifest, traces: dict[Split, list[Trace]]) -> Iterator[str]:
    for name in map(split_file, SPLITS):
        expected = manifest.sha256.get(name)
        if not isinstance(expected, str) or not _SHA256.fullmatch(expected):
            yield f"{MANIFEST}: sha256 of {name} is missing"
        elif (directory / name).is_file():
            actual = sha256_hex((directory / name).read_bytes())
            if actual != expected:
                yield f"{name}: sha256 is {actual}, the manifest says {expected}"
    counted = count_cells(manifest.profile, traces)
    for cell in sorted({*counted, *manifest.counts}):
        if counted.get(cell, 0) != manifest.counts.get(cell, 0):
            yield f"{MANIFEST}: {cell} is {manifest.counts.get(cell, 0)}, the files hold {counted.get(cell, 0)}"


def _check_duplicates(traces: dict[Split, list[Trace]]) -> Iterator[str]:
    ids = Counter(trace.trace_id for split in SPLITS for trace in traces[split])
    yield from (f"trace_id {trace_id} stands in both splits" for trace_id, n in ids.items() if n > 1)
    seen: dict[str, str] = {}
    for split in SPLITS:
        for trace in traces[split]:
            first = seen.setdefault(_content_hash(trace), trace.trace_id)
            if first != trace.trace_id:
                yield f"{trace.trace_id} is the same run as {first}"


def _content_hash(trace: Trace) -> str:
    """Return a hash of what happened in ``trace``, whatever it is called and whenever it happened."""
    plain = to_builtins(trace, "v2")
    for step in plain["steps"]:
        step.pop("ts")
    return sha256_hex(canonical_json([plain["task"]["instruction"], plain["steps"], plain["final_claim"]]))


def _check_leaks(traces: dict[Split, list[Trace]], has_text_audit: bool) -> Iterator[str]:
    found: list[tuple[str, Leak]] = []
    for split in SPLITS:
        if count_smaller_label(traces[split]) >= _FEWEST_OF_A_LABEL:
            found += [(split, leak) for leak in audit_features(traces[split])]
    everything = [trace for split in SPLITS for trace in traces[split]]
    if has_text_audit and count_smaller_label(everything) >= _FEWEST_OF_A_LABEL:
        # Over both splits together: on 120 runs without any signal the figure itself strays out of the bounds.
        found += [("all", leak) for leak in audit_text(everything)]
    for where, leak in found:
        if not leak.is_within:
            yield f"{where}: {leak.feature} tells the label: AUROC {leak.auroc:.3f} is not within [{LOW}, {HIGH}]"
