"""How often the general claim finder finds a claim, per source, and how well it does on hand labels.

    python benchmarks/claim_finder.py --data DIR [--labels FILE] [--speed]

DIR holds ``*.jsonl.gz`` of agent-trace. Where a trace's ``meta.heur_claims_success`` says that a plain pattern found a
success claim in the closing text, the runs of that population in which the finder finds none are counted too.
``--labels`` is JSON Lines of ``{"trace_id": ..., "has_claim": true}``: runs read by hand; precision and recall are
printed with their Wilson intervals. ``--speed`` prints microseconds a run.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter

import piped
from agent_claimcheck import load_traces
from agent_claimcheck.evidence.claims.finder import RunReading, find_in_run
from agent_claimcheck.evidence.claims.reading import agent_messages
from agent_claimcheck.evidence.coding.shell_runs import is_shell_run
from agent_claimcheck.scoring.intervals import wilson
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free
from data_argument import add_runs, existing_file


def read(trace: Trace) -> tuple[RunReading, float]:
    """Return the reading of one run and the CPU seconds it took."""
    messages = agent_messages(label_free(trace))
    tools = [step.name for step in trace.steps if step.kind == "tool_call" and step.name]
    start = time.process_time()
    reading = find_in_run(messages, is_shell_run=is_shell_run(tools))
    return reading, time.process_time() - start


def share(part: int, whole: int) -> str:
    """Format a share with its Wilson interval."""
    estimate = wilson(part, whole)
    return f"{estimate.value:.3f} [{estimate.ci_low:.3f}, {estimate.ci_high:.3f}] ({part}/{whole})" if estimate else "-"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    parser.add_argument("--labels", type=existing_file)
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    lines = options.labels.read_text(encoding="utf-8").splitlines() if options.labels else []
    labels = {row["trace_id"]: bool(row["has_claim"]) for row in map(json.loads, filter(None, lines))}
    cells: Counter[tuple[bool, bool]] = Counter()
    total: Counter[str] = Counter()
    print(f"{'source':22} {'runs':>5} {'claim':>6} {'unread':>6} {'pattern':>8} {'of these none':>14} {'us/run':>7}")
    for path in sorted(options.data.glob("*.jsonl*")):
        if "injection" in path.name:
            continue
        count: Counter[str] = Counter()
        seconds = 0.0
        for trace in load_traces(str(path)):
            reading, spent = read(trace)
            seconds += spent
            has_claim = bool(reading.claims)
            count["runs"] += 1
            count["claim"] += has_claim
            count["unread"] += not reading.is_readable
            if (trace.meta or {}).get("heur_claims_success"):
                count["pattern"] += 1
                count["none"] += not has_claim
            if trace.trace_id in labels:
                cells[labels[trace.trace_id], has_claim] += 1
        total += count
        print_source(path.name.split(".")[0], count, seconds if options.speed else None)
    print_source("all", total, None)
    if labels:
        found, missed, false = cells[True, True], cells[True, False], cells[False, True]
        print(f"labelled runs {sum(cells.values())}, with a claim {found + missed}")
        print("precision", share(found, found + false))
        print("recall   ", share(found, found + missed))


def print_source(name: str, count: Counter[str], seconds: float | None) -> None:
    """Print one line of the table."""
    runs, pattern = count["runs"], count["pattern"]
    none = f"{count['none']} ({count['none'] / pattern:.1%})" if pattern else "-"
    speed = f"{seconds / runs * 1e6:7.0f}" if seconds is not None else ""
    print(f"{name:22} {runs:5} {count['claim'] / runs:6.1%} {count['unread']:6} {pattern:8} {none:>14} {speed}")


if __name__ == "__main__":
    piped.run(main)
