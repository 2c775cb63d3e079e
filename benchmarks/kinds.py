"""Verdicts per failure kind on a labelled benchmark file.

    python benchmarks/kinds.py --data FILE [--detector rules]

FILE is agent-trace with ``ground_truth.details.injection`` naming the kind (``none`` for genuine runs); without FILE the
packaged train split is used.
"""

from __future__ import annotations

import argparse
from collections import Counter

from agent_claimcheck import Checker, load_traces


def main() -> None:
    """Run and print one line per kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="bench:train")
    parser.add_argument("--detector", default="rules")
    options = parser.parse_args()
    checker = Checker(detector=options.detector)
    seen: Counter[tuple[str, str]] = Counter()
    for trace in load_traces(options.data):
        details = (trace.ground_truth.details if trace.ground_truth else None) or {}
        seen[str(details.get("injection", "?")), checker.check_one(trace).verdict] += 1
    for kind in sorted({kind for kind, _ in seen}):
        counts = {verdict: n for (k, verdict), n in sorted(seen.items()) if k == kind}
        print(f"{kind:20} {sum(counts.values()):4}  {counts}")


if __name__ == "__main__":
    main()
