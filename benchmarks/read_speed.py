"""How fast traces are read, and in how much memory.

    python benchmarks/read_speed.py --data traces.jsonl.gz --repeat-to 100000

Reads the file until ``--repeat-to`` traces came, each time under new ids, and prints traces per CPU second and the peak
of resident memory. Without ``--data`` a small made-up trace is used.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import piped
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.read import without_repeats
from agent_claimcheck.trace.seen import SeenIds
from agent_claimcheck.trace.streams import iter_lines, open_bytes
from data_argument import existing_file

ID = re.compile(rb'"trace_id":\s*"')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=existing_file, help="a file of agent-trace lines, plain, gzip or zstd")
    parser.add_argument("--repeat-to", type=int, default=20_000, help="how many traces to read (default: 20000)")
    options = parser.parse_args()
    seen = SeenIds()
    start = time.process_time()
    read = problems = size = 0
    for item in without_repeats(repeated(options.data, options.repeat_to), seen):
        if isinstance(item, Trace):
            read += 1
            size += len(item.steps)
        else:
            problems += 1
    spent = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(f"{read} traces, {size / max(read, 1):.1f} steps each, {problems} problems")
    print(f"{read / spent:,.0f} traces per CPU second, {spent / max(read, 1) * 1e6:.1f} microseconds each")
    print(f"peak memory {peak / 1e6:.0f} MB, ids {seen.memory_bytes / max(len(seen), 1):.1f} bytes each")


def repeated(data: Path | None, count: int) -> Iterator[Trace | TraceProblem]:
    """Decode the lines over and over; the id of a round goes in front of the trace's own."""
    done = round_number = 0
    while done < count:
        before = done
        for line, raw in lines_of(data):
            if done == count:
                return
            done += 1
            fresh = ID.sub(rb'"trace_id":"%d-' % round_number, raw, count=1)
            decoded = decode_trace(fresh, file="data", line=line + round_number * 1_000)
            if isinstance(decoded, Trace):
                yield decoded
            else:
                yield from decoded
        round_number += 1
        if done == before:
            return


def lines_of(data: Path | None) -> Iterator[tuple[int, bytes]]:
    if data is None:
        yield from ((number, json.dumps(example(number)).encode()) for number in range(1, 201))
        return
    with open_bytes(data) as stream:
        yield from iter_lines(stream)


def example(number: int) -> dict[str, object]:
    """A trace of 12 steps and about 5 KB."""
    steps: list[dict[str, object]] = []
    for i in range(0, 12, 2):
        at = f"2026-01-01T10:00:{i:02}Z"
        args = {"query": "watering plan", "page": i, "note": "x" * 200}
        rows = [{"id": f"plant-{number}-{row}", "height_cm": row * 1.5, "is_dry": row % 2 == 0} for row in range(6)]
        steps.append({"i": i, "ts": at, "kind": "tool_call", "role": "agent", "name": "plants.find", "args": args})
        steps.append(
            {
                "i": i + 1,
                "ts": at,
                "kind": "tool_result",
                "role": "tool",
                "name": "plants.find",
                "ok": True,
                "output": rows,
            }
        )
    return {
        "schema": "agent-trace/v1",
        "trace_id": f"example-{number}",
        "source": "benchmark",
        "task": {"id": "water", "domain": "other", "instruction": "Find out which plants are dry."},
        "steps": steps,
        "final_claim": {"text": "Three plants are dry."},
    }


if __name__ == "__main__":
    piped.run(main)
