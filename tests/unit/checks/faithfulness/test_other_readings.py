"""A value that only looks like another one contradicts nothing: short forms, labels, units, ranges, totals, titles."""

from __future__ import annotations

import pytest

from agent_claimcheck.checks.run import Run
from attest import check_faithfulness

PASS = '{"pass": "FP-88", "origin": "OSL", "holder": "NILSEN", "days_left": 13, "zone": "F2_inner", "fare": 210.5}'
PAGE = "Ferry help\nSelect Contact to write to us. Boats leave hourly. The Office issues tickets at Pier Four."


@pytest.mark.parametrize(
    ("evidence", "answer"),
    [
        (PASS, "Pass FP-88 has the origin Oslo Airport (OSL)."),
        (PASS, "Pass FP-88 has 13 days left."),
        (PASS, "Pass FP-88 is good for zone F-2."),
        (PASS, "Pass FP-88 is valid June 16–30, and its days are counted."),
        (PASS, "For pass FP-88 the total fare of both trips was 421.00."),
        (PAGE, "Ferry help: Select **Open Tickets** on the page."),
        (PAGE, "Boats leave hourly, see [Harbour Guide and Ferry help](https://x.example.test/help)."),
        (PAGE, 'I added an event called "Write to Ferry help at Pier Four" for you.'),
        ('{"course": "K-9", "credits_currently_counted": false}', "Course K-9 is full and its credits do **not** currently count."),
        ('{"account": "A-4", "balance": -12.44}', "Account A-4, balance: –$12.44."),
        (
            '[{"order": "R-1", "kind": "refund", "amount": 40.25}, {"order": "R-2", "kind": "payment", "amount": 99.0}]',
            "For order R-2:\n- Lamp $61.10\n- Rug $75.15\n- Amount of the refund: $136.25",
        ),
    ],
)  # fmt: skip
def test_nothing_is_contradicted(evidence: str, answer: str) -> None:
    run = Run(task="Tell me.", final_answer=answer, steps=[{"tool_call": {"name": "look", "output": evidence}}])  # type: ignore[list-item]
    assert [f.reason for f in check_faithfulness(run).findings if f.verdict == "contradicted"] == []


@pytest.mark.parametrize(
    "answer",
    [
        "Pass FP-88 has 14 days left.",
        "Pass FP-88 is good for the holder OLSEN.",
        "The fare of pass FP-88 is 310.50.",
    ],
)
def test_another_value_of_the_field_still_is(answer: str) -> None:
    run = Run(task="Tell me.", final_answer=answer, steps=[{"tool_call": {"name": "look", "output": PASS}}])  # type: ignore[list-item]
    assert any(finding.verdict == "contradicted" for finding in check_faithfulness(run).findings)
