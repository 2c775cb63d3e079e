"""The data set card: what is in a data set, where its labels come from and how little its shape gives away.

A reader must not miss: every figure is counted from the traces that are written beside it.
"""

from __future__ import annotations

from pathlib import Path

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.lab.dataset.generate import Dataset, split_file
from agent_claimcheck.lab.dataset.leakage import audit_features
from agent_claimcheck.lab.dataset.names import SPLITS
from agent_claimcheck.trace.model import Trace


def write_card(dataset: Dataset, split_bytes: dict[str, bytes]) -> str:
    """Return the card of ``dataset`` in Markdown; ``split_bytes`` holds its trace files by name."""
    template = (Path(__file__).parent / "cards" / f"{dataset.profile}.md").read_text(encoding="utf-8")
    everything = [trace for split in SPLITS for trace in dataset.traces[split]]
    rows = {
        "file_rows": _file_rows(dataset, split_bytes),
        "kind_rows": _kind_rows(dataset),
        "leak_rows": _leak_rows(dataset),
    }
    return template.format(
        size=len(everything),
        n_failure=_count_failures(everything),
        generator=dataset.generator,
        seed=dataset.seed,
        **rows,
    )


def _count_failures(traces: list[Trace]) -> int:
    """Return how many of ``traces`` are labelled failures."""
    return sum(trace.ground_truth is not None and trace.ground_truth.outcome == "failure" for trace in traces)


def _file_rows(dataset: Dataset, split_bytes: dict[str, bytes]) -> str:
    lines = []
    for split in SPLITS:
        traces, name = dataset.traces[split], split_file(split)
        digest = sha256_hex(split_bytes[name])
        lines.append(f"| `{name}` | {len(traces)} | {_count_failures(traces)} | `{digest[:16]}...` |")
    return "\n".join(lines)


def _kind_rows(dataset: Dataset) -> str:
    sums: dict[str, dict[str, int]] = {}
    for cell, n in dataset.counts.items():
        split, _, group, kind, _ = cell.split("/")
        row = sums.setdefault(f"{group}: {kind}", dict.fromkeys(SPLITS, 0))
        row[split] += n
    return "\n".join(f"| {name} | {row['train']} | {row['test']} |" for name, row in sorted(sums.items()))


def _leak_rows(dataset: Dataset) -> str:
    columns = [audit_features(dataset.traces[split]) for split in SPLITS]
    return "\n".join(f"| {a.feature} | {a.auroc:.3f} | {b.auroc:.3f} |" for a, b in zip(*columns, strict=True))
