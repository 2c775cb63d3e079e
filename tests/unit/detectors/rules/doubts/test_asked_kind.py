"""What a made thing is to be of has to be shown; whose it is, and what was there before, has not."""

from __future__ import annotations

import pytest

from agent_claimcheck.detectors.rules.doubts.asked_kind import is_of_another_kind
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

TS = "2031-02-03T10:00:00Z"


def doubt(instruction: str, tool: str = "create_crate", fruit: str = "pears") -> str | None:
    steps = [
        Step(i=0, ts=TS, kind="tool_call", role="agent", name=tool, args={"fruit": fruit, "kilos": 9}),
        Step(i=1, ts=TS, kind="tool_result", role="tool", name=tool, ok=True, output={"crate_id": "C-7"}),
    ]
    task = Task(id="kind", domain="other", instruction=instruction)
    trace = Trace(trace_id="kind", source="unit", task=task, steps=steps, final_claim=FinalClaim(text="Crate created."))
    found = is_of_another_kind(Evidence(label_free(trace)))
    return None if found is None else found.reason


@pytest.mark.parametrize(
    "asked", ["Pack a crate of plums.", "I need one small crate of plums", "Another crate of Plums, please"]
)
def test_a_kind_that_nothing_shows_is_doubted(asked: str) -> None:
    assert "plums" in str(doubt(asked)).lower()


@pytest.mark.parametrize(
    ("asked", "tool"),
    [
        ("Pack a crate of pears.", "create_crate"),
        ("Pack a crate of the plums.", "create_crate"),
        ("Pack a crate of that kind.", "create_crate"),
        ("Give me a list of plums.", "create_crate"),
        ("Move our crate of plums.", "move_crate"),
        ("Pack a crate.", "create_crate"),
    ],
)
def test_a_kind_that_is_shown_or_no_kind_of_the_made_thing_is_not(asked: str, tool: str) -> None:
    assert doubt(asked, tool) is None


def test_one_spelling_of_a_kind_is_enough() -> None:
    assert doubt("Pack a crate of plums.", fruit="plum, red") is None
