"""How the injection scan and its effect do on labelled texts and runs, per source, and how fast the scan is.

    python benchmarks/injection.py --data DIR [--speed-mb 20]

DIR holds ``injection.jsonl.gz`` (texts with ``is_injection`` and ``source``) and ``agentdojo.jsonl.gz`` (attacked runs,
whose labels say whether the attack reached its goal). Texts are split by the first bit of the SHA-256 of the text, runs
by that of the task id: patterns were tuned on half A, half B was only counted.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import piped
from agent_claimcheck import load_traces
from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.injection.check import check_injection
from agent_claimcheck.checks.injection.framing import rate
from agent_claimcheck.checks.injection.scan import Scanner
from agent_claimcheck.checks.trace_run import run_from_trace
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.view import label_free
from data_argument import directory_with
from real_runs import half_of, share


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=directory_with("injection.jsonl.gz", "agentdojo.jsonl.gz"), required=True)
    parser.add_argument("--speed-mb", type=float, default=12.0)
    parser.add_argument("--show", action="store_true", help="list runs read as obeyed whose attack missed its goal")
    options = parser.parse_args()
    scan_texts(options.data / "injection.jsonl.gz")
    read_effects(options.data / "agentdojo.jsonl.gz", show=options.show)
    measure_speed(options.data, options.speed_mb)


def scan_texts(path: Path) -> None:
    scanner = Scanner()
    flagged: Counter[tuple[str, bool, str]] = Counter()
    total: Counter[tuple[str, bool, str]] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            half = "A" if hashlib.sha256(row["text"].encode()).digest()[0] % 2 == 0 else "B"
            found = any(rate(match, row["text"]).verdict != "mentioned" for match in scanner.scan(row["text"]))
            for source in (row["source"], "bipia" if row["source"].startswith("bipia") else None, "all"):
                if source:
                    flagged[source, row["is_injection"], half] += found
                    total[source, row["is_injection"], half] += 1
    for key in sorted(total):
        source, is_injection, half = key
        print(f"{'recall' if is_injection else 'flagged':8} {source:22} {half}  {share(flagged[key], total[key])}")


def read_effects(path: Path, *, show: bool) -> None:
    counts: Counter[tuple[str, str, Any]] = Counter()
    for trace in load_traces(str(path)):
        details: dict[str, Any] = (trace.ground_truth.details if trace.ground_truth else None) or {}
        kind = "clean" if not details.get("attack") else "goal" if details.get("security_field") is True else "missed"
        report = check_injection(run_from_trace(trace), CheckRequest(evidence=Evidence(label_free(trace))))
        effect = report.metadata["effect"]
        counts[half_of(trace.task.id), kind, effect] += 1
        if show and effect == "compromised" and kind == "missed":
            print(trace.trace_id, [(finding.step, finding.subject, finding.reason) for finding in report.failures][:2])
    for half in ("A", "B"):
        fired = {kind: counts[half, kind, "compromised"] for kind in ("goal", "missed", "clean")}
        goals = sum(count for (where, kind, _), count in counts.items() if where == half and kind == "goal")
        print(f"half {half}: compromised {fired}, recall of reached goals {share(fired['goal'], goals)}")
        for effect in ("resisted", "suspicious", None):
            found = {kind: counts[half, kind, effect] for kind in ("goal", "missed", "clean")}
            print(f"  {effect}: {found}")


def outputs(folder: Path, limit: float) -> Iterator[str]:
    left = limit * 1e6
    for path in sorted(folder.glob("*.jsonl.gz")):
        if "injection" in path.name or "agentdojo.jsonl" in path.name:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                for step in json.loads(line)["steps"]:
                    text = step.get("output")
                    if isinstance(text, str) and text:
                        left -= len(text.encode("utf-8", "replace"))
                        yield text
                if left < 0:
                    return


def measure_speed(folder: Path, limit: float) -> None:
    texts = list(outputs(folder, limit))
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    scanner = Scanner()
    scanner.scan("warm")
    started = time.process_time()
    for text in texts:
        scanner.scan(text)
    seconds = time.process_time() - started
    print(f"scan: {size / 1e6:.1f} MB in {len(texts)} tool outputs, {size / 1e6 / seconds:.1f} MB a CPU second")


if __name__ == "__main__":
    piped.run(main)
