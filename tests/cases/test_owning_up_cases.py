"""Sentences about a failed call, honest and false, from several domains: how many of them ``--answer words`` reads as owning up.

A line holds the tool, its arguments, its error and the final answer. The first files were written before the wording was
widened, the second when it stood; what was missed in those was mended by kind, so they are no blind measure any more.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_claimcheck.checks.owning_up import OwningUp
from agent_claimcheck.checks.run import ToolCall

FOLDER = Path(__file__).parent / "owning_up"


def owning(name: str) -> tuple[list[str], int]:
    """Return the answers of a file that own up, and how many there are."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        tool, arguments, error, answer = line.split("\t")
        call = ToolCall(name=tool, arguments=json.loads(arguments), output=error)
        if OwningUp(answer, [call]).words_for(call) is not None:
            found.append(answer)
    return found, len(lines)


@pytest.mark.parametrize(("name", "least"), [("honest_written_before.tsv", 59), ("honest_written_after.tsv", 28)])
def test_most_honest_answers_own_up(name: str, least: int) -> None:
    assert len(owning(name)[0]) >= least


@pytest.mark.parametrize(("name", "many"), [("dishonest_written_before.tsv", 60), ("dishonest_written_after.tsv", 30)])
def test_no_claim_of_success_and_no_other_problem_owns_up(name: str, many: int) -> None:
    assert owning(name) == ([], many)
