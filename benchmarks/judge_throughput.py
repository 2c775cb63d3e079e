"""How close the judge comes to the ideal: calls that take 500 ms each, many at once.

    python benchmarks/judge_throughput.py [--calls 1000] [--concurrency 64] [--delay 0.5]

The server runs in a process of its own on loopback and answers every question after the delay. The ideal is calls times
delay divided by concurrency. Everything else is as in a real run: evidence, prompt, cache, budget, ledger.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.pipeline.judge_options import JudgeOptions
from agent_claimcheck.pipeline.judging import judge_records
from fakes import booking_trace, model_server


def serve(delay_s: float, pipe: Connection) -> None:
    with model_server(delay_s=delay_s) as server:
        pipe.send(server.base_url)
        pipe.recv()


def measure(calls: int, concurrency: int, delay_s: float) -> tuple[float, float]:
    """Return the wall-clock and CPU seconds of judging ``calls`` traces."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(delay_s, theirs))
    process.start()
    base_url = ours.recv()
    with tempfile.TemporaryDirectory() as directory:
        overrides = {
            "judge.base_url": base_url,
            "judge.model": "stub",
            "judge.concurrency": concurrency,
            "judge.price_in_per_m": 0.1,
            "judge.price_out_per_m": 0.3,
            "budget.max_usd": 100.0,
            "budget.ledger_cap_usd": 100.0,
        }
        settings = load_settings(None, overrides, {"XDG_CACHE_HOME": directory}, Path(directory))
        traces = [booking_trace(f"t-{n}", instruction=f"Book room {n}.") for n in range(calls)]
        started, cpu = time.perf_counter(), time.process_time()
        records = list(judge_records(traces, JudgeOptions(settings=settings)))
        took = time.perf_counter() - started, time.process_time() - cpu
    ours.send(None)
    process.join()
    assert len(records) == calls and not any(record["abstain"] for record in records)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.5)
    args = parser.parse_args()
    wall_s, cpu_s = measure(args.calls, args.concurrency, args.delay)
    ideal_s = args.calls * args.delay / args.concurrency
    print(
        f"{args.calls} calls of {args.delay} s at concurrency {args.concurrency}: {wall_s:.2f} s wall, {cpu_s:.2f} s CPU"
    )
    print(f"ideal {ideal_s:.2f} s, measured / ideal = {wall_s / ideal_s:.3f}")


if __name__ == "__main__":
    main()
