"""Mutate sample files and read them: nothing may crash or hang.

    python benchmarks/importer_fuzz.py --data DIR [--count 10000] [--seed 1]

Each mutation truncates, reorders, retypes, repeats or nests parts of a real file; the result must be traces or clear
problems. A mutant that takes over two seconds counts as a hang. Exits 1 when anything crashed.
"""

from __future__ import annotations

import argparse
import collections
import io
import json
import random
import sys
import time
import traceback
from typing import Any

import piped
from agent_claimcheck.importers.catalog import load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.importers.sniff import recognise
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.write import to_json
from data_argument import sample_directory

ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "\ud800", "[[[", '{"a":', [], {}, [None], [[]], {"a": None},
    ["user", "x"], {"type": "text"}, [{"type": "tool_use"}], [{"type": "tool_result", "content": {}}], "1e999", "\x1b[31m",
]  # fmt: skip


def deep(depth: int) -> Any:
    value: Any = "end"
    for _ in range(depth):
        value = [value] if depth % 2 else {"content": value}
    return value


def mutate_value(value: Any, rng: random.Random, rate: float) -> Any:
    if rng.random() < rate:
        return rng.choice(ODD) if rng.random() < 0.95 else deep(rng.choice([5, 30, 300, 700]))
    if isinstance(value, dict):
        keys = list(value)
        if rng.random() < 0.05:
            rng.shuffle(keys)
        out = {key: mutate_value(value[key], rng, rate) for key in keys if rng.random() > rate / 3}
        if out and rng.random() < 0.05:
            one, other = rng.choice(list(out)), rng.choice(list(out))
            out[one] = out[other]
        return out
    if isinstance(value, list):
        out_list = [mutate_value(item, rng, rate) for item in value if rng.random() > rate / 3]
        if out_list and rng.random() < 0.1:
            out_list.insert(rng.randrange(len(out_list) + 1), rng.choice(out_list))
        if rng.random() < 0.05:
            rng.shuffle(out_list)
        return out_list
    if isinstance(value, str) and rng.random() < rate:
        return value[: rng.randrange(len(value) + 1)]
    return value


def mutate(data: bytes, rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.1:
        return data[: rng.randrange(len(data) + 1)]
    if kind < 0.2:
        buffer = bytearray(data)
        for _ in range(rng.randrange(1, 20)):
            if buffer:
                buffer[rng.randrange(len(buffer))] = rng.randrange(256)
        return bytes(buffer)
    rate = rng.choice([0.002, 0.01, 0.05, 0.2])
    try:
        return json.dumps(mutate_value(json.loads(data), rng, rate)).encode()
    except ValueError:
        pass
    lines = []
    for line in data.split(b"\n"):
        try:
            lines.append(json.dumps(mutate_value(json.loads(line), rng, rate)).encode())
        except ValueError:
            lines.append(line)
    if rng.random() < 0.3:
        rng.shuffle(lines)
    if lines and rng.random() < 0.3:
        lines.append(rng.choice(lines))
    return b"\n".join(lines)


def read_all(data: bytes, options: ImportOptions, name: str | None) -> tuple[int, int]:
    """Read bytes as a file; return how many traces and problems came out. Raises what the importer raises."""
    found = recognise(data[:HEAD_BYTES]) if name is None else None
    if found is None and name is None:
        return 0, 1
    traces = problems = notes = 0
    for item in load(name or found.name).read(io.BytesIO(data), file="mutant", options=options):  # type: ignore[union-attr]
        if isinstance(item, Trace):
            traces += 1
            to_json(item, "v2")
            to_json(item, "v1")
        elif isinstance(item, ImportNote):
            notes += 1
            item.report.full()
        else:
            problems += 1
            assert str(item)
    assert notes == 1, "an import ends with one note"
    assert traces or problems, "neither traces nor a problem"
    return traces, problems


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=sample_directory, required=True)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=150_000, help="leave out larger files (bytes)")
    args = parser.parse_args()
    files = [path for path in sorted(args.data.rglob("*")) if path.is_file() and path.stat().st_size <= args.largest]
    files = [path for path in files if path.suffix not in (".txt", ".md", ".py")]
    sources = {path: path.read_bytes() for path in files}
    names = {path: recognise(data[:HEAD_BYTES]) for path, data in sources.items()}
    files = [path for path in files if names[path] is not None]
    tally: collections.Counter[str] = collections.Counter()
    faults: dict[str, str] = {}
    started = time.process_time()
    for number in range(args.count):
        rng = random.Random(args.seed * 1_000_003 + number)
        path = files[number % len(files)]
        data = mutate(sources[path], rng)
        found = names[path]
        options = ImportOptions(
            labels=True,
            infer_status=rng.choice(["strict", "exit-code", "text"]),
            subagents=rng.choice(["separate", "inline"]),
            group_by_conversation=rng.random() < 0.3,
        )
        before = time.process_time()
        try:
            # Half of the mutants are forced upon the original's importer, which recognition would not do.
            traces, _ = read_all(data, options, found.name if found and rng.random() < 0.5 else None)
            tally["traces" if traces else "problems only"] += 1
        except Exception:  # noqa: BLE001 - the point of this script is to see every kind
            tally["CRASHED"] += 1
            text = traceback.format_exc()
            place = text.strip().rsplit("\n", 3)[-3:]
            faults.setdefault("\n".join(place), f"{path} mutation {number}\n{text}")
        if time.process_time() - before > 2:
            tally["over 2 s"] += 1
            print(f"slow: {path} mutation {number}: {time.process_time() - before:.1f} s")
    for text in faults.values():
        print(text)
    seconds = time.process_time() - started
    print(f"{args.count} mutants of {len(files)} files in {seconds:.0f} s of CPU: {dict(tally)}")
    sys.exit(1 if tally["CRASHED"] or tally["over 2 s"] else 0)


if __name__ == "__main__":
    piped.run(main)
