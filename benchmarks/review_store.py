"""Measures the review server with many results: `python benchmarks/review_store.py [--traces 100000]`.

A reader must not miss: everything is measured through HTTP on a server of its own process, the second time it is started
on the same inputs, so that the times are those of a store that is already filled. Times are wall clock, the middle and
the worst of many requests; memory is the resident set of the server.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

VERBS = ("Book", "Move", "Cancel", "Confirm", "Extend", "Shorten")
NAMES = ("Ada", "Bruno", "Chidi", "Dalia", "Emre", "Freya", "Goran", "Hana", "Ines", "Jomo", "Kaito", "Lena")
PLACES = ("north room", "garden room", "harbour hall", "lab two", "studio", "library", "attic", "court nine")
SEARCHES = ("harbour hall", "Hana", "order 4", "evt_5000", "nosuchword", "library Emre", "conf")
LIMITS = {"first page": 1000.0, "next item": 100.0, "search": 300.0, "memory": 300.0}


def trace(number: int, rng: random.Random) -> dict[str, Any]:
    """Return one run: a booking that is claimed, some of them without what would prove it."""
    name, place, verb = rng.choice(NAMES), rng.choice(PLACES), rng.choice(VERBS)
    day, hour, order = rng.randint(1, 28), rng.randint(8, 18), rng.randint(1000, 9999)
    start = f"2026-05-{day:02d}T{hour:02d}:00:00+02:00"
    ask = f"{verb} the {place} for {name} on {day} May at {hour}:00, order {order}."
    end = f"Done: the {place} is booked for {name} on {day} May at {hour}:00."
    mail = [f"{name.lower()}@x.example"]
    args = {"title": f"{name} in the {place}", "start": start, "duration_min": 60, "attendees": mail}
    kind = rng.random()
    ok = kind > 0.15
    result = {"event_id": f"evt_{number}", "start": start, "status": "confirmed"} if ok else {"error": "slot is taken"}
    steps = [
        ("message", "user", {"content": ask}),
        ("tool_call", "agent", {"name": "calendar.search_slots", "args": {"date": start[:10]}}),
        (
            "tool_result",
            "tool",
            {"name": "calendar.search_slots", "ok": True, "output": {"slots": [start] * (day % 9)}},
        ),
        ("tool_call", "agent", {"name": "calendar.create_event", "args": args}),
        ("tool_result", "tool", {"name": "calendar.create_event", "ok": ok, "output": result}),
        ("message", "agent", {"content": end}),
    ]
    if kind > 0.8:
        probe = {"name": "calendar.get_event", "ok": True, "output": {**result, "attendees": mail}}
        steps.append(("state_probe", "environment", probe))
    return {
        "schema": "agent-trace/v1",
        "trace_id": f"run-{number:06d}",
        "source": rng.choice(("bench-a", "bench-b", "bench-c")),
        "task": {"id": f"t{number}", "domain": "booking", "instruction": ask},
        "steps": [
            {"i": i, "ts": f"2026-05-01T09:00:{i:02d}+00:00", "kind": step_kind, "role": role, **fields}
            for i, (step_kind, role, fields) in enumerate(steps)
        ],
        "final_claim": {"text": end, "claims": []},
    }


class Server:
    """A server process on a free port and a client with a session."""

    def __init__(self, inputs: Path, folder: Path) -> None:
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        command = [sys.executable, "-m", "agent_claimcheck", "serve", str(inputs), "--port", "0"]
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [*command, "--reviews", str(folder / "reviews.jsonl")], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        address = self.process.stdout.readline().split()[-1]
        self.client = httpx.Client(base_url=address, headers={"origin": address}, timeout=120)
        self.client.get("/").raise_for_status()

    def ask(self, path: str, **query: Any) -> tuple[float, Any]:
        """Return milliseconds and the answer."""
        began = time.perf_counter()
        answer = self.client.get(f"/api/{path}", params=query)
        took = (time.perf_counter() - began) * 1000
        answer.raise_for_status()
        return took, answer.json()

    def memory_mb(self) -> float:
        """Return the resident set in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return float(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000

    def stop(self) -> None:
        """Stop as Ctrl+C does."""
        self.client.close()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


def fill(inputs: Path, folder: Path) -> tuple[float, list[float]]:
    """Let a server check everything; return traces a second and the times of pages asked for meanwhile."""
    server = Server(inputs, folder)
    times: list[float] = []
    while True:
        _, state = server.ask("state")
        if state["scoring"]["state"] != "reading":
            break
        times.append(server.ask("queue")[0])
        time.sleep(0.5)
    rate = state["scoring"]["read"] / (time.perf_counter() - server.began)
    server.stop()
    return rate, times


def measure(inputs: Path, folder: Path) -> dict[str, list[float]]:
    """Return milliseconds by what was measured, and megabytes."""
    server = Server(inputs, folder)
    took: dict[str, list[float]] = {}
    _, page = server.ask("queue")
    took["first page"] = [(time.perf_counter() - server.began) * 1000]
    took["state"] = [server.ask("state")[0] for _ in range(10)]
    items = page["items"]
    for item in items[:40]:
        began = time.perf_counter()
        decided = {"trace_id": item["trace_id"], "decision": "verified"}
        server.client.post("/api/review", json=decided).raise_for_status()
        took.setdefault("decision", []).append((time.perf_counter() - began) * 1000)
        took.setdefault("next item", []).append(server.ask("trace", id=item["trace_id"])[0])
    for sort in ("closest", "teaches", "lowest", "highest", "newest", "oldest", "name"):
        for view in ("queue", "all"):
            after = ""
            for _ in range(3):
                ms, page = server.ask("queue", view=view, sort=sort, after=after)
                took.setdefault("page", []).append(ms)
                after = page["after"]
    for words in SEARCHES:
        for view in ("queue", "all"):
            took.setdefault("search", []).append(server.ask("queue", view=view, q=words)[0])
    took["filter"] = [
        server.ask("queue", view="all", tool="calendar.create_event", source="bench-b")[0] for _ in range(5)
    ]
    took["memory"] = [server.memory_mb()]
    server.stop()
    return took


def main() -> int:
    """Print what was measured; exit 1 when a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="claimcheck-review-") as name:
        folder = Path(name)
        inputs = folder / "traces.jsonl"
        rng = random.Random(options.seed)
        with inputs.open("w", encoding="utf-8") as file:
            for number in range(options.traces):
                file.write(json.dumps(trace(number, rng)) + "\n")
        rate, meanwhile = fill(inputs, folder)
        print(f"{options.traces} traces, {inputs.stat().st_size / options.traces:.0f} bytes each")
        print(
            f"checked and stored: {rate:.0f} traces/s; a page meanwhile: median {statistics.median(meanwhile):.0f} ms"
        )
        took = measure(inputs, folder)
        store = sum(path.stat().st_size for path in (folder / "cache").rglob("*.sqlite*"))
        print(f"store: {store / 1e6:.0f} MB")
    is_slow = False
    for what, values in took.items():
        limit = LIMITS.get(what)
        is_over = limit is not None and max(values) > limit
        is_slow |= is_over
        unit = "MB" if what == "memory" else "ms"
        note = "" if limit is None else f", limit {limit:.0f}{' PASSED' if is_over else ''}"
        print(f"{what:11} median {statistics.median(values):7.1f} {unit}, worst {max(values):7.1f} {unit}{note}")
    return 1 if is_slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
