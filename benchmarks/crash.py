"""Kills runs at random moments and counts what is there after the same command has ended: every trace exactly once.

    python benchmarks/crash.py --what worker --times 50
    python benchmarks/crash.py --what driver --times 50
    python benchmarks/crash.py --what disk --times 50

``worker`` and ``driver`` send SIGKILL. ``disk`` limits how large a file may grow, which fails a write just as a full disk
does; with ``--tmpfs DIR`` the job lies on a small file system of its own there instead (mount one of 3 MB first).
Ends with 1 when a single trace is missing or comes twice.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from agent_claimcheck.core.resources import resolve_alias

_COMMAND = [sys.executable, "-m", "agent_claimcheck", "check"]
_MOST_RUNS = 20


def make_input(path: Path, copies: int) -> list[str]:
    """Write the packaged example traces ``copies`` times under ids of their own; return the ids."""
    source = resolve_alias("example:mixed")
    assert source is not None
    ids = []
    with path.open("w") as out:
        for copy in range(copies):
            for line in source.read_text().splitlines():
                record = json.loads(line)
                record["trace_id"] = f"{copy}-{record['trace_id']}"
                ids.append(record["trace_id"])
                out.write(json.dumps(record) + "\n")
    return ids


class Trial:
    """One job that is disturbed once and then finished."""

    def __init__(self, folder: Path, source: Path, job: Path) -> None:
        self.job = job
        self.out = folder / "out.jsonl"
        self.command = [
            *_COMMAND, str(source), "--job", str(job), "--jobs", "2", "--detector", "rules",
            "--format", "jsonl", "-o", f"jsonl={self.out}",
        ]  # fmt: skip

    def start(self, limit_bytes: int | None = None) -> subprocess.Popen[bytes]:
        """Start the command; ``limit_bytes`` is the largest file it may write."""

        def limit() -> None:
            if limit_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

        return subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit, start_new_session=True
        )

    def finish(self) -> int:
        """Run the same command until it comes to its end; return how many runs that took."""
        for run in range(1, _MOST_RUNS + 1):
            if self.start().wait() in (0, 1):
                return run
        raise SystemExit(f"not finished after {_MOST_RUNS} runs")

    def faults(self, ids: list[str]) -> list[str]:
        """Name every id that is not there exactly once."""
        found = Counter(json.loads(line)["trace_id"] for line in self.out.open("rb"))
        return [f"{name}: {found[name]} times" for name in {*ids, *found} if found[name] != 1 or name not in ids]


def children(pid: int) -> list[int]:
    """Return the worker processes that ``pid`` started."""
    found = []
    try:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
        return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def kill_worker(process: subprocess.Popen[bytes], rng: random.Random) -> bool:
    """Kill one worker; false when there was none."""
    workers = children(process.pid)
    if not workers:
        return False
    try:
        os.kill(rng.choice(workers), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def disturb(trial: Trial, what: str, rng: random.Random, usual_s: float, tmpfs: Path | None) -> bool:
    """Run the command once and disturb it at a random moment; true when that ended or hit it."""
    if what == "disk":
        if tmpfs is not None:
            filler = tmpfs / "filler"
            free = shutil.disk_usage(tmpfs).free
            filler.write_bytes(b"\0" * rng.randrange(free // 4, free))
            code = trial.start().wait()
            filler.unlink()
        else:
            code = trial.start(rng.randrange(1_000, 400_000)).wait()
        return code not in (0, 1)
    process = trial.start()
    if what == "driver":
        time.sleep(rng.uniform(0.1, usual_s))
        hit = process.poll() is None
        process.kill()
        process.wait()
        return hit
    while process.poll() is None and not children(process.pid):
        time.sleep(0.01)
    time.sleep(rng.uniform(0, usual_s / 2))
    hit = process.poll() is None and kill_worker(process, rng)
    process.wait()
    return hit


def main() -> None:
    """Disturb ``--times`` jobs and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--what", choices=["worker", "driver", "disk"], required=True)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--copies", type=int, default=250, help="copies of the 12 example traces")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tmpfs", type=Path)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    hits, runs, bad = 0, 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "traces.jsonl"
        ids = make_input(source, options.copies)
        started = time.monotonic()
        Trial(folder, source, folder / "undisturbed").finish()
        usual_s = time.monotonic() - started
        for number in range(options.times):
            job = (options.tmpfs or folder) / f"job{number}"
            trial = Trial(folder, source, job)
            hits += disturb(trial, options.what, rng, usual_s, options.tmpfs)
            runs += trial.finish()
            bad += trial.faults(ids)
            shutil.rmtree(job)
    print(
        f"{options.what}: {options.times} jobs of {len(ids)} traces, {hits} hit before their end, "
        f"{runs} further runs, {len(bad)} traces missing or repeated"
    )
    for line in bad[:10]:
        print(f"  {line}")
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
