"""Measures reading tool results without their flag: share of failures found and of good results wrongly flagged.

Takes every tool result that carries ``ok``, hides ``ok`` and ``error``, and reads the text that is left: the error text
when the output is empty, else the output followed by the error text. Tasks are split in two halves by a hash of the
task id: rules are tuned on one half (``tune``) and the other (``held``) is only measured.

    python benchmarks/receipt_reading.py --data DIR [--half tune|held|both] [--misses N] [--speed]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import piped
from agent_claimcheck.evidence.effects import read_effect
from agent_claimcheck.evidence.receipts.reading import read_receipt, read_text_status
from agent_claimcheck.trace.model import Step
from data_argument import add_runs


def half_of(task_id: str) -> str:
    """Return ``tune`` or ``held``, the same for every run of a task."""
    return "tune" if hashlib.sha256(task_id.encode()).digest()[0] % 2 == 0 else "held"


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


def rows(path: Path) -> Iterator[tuple[str, Step | None, Step]]:
    """Yield ``(half, call, result)``; a result belongs to the latest earlier call of its name."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            trace = json.loads(line)
            half = half_of(str(trace["task"]["id"]))
            latest: dict[Any, Step] = {}
            for raw in trace["steps"]:
                if raw["kind"] not in ("tool_call", "tool_result"):
                    continue
                step = msgspec.convert(raw, Step)
                if step.kind == "tool_call":
                    latest[step.name] = step
                else:
                    yield half, latest.get(step.name), step


def hidden_text(result: Step, output_only: bool) -> str:
    output, error = as_text(result.output), as_text(result.error)
    if output_only and output.strip():
        return output
    return f"{output}\n{error}" if output.strip() and error and error != output else output if output.strip() else error


def measure(path: Path, half: str, misses: int, output_only: bool) -> Counter[str]:
    counts: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for row_half, call, result in rows(path):
        if result.ok is None or half not in (row_half, "both"):
            continue
        text = hidden_text(result, output_only)
        receipt = read_text_status(text, tool_name=result.name or "", args=call.args if call else None)
        is_failed = receipt.state == "failed"
        kind = "good" if result.ok else "bad"
        counts[kind] += 1
        counts[f"{kind}_flagged"] += is_failed
        if is_failed == result.ok and shown[kind] < misses:
            shown[kind] += 1
            print(f"  {kind} {result.name} {receipt.state}/{receipt.reason} | {text[:160]!r} ... {text[-120:]!r}")
    return counts


def report(paths: list[Path], half: str, misses: int, output_only: bool) -> None:
    found_shares: list[float] = []
    wrong_shares: list[float] = []
    print(f"\n{half}\n{'source':24} {'failures':>8} {'found':>7} {'good':>7} {'flagged':>8}")
    for path in paths:
        counts = measure(path, half, misses, output_only)
        bad, good = counts["bad"], counts["good"]
        if bad:
            found_shares.append(counts["bad_flagged"] / bad)
        if good:
            wrong_shares.append(counts["good_flagged"] / good)
        found = f"{counts['bad_flagged'] / bad:.1%}" if bad else "-"
        wrong = f"{counts['good_flagged'] / good:.2%}" if good else "-"
        if bad or good:
            print(f"{path.name.split('.')[0]:24} {bad:8} {found:>7} {good:7} {wrong:>8}")
    if found_shares and wrong_shares:
        found_mean, wrong_mean = sum(found_shares) / len(found_shares), sum(wrong_shares) / len(wrong_shares)
        print(f"macro average: found {found_mean:.1%}, wrongly flagged {wrong_mean:.2%}")


def report_effects(paths: list[Path]) -> None:
    table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for path in paths:
        for _, call, result in rows(path):
            if call is not None:
                effect = read_effect(call, result, None)
                table[path.name.split(".")[0], call.name or ""][f"{effect.kind}:{effect.verb_class or '-'}"] += 1
    for (source, name), kinds in sorted(table.items(), key=lambda item: (item[0][0], -item[1].total())):
        print(f"{source:20} {name[:48]:48} {dict(kinds.most_common(5))}")


def report_speed(paths: list[Path]) -> None:
    pairs = [(call, result) for path in paths for _, call, result in rows(path) if call is not None][:20_000]
    for label, work in (
        ("read_receipt", lambda: [read_receipt(call, result) for call, result in pairs]),
        ("read_effect", lambda: [read_effect(call, result, None) for call, result in pairs]),
    ):
        work()
        started = time.process_time()
        work()
        print(
            f"{label}: {(time.process_time() - started) / len(pairs) * 1e6:.1f} microseconds a call ({len(pairs)} calls)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_runs(parser)
    parser.add_argument("--half", choices=("tune", "held", "both", "each"), default="each")
    parser.add_argument("--misses", type=int, default=0, help="print up to N misread results per source and kind")
    parser.add_argument("--output-only", action="store_true", help="leave the error text away where there is an output")
    parser.add_argument("--effects", action="store_true", help="print the effect kinds per tool name instead")
    parser.add_argument("--speed", action="store_true", help="print microseconds a call instead")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.data.glob("*.jsonl.gz") if not path.name.startswith("injection"))
    if arguments.effects:
        report_effects(paths)
    elif arguments.speed:
        report_speed(paths)
    else:
        for half in ("tune", "held") if arguments.half == "each" else (arguments.half,):
            report(paths, half, arguments.misses, arguments.output_only)


if __name__ == "__main__":
    piped.run(main)
