"""How often the offline faithfulness check calls a statement contradicted, in runs that succeeded and in runs that failed.

    python benchmarks/faithfulness.py --data DIR [--show]

DIR holds ``*.jsonl.gz`` of agent-trace with ``ground_truth``. Every contradicted statement of a successful run counts as
wrong, which is an upper bound: some are real slips in runs that succeeded all the same. ``--show`` prints them. Beside it
stands the same share of the runs that failed.
The other measure, 400 runs in pairs, is a test: ``pytest tests/cases/test_faithfulness_cases.py``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import piped
from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.faithfulness.check import check_faithfulness
from agent_claimcheck.checks.trace_run import run_from_trace
from data_argument import add_runs
from real_runs import labelled, share


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    accused: Counter[str] = Counter()
    failed: Counter[bool] = Counter()
    verdicts: Counter[str] = Counter()
    started = time.process_time()
    for path in sorted(options.data.glob("*.jsonl*")):
        if "injection" in path.name:
            continue
        name = path.name.partition(".")[0]
        for trace in labelled(path, "all"):
            run = run_from_trace(trace)
            if trace.ground_truth is None or not run.final_answer.strip():
                continue
            findings = check_faithfulness(run, CheckRequest()).findings
            wrong = [finding for finding in findings if finding.verdict == "contradicted"]
            if trace.ground_truth.outcome != "success":
                failed[bool(wrong)] += 1
                continue
            verdicts.update(finding.verdict for finding in findings)
            total[name] += 1
            accused[name] += bool(wrong)
            if options.show:
                for finding in wrong[:2]:
                    print(f"{name}: {finding.subject!r}: {finding.reason}")
    for name in total:
        print(f"{name:24} {share(accused[name], total[name])}")
    print(f"{'all':24} {share(sum(accused.values()), sum(total.values()))}")
    print(f"{'all that failed':24} {share(failed[True], failed.total())}")
    print(
        dict(verdicts),
        f"{(time.process_time() - started) / max(1, sum(total.values()) + failed.total()) * 1e3:.1f} ms a run",
    )


if __name__ == "__main__":
    piped.run(main)
