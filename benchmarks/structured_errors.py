"""How well ``--errors structured`` reads tool results, measured on results whose status the source declared.

The declared status is hidden from the reader. Its text is the output; the error text when the output is empty; both
when both are there. Traces are split in two halves by task, so that a change tuned on one half is confirmed on the
other.

    python benchmarks/structured_errors.py --data DIR [--half a|b|all] [--show missed|wrong] [--source NAME]
"""

from __future__ import annotations

import argparse
import gzip
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import piped
from agent_claimcheck.checks.error_rules import read_status
from agent_claimcheck.checks.run import ToolCall
from agent_claimcheck.checks.trace_run import output_as_text
from data_argument import add_runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    parser.add_argument("--half", choices=["a", "b", "all"], default="all")
    parser.add_argument("--show", choices=["missed", "wrong"])
    parser.add_argument("--source", help="only the files whose name starts with this")
    arguments = parser.parse_args()
    tables: dict[str, dict[str, Counter[str]]] = {"text": defaultdict(Counter), "structured": defaultdict(Counter)}
    for source, trace in read_all(arguments.data, arguments.half, arguments.source):
        for call, is_failure in declared_calls(trace):
            for reading in ("text", "structured"):
                status = read_status(call, reading)
                kind = "failed" if is_failure else "ok"
                tables[reading][source][kind] += 1
                tables[reading][source][f"{kind}_flagged"] += status.is_error
                if reading == "structured" and arguments.show is not None:
                    show(arguments.show, source, call, is_failure, status)
    if arguments.show is None:
        for reading, table in tables.items():
            print_table(reading, table)


def read_all(folder: Path, half: str, only: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``(source, trace)`` of the chosen half of all tasks."""
    for path in sorted(folder.glob("*.jsonl*")):
        if only is not None and not path.name.startswith(only):
            continue
        opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")  # noqa: SIM115 - closed by the with below
        with opened as lines:
            for line in lines:
                trace = json.loads(line)
                if "steps" not in trace:
                    break
                if half == "all" or half == "ab"[zlib.crc32(trace["task"]["id"].encode()) % 2]:
                    yield path.name.split(".")[0], trace


def declared_calls(trace: dict[str, Any]) -> Iterator[tuple[ToolCall, bool]]:
    """Yield each call whose result declares ``ok``, with the declaration hidden, and whether it failed."""
    open_calls: dict[str | None, dict[str, Any]] = {}
    for step in trace["steps"]:
        if step["kind"] == "tool_call":
            open_calls[step.get("name")] = step
        elif step["kind"] == "tool_result" and step.get("ok") is not None:
            call = open_calls.get(step.get("name"), {})
            parts = [output_as_text(step.get("output")), output_as_text(step.get("error"))]
            text = "\n".join(dict.fromkeys(part for part in parts if part.strip()))
            yield ToolCall(name=step.get("name") or "", arguments=call.get("args") or {}, output=text), not step["ok"]


def show(what: str, source: str, call: ToolCall, is_failure: bool, status: Any) -> None:
    if (what == "missed") == is_failure and is_failure != status.is_error:
        arguments = json.dumps(call.arguments, ensure_ascii=False)[:200]
        print(f"{source} {call.name} {arguments}\n    {status.rule}: {call.output[:300]!r}")


def print_table(reading: str, table: dict[str, Counter[str]]) -> None:
    print(f"\nreading: {reading}")
    print(f"{'source':<24}{'failures':>9}{'found':>9}{'ok':>9}{'flagged':>9}")
    shares: dict[str, list[float]] = {"failed": [], "ok": []}
    for source, counts in sorted(table.items()):
        for kind in shares:
            if counts[kind]:
                shares[kind].append(counts[f"{kind}_flagged"] / counts[kind])
        print(f"{source:<24}{_cell(counts, 'failed')}{_cell(counts, 'ok')}")
    means = {kind: sum(values) / len(values) if values else 0.0 for kind, values in shares.items()}
    print(f"{'macro average':<24}{'':>9}{means['failed']:>9.1%}{'':>9}{means['ok']:>9.1%}")


def _cell(counts: Counter[str], kind: str) -> str:
    total = counts[kind]
    share = f"{counts[f'{kind}_flagged'] / total:.1%}" if total else "-"
    return f"{total:>9}{share:>9}"


if __name__ == "__main__":
    piped.run(main)
