"""How far a drafted pack replaces the built-in ones: tools renamed, a pack drafted from those traces, both compared.

    python benchmarks/draft_pack.py --data TRACES.jsonl.gz [--names words|opaque] [--show]

Renaming is a fixed mapping of tool and probe names, after which no built-in pack fits: ``words`` keeps names that say what
a tool does (``calendar.create_event`` becomes ``x_calendar.create_event_x``), ``opaque`` gives others (``s1.op4``).
Decisions are verdict and record of every trace; the built-in packs decide on the traces as they are.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.draft.drafting import draft_pack
from agent_claimcheck.pipeline.draft.guard import spec_with


def renamer(style: str) -> Callable[[Trace], Trace]:
    """Return a function that renames the tools and probes of a trace."""
    known: dict[str, str] = {}

    def name_of(name: str) -> str:
        if style == "words":
            server, _, tool = name.partition(".")
            return known.setdefault(name, f"x_{server}.{tool}_x")
        return known.setdefault(name, f"s{len(known) % 3}.op{len(known)}")

    def rename(trace: Trace) -> Trace:
        steps = [replace(step, name=name_of(step.name)) if step.name else step for step in trace.steps]
        return replace(trace, steps=steps)

    return rename


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--names", choices=["words", "opaque"], default="words")
    parser.add_argument("--show", action="store_true", help="print the pack and every difference")
    options = parser.parse_args()
    traces = list(load_traces(str(options.data)))
    rename = renamer(options.names)
    renamed = [rename(trace) for trace in traces]
    started = time.process_time()
    made = draft_pack([], renamed, name="drafted")
    spent = time.process_time() - started
    if options.show:
        print(made.pack, *made.remarks, sep="\n")
    builtin, without, drafted = Checker(), Checker(), Checker(spec=spec_with(parse_pack(made.pack, "draft")))
    same: Counter[str] = Counter()
    accused = 0
    for trace, other in zip(traces, renamed, strict=True):
        wanted, bare, got = builtin.check_one(trace), without.check_one(other), drafted.check_one(other)
        same["without a pack"] += bare.verdict == wanted.verdict
        same["verdict"] += got.verdict == wanted.verdict
        same["verdict and record"] += (got.verdict, got.record) == (wanted.verdict, wanted.record)
        is_success = trace.ground_truth is not None and trace.ground_truth.outcome == "success"
        accused += is_success and got.verdict == "false_success"
        if options.show and got.verdict != wanted.verdict:
            why = [f"{one.claim_type}: {one.outcome}: {one.detail}" for one in got.claim_verdicts]
            print(f"{trace.trace_id}: {wanted.verdict} -> {got.verdict}: {why} {wanted.reasons[0].detail}")
    print(f"{len(traces)} traces, drafted in {spent:.2f} s CPU, {accused} labelled successes accused")
    for what, count in same.items():
        print(f"same {what}: {count} of {len(traces)} = {count / len(traces):.1%}")


if __name__ == "__main__":
    main()
