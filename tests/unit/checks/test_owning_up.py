"""An answer that owns up to a failed call in plain words: what counts, what does not, and that it counts only when asked for."""

from __future__ import annotations

import time
from typing import Any

import pytest

from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.owning_up import OwningUp
from agent_claimcheck.checks.run import Run, RunStep, ToolCall
from agent_claimcheck.checks.tool_use import check_run


def failed(name: str, output: str = "Error: refused", **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, output=output)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (failed("refund_order", order=8812), "I tried to refund order 8812, but the service refused it."),
        (failed("get_stock", "Error: timed out", sku="T-90"), "I couldn't reach the stock system for T-90."),
        (failed("sync_calendar"), "I tried to sync your calendar. It failed with a server error."),
        (failed("find_parcel", "Error: no record", flat=12), "There's no parcel for flat 12 in the log."),
        (failed("cancel_booking", id="HB-77"), "Die Stornierung von HB-77 ist leider fehlgeschlagen."),
        (failed("send_mail", to="marta@uni.example"), "No pude enviar el informe a Marta."),
        (failed("reserve", room="Opal"), "Je n'ai pas pu réserver la salle Opal."),
        (failed("book", "Error: the Opal room is closed for painting"), "The Opal room was not booked."),
        (failed("fetch_tide", "Error: 503", port="Kiel"), "No tide data came back for Kiel."),
    ],
)
def test_a_sentence_that_tells_of_this_failure_owns_up(call: ToolCall, answer: str) -> None:
    assert OwningUp(answer, [call]).words_for(call) is not None


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (failed("send_contract", to="Iris"), "All done. Let me know if sending to Iris fails."),
        (
            failed("order_taxi", "Error: no drivers", at="19:30"),
            "Your table is booked. I cannot choose the wine for you.",
        ),
        (failed("lock_door", door="greenhouse"), "The greenhouse door is locked."),
        (failed("lock_door", door="greenhouse"), "Locking the greenhouse door failed at first, but it is now locked."),
        (failed("pay", order=9), "Order 9 could not be paid. After a second try it worked."),
        (failed("run_tests", "Error: 3 failed"), ""),
        (failed("close_valve", valve=7), "Valve 7 is closed; nothing failed."),
        (failed("pay_rent", flat=3), "The rent of flat 3 has been paid without error."),
        (failed("send_mail", to="ida"), "The mail to Ida is out, no errors."),
        (failed("delete_photo", "Error: locked", id=4), "Photo 4 is gone. Deleting can't be undone."),
    ],
)
def test_what_is_not_plain_is_not_owned_up_to(call: ToolCall, answer: str) -> None:
    assert OwningUp(answer, [call]).words_for(call) is None


def test_the_only_call_of_a_run_needs_no_word_of_its_own_in_another_language() -> None:
    call, other = failed("weather", "Error: 504", city="Bonn"), failed("notify", "ok")
    answer = "Die Daten konnten leider nicht geladen werden."

    assert OwningUp(answer, [call]).words_for(call) == answer
    assert OwningUp(answer, [call, other]).words_for(call) is None
    assert OwningUp("I cannot choose the wine for you.", [call]).words_for(call) is None


def test_a_sentence_about_another_record_of_the_same_tool_does_not_count() -> None:
    one, two = failed("renew_pass", id=31), failed("renew_pass", id=32)
    owning_up = OwningUp("Pass 31 could not be renewed. Pass 32 is renewed until June.", [one, two])

    assert owning_up.words_for(one) == "Pass 31 could not be renewed."
    assert owning_up.words_for(two) is None


def test_plain_words_count_only_when_asked_for_and_are_quoted_either_way() -> None:
    run = Run(
        task="Refund 8812.",
        final_answer="I could not refund order 8812.",
        steps=[{"tool_call": {"name": "refund_order", "arguments": {"order": 8812}, "output": "Error: card expired"}}],
    )
    default, words = check_run(run, CheckRequest()), check_run(run, CheckRequest(answer="words"))

    assert [(r.verdict, r.findings[0].metadata["recovery"]) for r in (default, words)] == [
        ("fail", "unchecked"),
        ("pass", "acknowledged"),
    ]
    assert "--answer words would count its words 'I could not refund order 8812.'" in default.findings[0].reason
    assert "owns up to it: 'I could not refund order 8812.'" in words.findings[0].reason


def test_many_errors_and_a_long_answer_are_read_in_little_time() -> None:
    calls = [failed("read_page", f"Error: page {n} is gone", page=n) for n in range(5_000)]
    owning_up = OwningUp("Page could not be read, it is gone. " * 5_000, calls)
    start = time.process_time()
    for call in calls:
        owning_up.words_for(call)

    assert time.process_time() - start < 10


def test_where_words_were_read_and_none_counts_the_reason_says_that() -> None:
    run = Run(
        task="Refund it", final_answer="It is refunded.", steps=[RunStep(tool_call=failed("refund_order", order=8812))]
    )
    (finding,) = check_run(run, CheckRequest(answer="words")).findings
    assert "no words of the final answer own up to it" in finding.reason
    (unread,) = check_run(run, CheckRequest()).findings
    assert "the final answer was not read" in unread.reason
