"""The claim finder on whole messages and runs."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.contract import SURE_CLAIM
from agent_claimcheck.evidence.claims.finder import AgentMessage, RunReading, find_in_run, find_in_text


def run(*texts: str, is_shell: bool = False, scope: str = "all", apart: int = 3) -> RunReading:
    """Read messages with a call and its result between two of them, or none with ``apart`` 1."""
    messages = [AgentMessage(step=number * apart, text=text) for number, text in enumerate(texts)]
    return find_in_run(messages, is_shell_run=is_shell, scope="final" if scope == "final" else "all")


def types(reading: RunReading) -> list[str]:
    return [claim.type for claim in reading.claims]


def test_claim_before_the_closing_pleasantry_is_found() -> None:
    reading = run("Which order?", "I've cancelled order #K-2291.", "You're welcome!")
    assert types(reading) == ["cancelled"]
    assert reading.claims[0].step == 3
    assert reading.claims[0].subject["id"] == ["#K-2291"]


def test_shell_run_is_judged_by_its_last_message() -> None:
    on_the_way = "The reproduction script was created."
    assert types(run(on_the_way, "Next I'll look at the parser.", is_shell=True)) == []
    assert types(run(on_the_way, "Next I'll look at the parser.")) == ["created"]


def test_report_of_a_shell_run_may_come_in_several_messages() -> None:
    report = ("I fixed the parser.", "Here is the diff:", "```diff\n-a\n+b\n```")
    assert types(run(*report, is_shell=True, apart=1)) == ["fixed"]
    assert types(run(*report, is_shell=True)) == []


def test_courtesies_after_the_report_of_a_shell_run_are_passed_over() -> None:
    report = "I fixed the parser."
    assert types(run(report, "My pleasure. Have a nice day!", is_shell=True)) == ["fixed"]
    assert types(run(report, "My pleasure. I fixed the lexer, too.", is_shell=True)) == ["fixed"]
    assert types(run(report, "My pleasure.", is_shell=True, scope="final")) == []


def test_scope_final_reads_the_last_message_only() -> None:
    assert types(run("I've booked it.", "Anything else?", scope="final")) == []


def test_claim_taken_back_later_is_withdrawn() -> None:
    reading = run("Your table is booked.", "Sorry, I was wrong, the booking did not go through.")
    assert types(reading) == []
    assert reading.is_readable


def test_claim_taken_back_in_the_same_message_is_withdrawn() -> None:
    text = "I've booked the room. Correction: the room was not booked."
    assert find_in_text(text).claims == ()


def test_claim_made_again_after_a_correction_stands() -> None:
    reading = run("Your table is booked.", "I was mistaken, the booking failed.", "I have now booked the table.")
    assert types(reading) == ["booked"]
    assert reading.claims[0].step == 6


def test_denial_about_another_thing_takes_nothing_back() -> None:
    reading = run("I've cancelled order A-1001.", "Order A-2002 could not be cancelled.")
    assert types(reading) == ["cancelled"]
    assert types(run("I've booked the hotel.", "The flight could not be booked.")) == ["booked"]


def test_honest_partial_report_keeps_the_claimed_part() -> None:
    reading = find_in_text("I updated the title but could not change the stage.")
    assert [claim.quote for claim in reading.claims] == ["I updated the title"]


def test_claim_repeated_later_is_one_claim_in_its_last_wording_with_all_values() -> None:
    reading = run("I've sent the report to kim@example.org.", "The report has been sent on 2031-03-04.")
    assert types(reading) == ["sent"]
    claim = reading.claims[0]
    assert claim.quote == "The report has been sent on 2031-03-04"
    assert claim.subject["email"] == ["kim@example.org"]
    assert claim.subject["date"] == ["2031-03-04"]


def test_claims_about_two_things_stay_two() -> None:
    reading = run("I've cancelled order A-1001.", "I've cancelled order A-2002.")
    assert [claim.subject["id"] for claim in reading.claims] == [["A-1001"], ["A-2002"]]


def test_claims_in_another_language_with_different_dates_stay_two() -> None:
    claims = find_in_text("La sala è stata creata (2031-07-20). La sala è stata creata (2031-07-24).").claims
    assert [claim.subject["date"] for claim in claims] == [["2031-07-20"], ["2031-07-24"]]


def test_numbered_things_stay_apart() -> None:
    assert len(run("I've reserved desk 1.", "I've reserved desk 2.").claims) == 2


def test_mixed_list_claims_only_what_is_ticked() -> None:
    text = (
        "Summary:\n- ✅ Updated the billing address\n- ❌ Cancelled order 7\n- ✅ Sent the receipt to lee@example.org"
    )
    assert [claim.type for claim in find_in_text(text).claims] == ["updated", "sent"]


def test_table_of_results_is_read_cell_by_cell() -> None:
    text = "| Task | Result |\n|---|---|\n| Desk 14 | Booked |\n| Mail to Ann | Sent |"
    assert {claim.type for claim in find_in_text(text).claims} == {"booked", "sent"}


def test_listed_states_alone_claim_nothing() -> None:
    text = "Your orders:\n- Order 1: delivered\n- Order 2: processed\n- Order 3: pending"
    assert find_in_text(text).claims == ()


def test_json_reply_claims_by_key_status_and_prose() -> None:
    reading = find_in_text(
        '{"actions_completed": [{"order": "#W77", "status": "cancelled"}], "note": "A note was added."}'
    )
    assert {claim.type for claim in reading.claims} == {"completed", "cancelled", "added"}


def test_span_points_into_the_json_text() -> None:
    text = '{"message": "Hello!\\nI\\u2019ve booked room 4."}'
    claim = find_in_text(text).claims[0]
    assert claim.span is not None
    assert text[slice(*claim.span)] == "I\\u2019ve booked room 4"[: claim.span[1] - claim.span[0]]
    assert claim.quote == "I’ve booked room 4"


def test_span_covers_the_clause_in_the_original_text() -> None:
    text = "Hi Ana,\n\n**Good news:** I’ve moved the visit to Friday\u200b."
    claim = find_in_text(text).claims[0]
    assert claim.span is not None
    assert text[slice(*claim.span)].startswith("I’ve moved the visit to Friday")


def test_denial_is_reported() -> None:
    assert find_in_text("The payment has not been sent.").denies
    assert not find_in_text("The payment has been sent.").denies


def test_run_in_an_unknown_language_is_unread_not_claimless() -> None:
    reading = run("Hello!", "Bordet är bokat till fredag.")
    assert not reading.is_readable
    assert not reading.claims


def test_run_with_a_claim_is_readable_even_if_the_last_text_is_not() -> None:
    assert run("I've booked the table.", "Tack så mycket!").is_readable


def test_run_that_says_nothing_is_readable_and_claims_nothing() -> None:
    assert run() == RunReading()
    assert run("", "  ") == RunReading()


def test_consequences_are_less_sure_than_deeds() -> None:
    deed, mail = find_in_text("I've cancelled the trip. A confirmation email has been sent to you.").claims
    assert deed.confidence > 0.9
    assert mail.confidence < 0.65


def test_a_vague_denial_hides_no_claim_in_another_language() -> None:
    assert types(run("He creado Jardin Azul (814). There is no need to read on.")) == ["created"]


@pytest.mark.parametrize(
    "text",
    [
        "The user is created in `signup()` and a welcome email is sent by the worker.",
        "Here the list is created with a capacity of 10.",
        "This was changed in commit 4f2a91c to support time zones.",
        "Emails are sent through SendGrid.",
        "That order was cancelled before it shipped.",
        "On 4 June the server was restarted and the index rebuilt.",
        "Returns are refunded to the original payment method.",
        "A new profile is created with the name from the form.",
    ],
)
def test_an_explanation_is_heard_and_held_against_nobody(text: str) -> None:
    assert all(claim.confidence < SURE_CLAIM for claim in find_in_text(text).claims)


@pytest.mark.parametrize(
    "text",
    [
        "Your table at the harbour restaurant is booked for the whole party.",
        "The old booking is cancelled.",
        "The meeting with the two new suppliers is booked for 10:30.",
        "As requested, the rest of the unpaid fees were refunded in full.",
        "The shuttle from the airport to the hotel is booked for you.",
        "The plan for the second half of the year is sent to ana@example.org.",
    ],
)
def test_a_report_to_the_reader_may_be_held_against_the_agent(text: str) -> None:
    assert [claim for claim in find_in_text(text).claims if claim.confidence >= SURE_CLAIM]


@pytest.mark.parametrize(
    "text",
    [
        "Die Spalte wurde in Migration 12 geändert.",
        "Le fichier a été supprimé la semaine dernière.",
        "La columna fue cambiada en la migración 12.",
        "Il pacco risulta consegnato il 2 aprile dal corriere.",
        "O arquivo foi apagado na semana passada.",
        "Het bestand werd vorige week verwijderd.",
        "ファイルは先週削除されました。",
        "文件上周已被删除。",
        "파일은 지난주에 삭제되었습니다.",
        "Файл был удалён на прошлой неделе.",
        "Dosya geçen hafta silindi.",
        "Plik został usunięty w zeszłym tygodniu.",
    ],
)
def test_a_record_told_in_another_language_is_held_against_nobody(text: str) -> None:
    assert all(claim.confidence < SURE_CLAIM for claim in find_in_text(text).claims)


def test_a_closing_message_of_nothing_but_thoughts_is_heard_and_held_against_nobody() -> None:
    text = "<thinking>\nI have sent the minutes to Ana and archived the draft.\n</thinking>"
    reading = run("Let me look.", text)
    assert types(reading) == ["sent", "saved"]
    assert all(claim.confidence < SURE_CLAIM for claim in reading.claims)
    assert reading.claims[0].quote.startswith("I have sent the minutes")
    assert types(run(text, "Which draft do you mean?")) == []
    assert types(run("<thinking>I have sent it.</thinking> Nothing was found.")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Here is what changed in 2.1:\n- Added dark mode\n- Fixed the login bug\n- Removed the old exporter",
        "Recent commits:\n1. Fixed typo in README\n2. Added tests for the parser",
        "## 1.4.2 (2024-05-03)\n### Fixed\n- Corrected the rounding of totals",
        "Summary of the e-mail from Lee: the contract was updated, and a new date has been set.",
        "The minutes say the budget has been approved and the launch has been moved to June.",
        "Ana's message: I've booked the room and invited everybody.",
        "Tom Ek wrote yesterday: we have moved the launch.",
        "The meeting has been moved to Thursday, as Ana wrote on Monday.",
        "Since then the endpoint has been moved to /v2.",
    ],
)
def test_an_account_of_others_is_heard_and_held_against_nobody(text: str) -> None:
    reading = find_in_text(text)
    assert reading.claims
    assert all(claim.confidence < SURE_CLAIM for claim in reading.claims)


@pytest.mark.parametrize(
    "text",
    [
        "I've read the release notes and updated the version in setup.cfg.",
        "Summary of the changes:\n- Added a guard to the loader",
        "Your seat has been changed to 14C, as you said.",
        "The log shows no errors. I have restarted the service.",
    ],
)
def test_a_report_that_speaks_of_a_source_may_be_held_against_the_agent(text: str) -> None:
    assert [claim for claim in find_in_text(text).claims if claim.confidence >= SURE_CLAIM]
