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


TARIFFS = '[{"tariff": "Lite", "monthly_eur": 9, "data_gb": 50}, {"tariff": "Plus", "monthly_eur": 19, "data_gb": 500}]'
LOANS = '[{"loan": "L-18", "status": "approved"}, {"loan": "L-19", "status": "pending"}]'


@pytest.mark.parametrize(
    ("evidence", "answer", "verdict"),
    [
        ('{"open_tickets": 21, "closed_tickets": 12}', "There are 12 open tickets.", "unverifiable"),
        ('{"open_tickets": 21, "closed_tickets": 12}', "There are 12 closed tickets.", "supported"),
        ('{"open_tickets": 21, "closed_tickets": 12}', "There are 21 open and 12 closed tickets.", "supported"),
        (TARIFFS, "The tariff costs 19 EUR monthly and includes 50 GB data.", "unverifiable"),
        (TARIFFS, "The tariff costs 19 EUR monthly and includes 500 GB data.", "supported"),
        (LOANS, "Loan L-18 is approved and loan L-19 is approved as well.", "unverifiable"),
        (LOANS, "Loan L-18 is approved and loan L-19 is still pending.", "supported"),
        ('{"may": 1240.5, "june": 990}', "You spent €1,240.50 in May.", "supported"),
    ],
)
def test_support_under_other_words_or_of_another_record_is_no_support(evidence: str, answer: str, verdict: str) -> None:
    run = Run(task="Tell me.", final_answer=answer, steps=[{"tool_call": {"name": "look", "output": evidence}}])  # type: ignore[list-item]
    assert [finding.verdict for finding in check_faithfulness(run).findings] == [verdict]


def test_a_reason_shows_a_number_without_the_little_word_behind_it() -> None:
    run = Run(
        task="How was it?",
        final_answer="The hall went down from 19.5 to 22.0 degrees.",
        steps=[{"tool_call": {"name": "look", "output": "08:00 19.5\n12:00 22.0"}}],  # type: ignore[list-item]
    )
    assert check_faithfulness(run).findings[0].reason == "It goes from 19.5 to 22.0 degrees."


def test_a_field_that_a_call_set_is_not_held_against_an_older_record() -> None:
    read = '{"payee": "Fernhill", "amount": 50, "recurring": false}'
    make = {"payee": "Fernhill", "amount": 50, "recurring": True}
    answer = "The payment of 50 to Fernhill is recurring."
    steps = [{"tool_call": {"name": "last_payment", "output": read}}]
    made = [*steps, {"tool_call": {"name": "schedule_payment", "arguments": make, "output": "scheduled"}}]

    def contradicted(calls: list[dict[str, object]]) -> bool:
        report = check_faithfulness(Run(task="Set it up.", final_answer=answer, steps=calls))  # type: ignore[arg-type]
        return "contradicted" in [finding.verdict for finding in report.findings]

    assert contradicted(steps)
    assert not contradicted(made)


PRS = '[{"n": 1, "author": "ana"}, {"n": 2, "author": "bo"}]'
COVERAGE = "TOTAL 1234 lines, 87.4% covered"


def _read(answer: str, output: str, tool: str = "look") -> tuple[str, str]:
    run = Run(task="Tell me.", final_answer=answer, steps=[{"tool_call": {"name": tool, "output": output}}])  # type: ignore[list-item]
    (finding,) = check_faithfulness(run).findings
    return finding.verdict, finding.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("There are 3 open PRs, by Ana and Bo.", "contradicted"),
        ("I found 4 PRs.", "contradicted"),
        ("There are 3 more PRs on the next page.", "unverifiable"),
        ("The next 3 PRs need review.", "unverifiable"),
        ("I went through 5 PRs over the last week.", "unverifiable"),
    ],
)
def test_more_members_than_the_list_of_that_tool_has(answer: str, verdict: str) -> None:
    assert _read(answer, PRS, "list_prs")[0] == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Coverage is at 92%.", "contradicted"),
        ("Coverage is 87%.", "supported"),
        ("Coverage is above 80%.", "unverifiable"),
        ("Coverage should reach 92%.", "unverifiable"),
        ("Coverage is 5% short of the goal of 92%.", "unverifiable"),
        ("Coverage dropped by 2%.", "unverifiable"),
        ("The goal is 90% coverage.", "unverifiable"),
        ("12.6% of the lines are not covered.", "unverifiable"),
        ("Coverage is not 92%.", "unverifiable"),
    ],
)
def test_a_bound_a_change_or_a_goal_is_no_value_of_the_field(answer: str, verdict: str) -> None:
    assert _read(answer, COVERAGE)[0] == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("The latest release is v1.4.3.", "contradicted"),
        ("The next release is v1.4.3.", "unverifiable"),
        ("Upgrade from v1.4.1 to this release.", "unverifiable"),
        ("Your version v1.3.0 is out of date.", "unverifiable"),
    ],
)
def test_another_version_than_the_tag(answer: str, verdict: str) -> None:
    assert _read(answer, '{"tag": "v1.4.2"}')[0] == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Paris is larger than Berlin.", "contradicted"),
        ("Berlin is larger than Paris.", "supported"),
        ("Paris is older than Berlin.", "unverifiable"),
        ("Paris is larger than Greater Berlin.", "unverifiable"),
    ],
)
def test_things_that_only_a_label_names_are_compared(answer: str, verdict: str) -> None:
    two = [
        {"tool_call": {"name": "look", "output": f"{city} population: {n}"}}
        for city, n in (("Paris", 2), ("Berlin", 3))
    ]
    run = Run(task="Which?", final_answer=answer, steps=two)  # type: ignore[arg-type]
    assert check_faithfulness(run).findings[0].verdict == verdict


def test_the_reason_names_the_part_that_is_missing() -> None:
    assert _read("Order A-7 costs 21.50 and weighs 3 kg.", '{"order": "A-7", "price": 21.5}') == (
        "unverifiable",
        "A part of it is not in the evidence: '3 kg'.",
    )


def test_a_value_that_bears_a_statement_out_is_shown_before_a_name() -> None:
    outputs = ("Paris is the capital and most populous city of France.", "Paris population (city proper): 2,103,000")
    steps = [{"tool_call": {"name": "look", "output": output}} for output in outputs]
    answer = "Paris is the capital of France with a population of about 2.1 million."
    (finding,) = check_faithfulness(Run(task="How many?", final_answer=answer, steps=steps)).findings  # type: ignore[arg-type]

    assert (finding.verdict, finding.evidence, finding.step) == ("supported", "2,103,000", 1)
