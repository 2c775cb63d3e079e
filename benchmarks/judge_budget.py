"""Whether a budget is ever passed: random schedules of calls under threads, and under four processes on one ledger.

    python benchmarks/judge_budget.py [--threads 10000] [--processes 1000]

A schedule is a random budget, a random lifetime cap, and workers that set money aside, settle at a random cost up to
what was set aside, or leave it open until the end. After each step and at the end, spent plus open is held against both
limits, and the ledger against the money booked.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from agent_claimcheck.llm.budget import Budget, Purpose, Reservation, Spending
from agent_claimcheck.llm.ledger import Ledger

PURPOSE = Purpose(model="m", trace_id="t", prompt="p")
SLACK = 1e-9
WORKERS = 4


def work(budget: Budget, rng: random.Random, max_usd: float, faults: list[str]) -> None:
    """Play one worker's part of a schedule."""
    open_: list[Reservation] = []
    for _ in range(rng.randint(2, 8)):
        held = budget.reserve(rng.uniform(0, max_usd / 2), PURPOSE)
        if not isinstance(held, str):
            open_.append(held)
            if budget.spent_usd > max_usd + SLACK:
                faults.append("spent more than the run may")
        while open_ and rng.random() < 0.6:
            done = open_.pop(rng.randrange(len(open_)))
            budget.settle(done, Spending(usd=done.usd * rng.choice((0.0, rng.random(), 1.0)), status="ok"))
    for done in open_:
        budget.settle(done, Spending(usd=done.usd, status="timeout"))


def in_ledger(path: Path) -> float:
    return sum(json.loads(line)["actual_usd"] for line in path.read_text(encoding="utf-8").splitlines())


def thread_schedule(seed: int, path: Path) -> list[str]:
    """Run one schedule under threads and return what went wrong."""
    rng = random.Random(seed)
    max_usd, cap = rng.uniform(0.01, 2.0), rng.uniform(0.01, 2.0)
    budget = Budget(max_usd=max_usd, cap_usd=cap, ledger=Ledger(path))
    faults: list[str] = []
    threads = [
        threading.Thread(target=work, args=(budget, random.Random(f"{seed}:{n}"), max_usd, faults))
        for n in range(WORKERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = budget.spent_usd
    if spent > min(max_usd, cap) + SLACK or abs(spent - in_ledger(path)) > SLACK or budget.outstanding_usd:
        faults.append(f"spent {spent}, ledger {in_ledger(path)}, budget {max_usd}, cap {cap}")
    budget.close()
    return faults


def process_worker(number: int, pipe: Connection) -> None:
    """Play this process's part of every schedule that comes down the pipe."""
    while (job := pipe.recv()) is not None:
        seed, path, max_usd, cap = job
        faults: list[str] = []
        budget = Budget(max_usd=max_usd, cap_usd=cap, ledger=Ledger(path))
        work(budget, random.Random(f"{seed}:{number}"), max_usd, faults)
        budget.close()
        pipe.send(faults)


def process_schedules(count: int, directory: Path) -> tuple[list[str], int]:
    """Run schedules under four processes; return what went wrong and how many reached their cap."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(WORKERS)]
    processes = [context.Process(target=process_worker, args=(n, theirs)) for n, (_, theirs) in enumerate(pipes)]
    for process in processes:
        process.start()
    faults: list[str] = []
    tight = 0
    for seed in range(count):
        rng = random.Random(f"p{seed}")
        path, max_usd, cap = directory / f"p{seed}.jsonl", rng.uniform(0.05, 2.0), rng.uniform(0.01, 2.0)
        for ours, _ in pipes:
            ours.send((seed, path, max_usd, cap))
        for ours, _ in pipes:
            faults += ours.recv()
        spent = in_ledger(path)
        tight += spent > 0.5 * cap
        if spent > cap + SLACK:
            faults.append(f"schedule {seed}: spent {spent}, cap {cap}")
    for ours, _ in pipes:
        ours.send(None)
    for process in processes:
        process.join()
    return faults, tight


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=1_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        started = time.perf_counter()
        faults: list[str] = []
        for seed in range(args.threads):
            path = directory / "threads.jsonl"
            faults += thread_schedule(seed, path)
            for file in directory.iterdir():
                file.unlink()
        took = time.perf_counter() - started
        print(f"{args.threads:,} schedules under {WORKERS} threads: {len(faults)} times passed, {took:.0f} s")
        started = time.perf_counter()
        found, tight = process_schedules(args.processes, directory)
        took = time.perf_counter() - started
        print(f"{args.processes:,} schedules under {WORKERS} processes: {len(found)} times passed, {took:.0f} s")
        print(f"(more than half of the cap was spent in {tight:,} of them)")
    for fault in [*faults, *found][:20]:
        print(fault)
    raise SystemExit(1 if faults or found else 0)


if __name__ == "__main__":
    main()
