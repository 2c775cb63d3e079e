"""How fast traces are checked, where the time goes, and in how much memory.

    python benchmarks/check_speed.py --data traces.jsonl.gz --repeat-to 100000
    python benchmarks/check_speed.py --data DIRECTORY

With a file, the command ``check - --format jsonl`` itself is run on ``--repeat-to`` traces (the file's, over and over,
each time under new ids) and a tenth of that, its output thrown away: traces per CPU second, start-up included, and the
peak of resident memory of both runs. Then the stages are timed one by one in this process. With a directory, only the
stages are timed, file by file, per trace and per step. All times are CPU times and the best of ``--rounds``; a busy
machine still makes them longer.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

import piped
from agent_claimcheck.detectors.rules.engine import judge_claims
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.results.v1 import encode_v1
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.streams import iter_lines, open_bytes
from agent_claimcheck.trace.view import label_free
from data_argument import existing_path

UNUSUAL = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
ID = re.compile(rb'"trace_id":\s*"')


class Run(Struct, frozen=True):
    """One run of the command: how many traces, CPU seconds of its process, peak resident memory in bytes."""

    traces: int
    cpu_seconds: float
    peak_bytes: int

    def __str__(self) -> str:
        """One line for people."""
        return (
            f"{self.traces:>9,} traces  {self.traces / self.cpu_seconds:>7,.0f} per CPU second  "
            f"{self.cpu_seconds / self.traces * 1e6:>5.0f} us each  peak {self.peak_bytes / 1e6:.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=existing_path, required=True, help="a file of agent-trace lines, or a directory of them"
    )
    parser.add_argument("--repeat-to", type=int, default=100_000, help="traces of the longer run (default: 100000)")
    parser.add_argument("--detector", default="rules", help="which detector (default: rules)")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many rounds counts (default: 5)")
    options = parser.parse_args()
    if options.data.is_dir():
        for file in sorted(options.data.iterdir()):
            time_stages(file, options.detector, options.rounds)
        return
    for count in (max(options.repeat_to // 10, 1), options.repeat_to):
        print(run_command(options.data, count, options.detector))
    time_stages(options.data, options.detector, options.rounds)


def run_command(data: Path, count: int, detector: str) -> Run:
    """Run the command on ``count`` traces in a process of its own, which gets them through a pipe."""
    command = [sys.executable, "-m", "agent_claimcheck", "check", "-", "--detector", detector, "--format", "jsonl"]
    # As a user starts it: modules compiled once, output buffered.
    environment = {name: value for name, value in os.environ.items() if name not in UNUSUAL}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=environment)
    assert process.stdin is not None
    with process.stdin as pipe:
        for line in repeated(data, count):
            pipe.write(line)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"the command ended with exit code {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(count, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def repeated(data: Path, count: int) -> Iterator[bytes]:
    """Yield ``count`` lines, the file's over and over; the number of the round goes in front of each trace's id."""
    done = number = 0
    while done < count:
        before = done
        with open_bytes(data) as stream:
            for _, line in iter_lines(stream):
                if done == count:
                    return
                done += 1
                yield ID.sub(rb'"trace_id":"%d-' % number, line, count=1) + b"\n"
        number += 1
        if done == before:
            raise SystemExit(f"{data} holds no traces")


def time_stages(file: Path, detector: str, rounds: int) -> None:
    """Print what each stage takes on the traces of ``file``: per trace, and all of it per step."""

    def read() -> list[Trace]:
        return [item for item in read_sources([str(file)], SourceOptions()) if isinstance(item, Trace)]

    traces = read()
    if not traces:
        return
    checker = Checker(detector, spec=spec_from_settings())
    case = checker.spec.case
    results = [checker.check_one(trace) for trace in traces]
    times = {"read + decode": best(read, rounds), "evidence + findings": 0.0, "rules": 0.0}
    for name, stage in (("evidence + findings", gather), ("rules", judge)):
        times[name] = min(time_stage(stage, [Evidence(label_free(t), case) for t in traces]) for _ in range(rounds))
    times["check, all"] = best(lambda: [checker.check_one(trace) and None for trace in traces], rounds)
    times["write"] = best(lambda: [encode_v1(result) and None for result in results], rounds)
    whole = times["read + decode"] + times["check, all"] + times["write"]
    steps = sum(len(trace.steps) for trace in traces)
    parts = "  ".join(f"{name} {seconds / len(traces) * 1e6:.0f}" for name, seconds in times.items())
    print(f"{file.name}: {len(traces)} traces of {steps / len(traces):.0f} steps; us a trace: {parts}")
    print(f"    together {whole / len(traces) * 1e6:.0f} us a trace, {whole / steps * 1e6:.0f} us a step")


def gather(evidence: Evidence) -> None:
    """Read claims, receipts, effects and findings: all that the rules stand on."""
    _ = evidence.success_claims, evidence.findings
    for pair in evidence.calls:
        evidence.receipt(pair)
        evidence.effect(pair)


def judge(evidence: Evidence) -> None:
    """Hold the claims against the rules."""
    judge_claims(evidence)


def time_stage(stage: Callable[[Evidence], None], cases: Sequence[Evidence]) -> float:
    """Return the CPU seconds ``stage`` takes on ``cases``. What comes before it is done first and not counted."""
    if stage is judge:
        for case in cases:
            gather(case)
    start = time.process_time()
    for case in cases:
        stage(case)
    return time.process_time() - start


def best(work: Callable[[], object], rounds: int) -> float:
    """Return the CPU seconds of the fastest of ``rounds``."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    piped.run(main)
