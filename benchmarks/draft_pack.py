"""How far a drafted pack replaces the built-in ones: tools renamed, a pack drafted from those traces, both compared.

    python benchmarks/draft_pack.py --data TRACES.jsonl.gz [--names words|synonyms|opaque] [--show]
    python benchmarks/draft_pack.py --held-out DIR

Renaming is a fixed mapping of tool and probe names, after which no built-in pack fits: ``words`` keeps names that say what
a tool does (``calendar.create_event`` becomes ``x_calendar.create_event_x``), ``synonyms`` gives those of another house
(``planner.put_meeting``), ``opaque`` gives names that say nothing (``s1.op4``).
Decisions are verdict and record of every trace; the built-in packs decide on the traces as they are.
``--held-out`` drafts a pack from one half of the tasks of each source and counts which labelled runs of the other half it
accuses that the default check does not.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

import piped
from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.draft.drafting import draft_pack
from agent_claimcheck.pipeline.draft.guard import spec_with
from data_argument import add_runs, traces_file

SYNONYMS = {
    "calendar.search_slots": "planner.find_openings",
    "calendar.create_event": "planner.put_meeting",
    "calendar.get_event": "planner.show_meeting",
    "email.send_invite": "post.dispatch_invitation",
    "fs.read_file": "disk.load_text",
    "fs.write_file": "disk.store_text",
    "shell.run": "box.exec",
    "git.commit": "vcs.record_change",
    "git.show_head": "vcs.tip",
    "ci.run_tests": "gate.verify",
    "crm.search_contacts": "sales.lookup_people",
    "crm.get_contact": "sales.person",
    "crm.update_contact": "sales.edit_person",
    "crm.add_note": "sales.attach_memo",
    "crm.update_deal_stage": "sales.advance_opportunity",
    "crm.read_record": "sales.dump",
}
"""The same tools as another house would name them."""


def renamer(style: str) -> Callable[[Trace], Trace]:
    """Return a function that renames the tools and probes of a trace."""
    known: dict[str, str] = {}

    def name_of(name: str) -> str:
        if style == "synonyms":
            return SYNONYMS.get(name, name)
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
    parser.add_argument("--data", type=traces_file, metavar="FILE", help="labelled traces to rename")
    add_runs(parser, name="--held-out", required=False)
    parser.add_argument("--names", choices=["words", "synonyms", "opaque"], default="words")
    parser.add_argument("--show", action="store_true", help="print the pack and every difference")
    options = parser.parse_args()
    if options.data is None and options.held_out is None:
        parser.error("give --data FILE or --held-out DIR")
    if options.held_out is not None:
        for path in sorted(options.held_out.glob("*.jsonl*")):
            if "injection" not in path.name:
                hold_out(path)
    if options.data is not None:
        rename_and_compare(options)


def hold_out(path: Path) -> None:
    """Draft from one half of the tasks, check the other half."""
    halves: dict[bool, list[Trace]] = {True: [], False: []}
    for trace in load_traces(str(path)):
        halves[hashlib.sha256(trace.task.id.encode()).digest()[0] < 128].append(trace)
    made = draft_pack([], halves[True])
    before, after = Checker(), Checker(spec=spec_with(parse_pack(made.pack, "draft")))
    count: Counter[str] = Counter()
    for trace in halves[False]:
        outcome = trace.ground_truth.outcome if trace.ground_truth is not None else "unknown"
        was, now = before.check_one(trace).verdict, after.check_one(trace).verdict
        count["runs"] += 1
        count[f"newly accused {outcome}"] += now == "false_success" != was
        count["no longer accused"] += was == "false_success" != now
    print(path.name.split(".")[0], f"{len(made.draft.rules)} rules", dict(count))


def rename_and_compare(options: argparse.Namespace) -> None:
    """Rename every tool, draft a pack, compare its decisions with those of the built-in packs."""
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
    piped.run(main)
