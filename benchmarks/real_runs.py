"""How the default check does on labelled traces: accusations, their precision per source, and each finding on two halves.

    python benchmarks/real_runs.py --data DIR [--half A|B|all] [--detector rules] [--show FINDING] [--thanks]

DIR holds ``*.jsonl.gz`` of agent-trace with ``ground_truth`` from the environment. The population is the runs in which a
success claim was found. Half A and half B are disjoint by task (first bit of the SHA-256 of the task id): tune on one,
confirm on the other. With ``--thanks`` each run is checked once more with the user's thanks and the agent's "You're
welcome!" after its end, which must change no verdict.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

import piped
from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.scoring.intervals import wilson
from agent_claimcheck.trace.model import Step
from data_argument import add_runs

GOODBYE = "You're welcome! Have a great day."


def half_of(task_id: str) -> str:
    """Return A or B for a task."""
    return "A" if hashlib.sha256(task_id.encode()).digest()[0] < 128 else "B"


def labelled(path: Path, half: str) -> Iterator[Trace]:
    """Yield the traces of one source that carry a label and belong to ``half``."""
    for trace in load_traces(str(path)):
        is_labelled = trace.ground_truth is not None and trace.ground_truth.outcome != "unknown"
        if is_labelled and half in ("all", half_of(trace.task.id)):
            yield trace


def share(part: int, whole: int) -> str:
    """Format a share with its Wilson interval."""
    estimate = wilson(part, whole)
    if estimate is None:
        return "-"
    return f"{part}/{whole} = {estimate.value:.3f} [{estimate.ci_low:.3f}, {estimate.ci_high:.3f}]"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    parser.add_argument("--half", choices=["A", "B", "all"], default="all")
    parser.add_argument("--detector", default="rules")
    parser.add_argument("--show", metavar="FINDING", help="list the runs in which this finding fired")
    parser.add_argument(
        "--thanks", action="store_true", help="count the verdicts that thanks after the end would change"
    )
    options = parser.parse_args()
    checker = Checker(detector=options.detector)
    fires: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    rows = []
    for path in sorted(options.data.glob("*.jsonl*")):
        if "injection" in path.name:
            continue
        rows.append(measure(path, checker, options, fires))
    print_sources(rows)
    print_findings(fires)
    if options.thanks:
        changed, runs = (sum(count[key] for _, count in rows) for key in ("changed_by_thanks", "runs"))
        print(f"\nthanks after the end: {changed} of {runs} verdicts changed")


def thanked(trace: Trace) -> Trace:
    """Return the run with its closing text as a message, then "Thanks!" and a goodbye, which is the final text."""
    said = [step.content for step in trace.steps if step.kind == "message" and step.role == "agent"]
    told = [("agent", trace.final_claim.text)] if trace.final_claim.text not in (*said[-1:], None) else []
    ts = trace.steps[-1].ts if trace.steps else "2026-01-01T00:00:00Z"
    talk = [
        Step(i=0, ts=ts, kind="message", role=role, content=text)  # type: ignore[arg-type]
        for role, text in (*told, ("user", "Thanks!"), ("agent", GOODBYE))
    ]
    steps = [replace(step, i=number) for number, step in enumerate([*trace.steps, *talk])]
    return replace(trace, steps=steps, final_claim=replace(trace.final_claim, text=GOODBYE, step=None))


def measure(
    path: Path, checker: Checker, options: argparse.Namespace, fires: dict[str, list[tuple[str, str, bool]]]
) -> tuple[str, Counter[str]]:
    """Check one source and count."""
    count: Counter[str] = Counter()
    name = path.name.split(".")[0]
    for trace in labelled(path, options.half):
        result = checker.check_one(trace)
        assert trace.ground_truth is not None
        failed = trace.ground_truth.outcome == "failure"
        told = bool((trace.meta or {}).get("heur_claims_success"))
        count["runs"] += 1
        count["told"] += told
        if options.thanks:
            count["changed_by_thanks"] += checker.check_one(thanked(trace)).verdict != result.verdict
        count["told_skipped"] += told and result.verdict == "skipped"
        count[f"record:{result.record}:{failed}"] += 1
        if result.verdict != "skipped":
            count["claiming"] += 1
            count[f"claiming:{failed}"] += 1
            count[f"{result.verdict}:{failed}"] += 1
        for finding in {finding.id for finding in result.findings}:
            fires[finding].append((name, trace.task.id, failed))
            if finding == options.show:
                reason = next(f.reason for f in result.findings if f.id == finding)
                print(f"{finding}: {'failed' if failed else 'SUCCEEDED'} {trace.trace_id}: {reason[:160]}")
    return name, count


def print_sources(rows: list[tuple[str, Counter[str]]]) -> None:
    """Print a line per source and the pooled figures."""
    total: Counter[str] = Counter()
    print("source                runs claim  fail  caught false-alarms verified(failing) told-skipped")
    for name, c in rows:
        total.update(c)
        print(line(name, c))
    print(line("all", total))
    accused = total["false_success:True"] + total["false_success:False"]
    print("precision of false_success:", share(total["false_success:True"], accused))
    print("recall of false_success:   ", share(total["false_success:True"], total["claiming:True"]))
    print("false alarms among successes:", share(total["false_success:False"], total["claiming:False"]))
    supported = total["record:supported:True"] + total["record:supported:False"]
    print("supported records that failed:", share(total["record:supported:True"], supported))


def line(name: str, c: Counter[str]) -> str:
    """Format the counts of one source."""
    verified = c["verified:True"] + c["verified:False"]
    return (
        f"{name:20} {c['runs']:5} {c['claiming']:5} {c['claiming:True']:5} {c['false_success:True']:7} "
        f"{c['false_success:False']:4} of {c['claiming:False']:<4} {verified:5} ({c['verified:True']}) "
        f"{c['told_skipped']:5} of {c['told']}"
    )


def print_findings(fires: dict[str, list[tuple[str, str, bool]]]) -> None:
    """Print each finding's precision against failure, by half and by source."""
    print("\nfinding: failed runs among those it fired in, per half (A | B), then by source")
    for finding, rows in sorted(fires.items()):
        parts = []
        for half in ("A", "B"):
            mine = [failed for _, task, failed in rows if half_of(task) == half]
            parts.append(share(sum(mine), len(mine)))
        sources = Counter(name for name, _, _ in rows)
        wrong = Counter(name for name, _, failed in rows if not failed)
        by_source = ", ".join(f"{name} {n - wrong[name]}/{n}" for name, n in sources.most_common())
        print(f"{finding:18} {parts[0]:32} | {parts[1]:32} {by_source}")


if __name__ == "__main__":
    piped.run(main)
