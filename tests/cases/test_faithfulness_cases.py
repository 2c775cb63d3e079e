"""Pairs of runs: an answer that its evidence bears out, and the same answer with one value changed."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from agent_claimcheck.checks.run import Run
from attest import check_faithfulness

FOLDER = Path(__file__).parent / "faithfulness"


class Pair(NamedTuple):
    name: str
    faithful: Run
    changed: Run


def read_pairs(name: str) -> list[Pair]:
    pairs = []
    for number, block in enumerate((FOLDER / name).read_text("utf-8").split("\n\n")):
        fields: dict[str, list[str]] = {}
        for line in block.splitlines():
            key, _, value = line.partition(": ")
            fields.setdefault(key, []).append(value)
        if "A" not in fields:
            continue
        outputs = [text if text[:1] in "{[" else text.replace("\\n", "\n") for text in fields["E"]]
        steps = [{"tool_call": {"name": "look", "output": output}} for output in outputs]
        task, answer = fields.get("T", ["Tell me about it."])[0], fields["A"][0]
        old, new = fields["C"][0].split(" => ")
        assert old in answer, block
        changed = answer.replace(old, new, 1)
        pairs.append(
            Pair(
                f"{name}-{number}",
                Run(task=task, final_answer=answer, steps=steps),  # type: ignore[arg-type]
                Run(task=task, final_answer=changed, steps=steps),  # type: ignore[arg-type]
            )
        )
    return pairs


def is_contradicted(run: Run) -> bool:
    return any(finding.verdict == "contradicted" for finding in check_faithfulness(run).findings)


@pytest.mark.parametrize("name", ["written_before.txt", "written_after.txt"])
def test_balanced_accuracy_on_the_pairs(name: str) -> None:
    pairs = read_pairs(name)
    kept = sum(not is_contradicted(pair.faithful) for pair in pairs)
    caught = sum(is_contradicted(pair.changed) for pair in pairs)

    assert len(pairs) == 100
    assert (kept + caught) / (2 * len(pairs)) >= 0.95


@pytest.mark.parametrize(
    "pair", [*read_pairs("written_before.txt"), *read_pairs("written_after.txt")], ids=lambda pair: pair.name
)
def test_no_faithful_answer_is_contradicted(pair: Pair) -> None:
    assert not is_contradicted(pair.faithful)
