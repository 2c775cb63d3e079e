"""Verdicts per failure kind on a labelled benchmark file.

    python benchmarks/kinds.py --data FILE [--detector rules]

FILE is agent-trace with ``ground_truth.details.injection`` naming the kind (``none`` for genuine runs); without FILE the
packaged train split is used. Where the labels say whether the claims hold, as those of ``dataset generate --profile full``
do, the last lines say what was made of them, and what was accused by a state probe.
"""

from __future__ import annotations

import argparse
from collections import Counter

import piped
from agent_claimcheck import Checker, load_traces
from data_argument import traces_file


def main() -> None:
    """Run and print one line per kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=traces_file, default="bench:train")
    parser.add_argument("--detector", default="rules")
    options = parser.parse_args()
    checker = Checker(detector=options.detector)
    seen: Counter[tuple[str, str]] = Counter()
    held: Counter[tuple[str, str]] = Counter()
    by_probe: Counter[str] = Counter()
    for trace in load_traces(str(options.data)):
        details = (trace.ground_truth.details if trace.ground_truth else None) or {}
        result = checker.check_one(trace)
        seen[str(details.get("injection", "?")), result.verdict] += 1
        claims = str(details.get("claims", ""))
        if claims:
            held[claims, result.verdict] += 1
            by_probe[claims] += result.verdict == "false_success" and "state probe" in result.reasons[0].detail
    for kind in sorted({kind for kind, _ in seen}):
        counts = {verdict: n for (k, verdict), n in sorted(seen.items()) if k == kind}
        print(f"{kind:20} {sum(counts.values()):4}  {counts}")
    for claims in sorted(by_probe):
        counts = {verdict: n for (held_as, verdict), n in sorted(held.items()) if held_as == claims}
        print(f"claims {claims}: {counts}, accused by a state probe: {by_probe[claims]}")


if __name__ == "__main__":
    piped.run(main)
