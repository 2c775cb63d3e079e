"""How many verdicts change when the same run is written down otherwise: its messages, its outputs, its arguments.

    python benchmarks/dresses.py --data DIR [--detector cascade-offline]

DIR holds ``*.jsonl*`` of labelled agent-trace. Each run is checked as it is and once in each dress. A dress changes no word
of what was said, asked or returned, so no verdict should change. Columns: verdicts changed; claims no longer found
(``skipped`` now); successes newly accused; ``verified`` no longer given.
"""

from __future__ import annotations

import argparse
import html
import json
import textwrap
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

import piped
from agent_claimcheck import Checker, Trace, load_traces
from agent_claimcheck.trace.model import Step
from data_argument import RUNS, add_runs


def said(change: Callable[[str], str]) -> Callable[[Trace], Trace]:
    """Return what puts every message of the agent through ``change``."""

    def dress(trace: Trace) -> Trace:
        steps = [replace(step, content=change(step.content)) if _is_said(step) else step for step in trace.steps]
        final = trace.final_claim
        claims = [replace(claim, quote=None) for claim in final.claims]
        return replace(
            trace,
            steps=steps,
            final_claim=replace(final, text=change(final.text) if final.text else None, claims=claims),
        )

    return dress


def _is_said(step: Step) -> bool:
    return step.kind == "message" and step.role == "agent" and bool(step.content)


def returned(change: Callable[[Any], Any]) -> Callable[[Trace], Trace]:
    """Return what puts every object or list that a tool returned through ``change``."""

    def dress(trace: Trace) -> Trace:
        steps = [
            replace(step, output=change(step.output))
            if step.kind == "tool_result" and isinstance(step.output, dict | list)
            else step
            for step in trace.steps
        ]
        return replace(trace, steps=steps)

    return dress


def called(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Trace], Trace]:
    """Return what puts the arguments of every call through ``change``."""

    def dress(trace: Trace) -> Trace:
        steps = [replace(step, args=change(step.args)) if step.args else step for step in trace.steps]
        return replace(trace, steps=steps)

    return dress


def wrapped(text: str) -> str:
    """Return ``text`` in lines of 72 characters."""
    return "\n".join("\n".join(textwrap.wrap(line, 72)) or line for line in text.split("\n"))


DRESSES: dict[str, Callable[[Trace], Trace]] = {
    "terminal colours": said(lambda text: f"\x1b[32m{text}\x1b[0m"),
    "HTML entities": said(lambda text: html.escape(text)),
    "a label": said(lambda text: f"Assistant: {text}"),
    "a quotation": said(lambda text: "\n".join(f"> {line}" for line in text.split("\n"))),
    "a fence": said(lambda text: f"```text\n{text}\n```"),
    "JSON": said(lambda text: json.dumps({"response": text})),
    "JSON in a fence": said(lambda text: f"```json\n{json.dumps({'response': text}, indent=2)}\n```"),
    "lines of 72": said(wrapped),
    "bold": said(lambda text: "\n".join(f"**{line}**" if line.strip() else line for line in text.split("\n"))),
    "outputs: JSON in a text": returned(json.dumps),
    "outputs: text blocks": returned(lambda output: [{"type": "text", "text": json.dumps(output)}]),
    "outputs: a fence": returned(lambda output: f"```json\n{json.dumps(output, indent=2)}\n```"),
    "outputs: Result: ...": returned(lambda output: f"Result: {json.dumps(output)}"),
    "outputs: Python's repr": returned(repr),
    "arguments: in params": called(lambda args: {"params": args}),
    "arguments: JSON in input": called(lambda args: {"input": json.dumps(args)}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_runs(parser)
    parser.add_argument("--detector", default="cascade-offline", help="which detector (default: cascade-offline)")
    options = parser.parse_args()
    checker = Checker(options.detector)
    counts: dict[str, Counter[str]] = {name: Counter() for name in DRESSES}
    runs = 0
    for file in sorted(options.data.glob(RUNS)):
        for trace in load_traces(str(file)):
            if trace.ground_truth is None:
                continue
            runs += 1
            before = checker.check_one(trace).verdict
            for name, dress in DRESSES.items():
                count_change(counts[name], before, checker.check_one(dress(trace)).verdict, trace)
    print(f"{runs} runs\n{'dress':26} changed  skipped  accused  unverified")
    for name, count in counts.items():
        print(f"{name:26} {count['changed']:7} {count['skipped']:8} {count['accused']:8} {count['unverified']:11}")


def count_change(count: Counter[str], before: str, after: str, trace: Trace) -> None:
    """Count in ``count`` what became of one verdict."""
    if before == after:
        return
    count["changed"] += 1
    count["skipped"] += after == "skipped"
    is_success = trace.ground_truth is not None and trace.ground_truth.outcome == "success"
    count["accused"] += after == "false_success" and is_success
    count["unverified"] += before == "verified"


if __name__ == "__main__":
    piped.run(main)
