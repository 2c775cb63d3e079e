"""How well two workers use the machine, and how much memory each process takes.

    python benchmarks/jobs.py --traces 20000 --rounds 5
    python benchmarks/jobs.py --traces 20000 --rounds 5 --ray

The ceiling is what the machine itself gives to two processes: two separate ``check`` runs, each over half of the input, at
the same time. ``check --jobs 2`` over the whole input is held against it. Rounds alternate, so that other load on the
machine hits all alike; medians are reported, and CPU seconds besides, which other load changes less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from agent_claimcheck.core.resources import resolve_alias

_CHECK = [sys.executable, "-m", "agent_claimcheck", "check", "--detector", "rules", "--format", "jsonl"]


class Cost(NamedTuple):
    """What a set of processes took: seconds on the clock, CPU seconds, and the peak memory of the largest in MB."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def write_traces(path: Path, first: int, count: int) -> None:
    """Write ``count`` traces of the packaged benchmark, repeated under ids of their own from number ``first`` on."""
    source = resolve_alias("bench:train")
    assert source is not None
    lines = source.read_bytes().splitlines()
    with path.open("wb") as out:
        for number in range(first, first + count):
            head, mark, rest = lines[number % len(lines)].partition(b'"trace_id":')
            before, quote, tail = rest.partition(b'"')
            out.write(head + mark + before + quote + b"%d-" % number + tail + b"\n")


def run(commands: list[list[str]]) -> Cost:
    """Run all commands at once and wait for them."""
    started = time.monotonic()
    processes = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands
    ]
    cpu, peak = 0.0, 0.0
    for process in processes:
        _, status, used = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            raise SystemExit(f"failed: {' '.join(process.args)}")
        process.returncode = 0
        cpu += used.ru_utime + used.ru_stime
        peak = max(peak, used.ru_maxrss / 1024)
    return Cost(time.monotonic() - started, cpu, peak)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ray", action="store_true", help="also measure --engine ray")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        half = options.traces // 2
        for part, first in (("a", 0), ("b", half)):
            write_traces(folder / f"{part}.jsonl", first, half)
        whole = folder / "whole.jsonl"
        # Streamed: a new process is measured together with what this one holds.
        write_traces(whole, 0, 2 * half)

        def check(source: Path, out: str, *flags: str) -> list[str]:
            return [*_CHECK, str(source), "-o", f"jsonl={folder / out}", *flags]

        variants = {
            "one process": [check(whole, "one")],
            "two separate processes (ceiling)": [check(folder / "a.jsonl", "a"), check(folder / "b.jsonl", "b")],
            "check --jobs 2": [check(whole, "jobs", "--jobs", "2")],
            "check --jobs 2 --job DIR": [check(whole, "job", "--jobs", "2", "--job", "DIR")],
        }
        if options.ray:
            variants["check --engine ray --jobs 2"] = [check(whole, "ray", "--engine", "ray", "--jobs", "2")]
        costs: dict[str, list[Cost]] = {variant: [] for variant in variants}
        for number in range(options.rounds):
            for variant, commands in variants.items():
                fresh = [
                    [str(folder / f"job{number}") if word == "DIR" else word for word in command]
                    for command in commands
                ]
                costs[variant].append(run(fresh))
    ceiling = costs["two separate processes (ceiling)"]
    print(f"{2 * half} traces, median of {options.rounds}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'':36}{'traces/s':>10}{'wall s':>9}{'CPU s':>8}{'of ceiling':>12}{'CPU ratio':>11}{'peak MB':>9}")
    for variant, measured in costs.items():
        wall = statistics.median(cost.wall_s for cost in measured)
        cpu = statistics.median(cost.cpu_s for cost in measured)
        # Rounds are paired: the load of one moment weighs on both.
        share = statistics.median(top.wall_s / cost.wall_s for top, cost in zip(ceiling, measured, strict=True))
        less = statistics.median(top.cpu_s / cost.cpu_s for top, cost in zip(ceiling, measured, strict=True))
        peak = max(cost.peak_mb for cost in measured)
        print(f"{variant:36}{2 * half / wall:10.0f}{wall:9.2f}{cpu:8.2f}{share:12.0%}{less:11.0%}{peak:9.0f}")


if __name__ == "__main__":
    main()
