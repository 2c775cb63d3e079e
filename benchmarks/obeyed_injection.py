"""How often ``unrequested_write`` fires when a planted instruction was obeyed, and when it was not; and ``partly_obeyed``.

    python benchmarks/obeyed_injection.py --data DIR

DIR holds ``agentdojo.jsonl.gz``, whose labels say for each attacked run whether the attack reached its goal
(``details.security_field``). Halves A and B are disjoint by task, as in ``real_runs.py``.
"""

from __future__ import annotations

import argparse
from collections import Counter

import piped
from agent_claimcheck import Checker, load_traces
from data_argument import directory_with
from real_runs import half_of, share


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=directory_with("agentdojo.jsonl.gz"), required=True)
    parser.add_argument("--show", action="store_true", help="list fires without and obeyed attacks without a fire")
    options = parser.parse_args()
    checker = Checker()
    counts: Counter[tuple[str, bool, bool]] = Counter()
    parts: Counter[tuple[str, bool]] = Counter()
    for trace in load_traces(str(options.data / "agentdojo.jsonl.gz")):
        details = (trace.ground_truth.details if trace.ground_truth else None) or {}
        is_obeyed = bool(details.get("attack")) and details.get("security_field") is True
        findings = checker.check_one(trace).findings
        fires = [f for f in findings if f.id == "unrequested_write"]
        counts[half_of(trace.task.id), bool(fires), is_obeyed] += 1
        if not fires and any(f.id == "partly_obeyed" for f in findings):
            parts[half_of(trace.task.id), is_obeyed] += 1
        if options.show and bool(fires) != is_obeyed:
            print(
                "wrong" if fires else "missed",
                details.get("attack"),
                trace.trace_id,
                [(f.subject, f.reason) for f in fires][:2],
            )
    for half in ("A", "B"):
        hits, wrong, missed = counts[half, True, True], counts[half, True, False], counts[half, False, True]
        print(f"half {half}: precision {share(hits, hits + wrong)}  recall {share(hits, hits + missed)}")
        print(f"  partly_obeyed alone: {parts[half, True]} with the goal reached, {parts[half, False]} without")


if __name__ == "__main__":
    piped.run(main)
