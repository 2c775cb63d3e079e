"""How often runs that other runs corroborate fail: coverage and failure rate per source, and by the number of tasks.

    python benchmarks/groups.py --data DIR

DIR holds ``*.jsonl.gz`` of agent-trace with ``ground_truth`` from the environment. The population is the runs that claim
something and have three or more others of their task (equal task id and instruction, byte-identical runs once).
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import piped
from agent_claimcheck import Checker, load_traces
from agent_claimcheck.pipeline.group_stage import GroupStage
from agent_claimcheck.scoring.intervals import wilson
from data_argument import add_runs


def measure(path: Path, checker: Checker) -> Counter[str]:
    """Compare the runs of one source and count."""
    count: Counter[str] = Counter()
    tasks: set[str] = set()
    failed: list[bool | None] = []
    with GroupStage() as stage:
        for trace in load_traces(str(path)):
            known = trace.ground_truth is not None and trace.ground_truth.outcome != "unknown"
            failed.append(trace.ground_truth.outcome == "failure" if known and trace.ground_truth else None)
            stage.add(trace, checker.check_one(trace))
        for result, is_failure in zip(stage.results(), failed, strict=True):
            count["runs"] += 1
            if is_failure is None or "group" not in result.extra:
                continue
            count["enough"] += 1
            count["enough failed"] += is_failure
            if result.record == "corroborated":
                count["corroborated"] += 1
                count["corroborated failed"] += is_failure
                tasks.add(result.task_id or "")
    count["tasks"] = len(tasks)
    return count


def share(part: int, whole: int) -> str:
    """Format a share with its Wilson interval."""
    found = wilson(part, whole)
    return "-" if found is None else f"{found.value:.1%} [{found.ci_low:.1%}, {found.ci_high:.1%}]"


def main() -> None:
    """Run and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    options = parser.parse_args()
    checker = Checker()
    print("| source | runs | with enough others | of these fail | corroborated | coverage | of these fail | tasks |")
    print("|---|---|---|---|---|---|---|---|")
    for path in sorted(options.data.glob("*.jsonl*")):
        if "injection" in path.name:
            continue
        count = measure(path, checker)
        enough, agreed = count["enough"], count["corroborated"]
        coverage = f"{agreed / enough:.1%}" if enough else "-"
        print(
            f"| {path.name.split('.')[0]} | {count['runs']:,} | {enough} | {share(count['enough failed'], enough)} "
            f"| {agreed} | {coverage} | {share(count['corroborated failed'], agreed)} | {count['tasks']} |"
        )


if __name__ == "__main__":
    piped.run(main)
