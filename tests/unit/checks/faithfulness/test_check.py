"""The faithfulness check: layers, batches, scores, and what is never evidence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.faithfulness.ask import BATCH, EVIDENCE_LIMIT, evidence_text
from agent_claimcheck.checks.faithfulness.check import check_faithfulness
from agent_claimcheck.checks.faithfulness.statements import statements_of
from agent_claimcheck.checks.faithfulness.units import Piece
from agent_claimcheck.checks.run import Run


def run_of(answer: str, *outputs: str, **fields: Any) -> Run:
    steps = [{"tool_call": {"name": "look", "output": output}} for output in outputs]
    return Run(task="Tell me.", final_answer=answer, steps=steps, **fields)  # type: ignore[arg-type]


class Model:
    """Extracts the given statements and answers each with the next verdict; ``fail`` names a question that raises."""

    def __init__(self, statements: list[str], verdicts: list[str], fail: str = "") -> None:
        self.statements, self.verdicts, self.fail = statements, list(verdicts), fail
        self.asked: list[tuple[str, str, str]] = []

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        title = schema["title"]
        self.asked.append((title, system, user))
        if title == self.fail:
            raise ConnectionError("the line is down")
        if title == "extract_statements":
            return json.dumps({"statements": self.statements})
        taken, self.verdicts = self.verdicts[:BATCH], self.verdicts[BATCH:]
        rows = [{"number": n, "verdict": v, "reason": "so"} for n, v in enumerate(taken, start=1) if v != "none"]
        return json.dumps({"verdicts": rows})


def test_a_run_without_evidence_scores_nothing() -> None:
    report = check_faithfulness(run_of("The price is 5."), CheckRequest())

    assert (report.score, report.verdict) == (None, "review")
    assert [finding.verdict for finding in report.findings] == ["unverifiable"]


def test_an_empty_answer_has_no_findings_and_no_score() -> None:
    report = check_faithfulness(run_of(" ", '{"price": 5}'), CheckRequest())

    assert (report.findings, report.score, report.verdict) == ([], None, "pass")
    assert report.summary == "The run has no final answer, so there was nothing to check."


def test_a_contradiction_names_the_deciding_words_and_their_place() -> None:
    run = run_of("Order A-7 has a total of 12.50.", '{"order": "A-7", "total": 21.50}')

    finding = check_faithfulness(run, CheckRequest()).findings[0]

    assert (finding.verdict, finding.severity, finding.evidence, finding.step) == (
        "contradicted",
        "fail",
        "total: 21.5",
        0,
    )
    start, end = finding.metadata["evidence_start"], finding.metadata["evidence_end"]
    assert '{"order": "A-7", "total": 21.50}'[start:end] == "21.5"


def test_the_agents_own_arguments_are_no_evidence_but_accuse_nobody() -> None:
    call = {"name": "book", "arguments": {"seats": 4, "booking": "B-1"}, "output": '{"booking": "B-1", "seats": 2}'}
    run = Run(task="Book it.", final_answer="Booking B-1 has 4 seats.", steps=[{"tool_call": call}])  # type: ignore[list-item]

    assert check_faithfulness(run, CheckRequest()).findings[0].verdict == "unverifiable"


def test_a_value_the_user_gave_is_not_called_wrong() -> None:
    run = Run(
        task="My order A-7 cost 12.50, is that right?",
        final_answer="Order A-7 has a total of 12.50.",
        steps=[{"tool_call": {"name": "look", "output": '{"order": "A-7", "total": 21.50}'}}],  # type: ignore[list-item]
    )

    assert check_faithfulness(run, CheckRequest()).findings[0].verdict == "unverifiable"


def test_artifacts_are_evidence() -> None:
    run = run_of(
        "The report counts 14 visitors.", artifacts=[{"name": "r.txt", "text": "The report counts 14 visitors."}]
    )

    assert check_faithfulness(run, CheckRequest()).findings[0].verdict == "supported"


def test_a_name_alone_supports_nothing() -> None:
    run = run_of("Subscription S-9 was cancelled for good.", '{"id": "S-9", "kind": "monthly"}')

    assert check_faithfulness(run, CheckRequest()).findings[0].verdict == "unverifiable"


@pytest.mark.parametrize(
    "answer", ["Should I book it?", "I will book it.", "If you like, it costs 5.", "```\nprice = 5\n```"]
)
def test_questions_plans_and_code_are_no_statements(answer: str) -> None:
    assert statements_of(answer)[0] == []


def test_a_model_sees_statements_and_evidence_only() -> None:
    model = Model(["The price is 5."], ["supported"])
    run = run_of("The price is 5.", '{"price": 5}', system_prompt="secret role")

    report = check_faithfulness(run, CheckRequest(client=model))

    assert [title for title, _, _ in model.asked] == ["extract_statements", "verify_statements"]
    assert all("secret role" not in user and "Tell me." not in user for _, _, user in model.asked)
    assert (report.metadata["layer"], report.score, report.verdict) == ("model", 1.0, "pass")


def test_statements_go_out_in_batches_and_a_missing_verdict_is_unchecked() -> None:
    model = Model([f"Fact {n}." for n in range(BATCH + 2)], ["supported"] * BATCH + ["unsupported", "none"])

    report = check_faithfulness(run_of("Many facts.", "facts"), CheckRequest(client=model))

    assert [title for title, _, _ in model.asked].count("verify_statements") == 2
    assert [finding.verdict for finding in report.findings[-2:]] == ["unsupported", "unchecked"]
    assert report.score == BATCH / (BATCH + 1)


@pytest.mark.parametrize("question", ["extract_statements", "verify_statements"])
@pytest.mark.parametrize(
    ("price", "verdicts", "verdict"),
    [("5", ["supported", "unchecked"], "review"), ("6", ["contradicted", "unchecked"], "fail")],
)
def test_after_a_failed_call_the_offline_reading_stands_but_is_never_a_pass(
    question: str, price: str, verdicts: list[str], verdict: str
) -> None:
    model = Model(["The price of A-7 is 5."], ["supported"], fail=question)
    run = run_of("The price of A-7 is 5.", f'{{"order": "A-7", "price": {price}}}')

    report = check_faithfulness(run, CheckRequest(client=model))

    assert ([finding.verdict for finding in report.findings], report.verdict) == (verdicts, verdict)
    assert "the line is down" in report.findings[-1].reason
    assert report.summary.endswith("The model gave no answer; the offline reading stands.")
    assert (report.metadata["layer"], report.metadata["statements"]) == ("offline", 1)


def test_where_the_model_checked_a_part_the_offline_reading_fails_what_it_left_open() -> None:
    wrong = "The price of A-7 is 5."
    run = run_of(f"Fact. {wrong}", '{"order": "A-7", "price": 6}')

    left_open = check_faithfulness(run, CheckRequest(client=Model(["Fact.", wrong], ["supported", "none"])))
    settled = check_faithfulness(run, CheckRequest(client=Model([wrong, "Fact."], ["supported", "none"])))

    assert [finding.verdict for finding in left_open.findings] == ["supported", "unchecked", "contradicted"]
    assert (left_open.verdict, settled.verdict) == ("fail", "review")


def test_a_plan_is_asked_about_with_its_own_standard() -> None:
    model = Model(["Restart the server."], ["supported"])

    check_faithfulness(run_of("Restart the server.", "runbook"), CheckRequest(client=model, kind="plan"))

    assert "A plan says what is to be" in model.asked[1][1]


def test_long_evidence_is_cut_to_what_matters_and_says_so() -> None:
    filler = "nothing of interest here. " * 8_000
    text = filler + "The melting point of osmium is 3033 degrees. " + filler

    shown = evidence_text([Piece(text=text, step=0, subject="look", location="steps[0]")], ["Osmium melts at 3033."])

    assert "melting point of osmium" in shown
    assert "characters left out" in shown
    assert len(shown) < EVIDENCE_LIMIT + 2_000


def test_a_title_ends_no_statement() -> None:
    said = "Pip is booked with Dr. Amari at 10:00. Mr. Vogt pays approx. 40 euros. St. Mary's is told.\nWritten by the Dr.\nIt ends."
    assert [one.text for one in statements_of(said)[0]] == [
        "Pip is booked with Dr. Amari at 10:00.",
        "Mr. Vogt pays approx. 40 euros.",
        "St. Mary's is told.",
        "Written by the Dr.",
        "It ends.",
    ]


def test_an_answer_in_which_the_model_sees_no_statement_is_read_offline() -> None:
    model = Model([], [])
    report = check_faithfulness(run_of("The price is 7.", '{"price": 5}'), CheckRequest(client=model))

    assert ([f.verdict for f in report.findings], report.metadata["layer"]) == (["contradicted"], "offline")
    assert report.metadata["model"] == "the model listed no statement"
    assert check_faithfulness(run_of("Hello!", '{"price": 5}'), CheckRequest(client=model)).verdict == "pass"


def test_no_statement_can_pass_for_two_numbered_ones() -> None:
    model = Model(["The price is 5.\n2. The colour is red."], ["supported"])
    check_faithfulness(run_of("The price is 5.", '{"price": 5}'), CheckRequest(client=model))
    listed = model.asked[-1][2].partition("<statements>")[2].strip().splitlines()

    assert listed[0] == "1. The price is 5. 2. The colour is red."
