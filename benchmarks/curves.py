"""Cost of a check as traces grow longer and rule packs grow in number.

    python benchmarks/curves.py [--steps 100,1000,10000] [--packs 1,50,500] [--rounds 3]

Prints CPU microseconds a step for invented traces of so many steps, once with calls of mapped tools and messages that
claim, and CPU microseconds a trace for one short trace with so many packs of other tools beside the built-in ones. Each
figure is the best of the rounds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import piped
from agent_claimcheck import Checker, load_traces


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", default="100,1000,10000")
    parser.add_argument("--packs", default="1,50,500")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for steps in map(int, options.steps.split(",")):
            file = write_traces(Path(folder), steps, copies=max(1, 2000 // steps))
            seconds = best_of(options.rounds, Checker("rules"), file)
            total = steps * max(1, 2000 // steps)
            print(f"{steps:6,} steps a trace: {seconds / total * 1e6:6.1f} us a step")
        file = write_traces(Path(folder), 20, copies=100)
        for packs in map(int, options.packs.split(",")):
            checker = Checker("rules", rules=write_packs(Path(folder), packs))
            print(f"{packs:6,} packs: {best_of(options.rounds, checker, file) / 100 * 1e6:8.0f} us a trace of 20 steps")


def best_of(rounds: int, checker: Checker, file: Path) -> float:
    return min(cpu_seconds(checker, file) for _ in range(rounds))


def cpu_seconds(checker: Checker, file: Path) -> float:
    """Return the CPU seconds of reading and checking the file; fails when a trace was not checked."""
    start = time.process_time()
    verdicts = [result.verdict for result in checker.check(load_traces(file))]
    seconds = time.process_time() - start
    if "skipped" in verdicts or not verdicts:
        raise SystemExit("a trace was not checked, so the figure would mean nothing")
    return seconds


def write_traces(folder: Path, steps: int, *, copies: int) -> Path:
    file = folder / f"traces-{steps}.jsonl"
    file.write_text("".join(json.dumps(make_trace(number, steps)) + "\n" for number in range(copies)), encoding="utf-8")
    return file


def make_trace(number: int, steps: int) -> dict[str, Any]:
    """Return an invented run that writes one note after another and says so now and then."""
    made: list[dict[str, Any]] = []
    for index in range(steps):
        step: dict[str, Any] = {"i": index, "ts": "2026-05-04T08:00:00Z"}
        note = f"n-{number}-{index // 3}"
        if index % 3 == 0:
            step |= {"kind": "message", "role": "agent", "content": f"Next is {note}; the one before was added."}
        elif index % 3 == 1:
            step |= {"kind": "tool_call", "role": "agent", "name": "desk.add_note", "args": {"note_id": note}}
        else:
            output = {"note_id": note, "status": "saved"}
            step |= {"kind": "tool_result", "role": "tool", "name": "desk.add_note", "ok": True, "output": output}
        made.append(step)
    return {
        "schema": "agent-trace/v1",
        "trace_id": f"curve-{steps}-{number}",
        "source": "curves/1",
        "task": {"id": "t", "domain": "other", "instruction": "Add all notes."},
        "steps": made,
        "final_claim": {"text": "All notes were added.", "claims": []},
    }


def write_packs(folder: Path, count: int) -> list[Path]:
    paths = []
    for number in range(count):
        path = folder / f"pack-{number}.yaml"
        path.write_text(
            f"pack: shop{number}\nversion: 1\ntools: ['shop{number}.order']\n"
            f"claim_patterns:\n  ordered{number}: ['\\bordered from shop{number}\\b']\n"
            f"claims:\n  ordered{number}:\n    action: 'shop{number}.order'\n    receipt:\n      order_id: {{exists: true}}\n",
            encoding="utf-8",
        )
        paths.append(path)
    return paths


if __name__ == "__main__":
    piped.run(main)
