"""How fast the tool-use check is: the command on one run with its start-up, and many runs streamed.

    python benchmarks/tool_use_speed.py [--runs 20000] [--calls 12]

Prints CPU seconds of ``attest tools`` on a run of 50 calls (best of five processes), then runs per CPU minute and the
peak memory of one process that reads, checks and prints all runs of a JSON Lines file.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import piped

COMMAND = [sys.executable, "-m", "agent_claimcheck", "tools", "--fail-on", "never"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--calls", type=int, default=12, help="calls of each streamed run")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, many = Path(folder) / "run.json", Path(folder) / "runs.jsonl"
        one.write_text(json.dumps(make_run(0, 50)))
        with many.open("w") as lines:
            for number in range(arguments.runs):
                lines.write(json.dumps(make_run(number, arguments.calls)) + "\n")
        best = min(cpu_seconds([*COMMAND, str(one)])[0] for _ in range(5))
        print(f"one run of 50 calls, with start-up: {best:.3f} s CPU")
        size = many.stat().st_size / arguments.runs
        for options in ([], ["--json"], ["--errors", "structured"]):
            seconds, peak = cpu_seconds([*COMMAND, *options, str(many)])
            rate = arguments.runs / seconds * 60
            print(
                f"{arguments.runs} runs of {arguments.calls} calls, {size:.0f} bytes each, {' '.join(options) or 'text'}: "
                f"{seconds:.1f} s CPU, {rate:,.0f} runs per CPU minute, peak {peak:.0f} MB"
            )


def make_run(number: int, calls: int) -> dict[str, Any]:
    """Return an invented run in which every fifth call fails and is tried again."""
    steps: list[dict[str, Any]] = []
    for index in range(calls):
        failed = index % 5 == 3
        steps.append(
            {
                "thought": f"Parcel {index} is next; I look at its label and then decide what to do with it.",
                "tool_call": {
                    "name": ["scan_label", "weigh", "ship"][index % 3],
                    "arguments": {"parcel": number * 100 + index, "station": "north"},
                    "output": "error: the belt is stuck" if failed else f"parcel {index}: " + "all in order, " * 12,
                },
            }
        )
    return {"task": f"Sort cart {number}", "steps": steps, "final_answer": "The cart is sorted.", "allowed_tools": None}


def cpu_seconds(command: list[str]) -> tuple[float, float]:
    """Run ``command`` and return its CPU seconds and the peak memory in MB of all child processes so far."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, after.ru_maxrss / 1024


if __name__ == "__main__":
    piped.run(main)
