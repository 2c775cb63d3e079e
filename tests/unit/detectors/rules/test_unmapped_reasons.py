"""What is said of a claim that no pack maps names the call, the status and the values that the record shows."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck import Checker, Trace
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.model import FinalClaim, Step, Task

Call = tuple[str, dict[str, Any], dict[str, Any]]


def checked(asked: str, said: str, *calls: Call) -> CheckResult:
    steps: list[Step] = []
    for name, args, output in calls:
        at = len(steps)
        ts = f"2026-09-14T08:00:{at:02d}Z"
        steps += [
            Step(i=at, ts=ts, kind="tool_call", role="agent", name=name, args=args),
            Step(i=at + 1, ts=ts, kind="tool_result", role="tool", name=name, output=output),
        ]
    task = Task(id="t", domain="other", instruction=asked)
    trace = Trace(trace_id="t", source="s", task=task, steps=steps, final_claim=FinalClaim(text=said))
    return Checker("rules").check_one(trace)


def test_a_call_that_was_only_accepted_is_told_with_its_own_status() -> None:
    ordered: Call = ("order_seed", {"sku": "oats", "sacks": 3}, {"order_id": "S-4", "status": "accepted"})
    result = checked("Order three sacks of oats.", "I ordered three sacks of oats.", ordered)
    assert result.record == "undecided"
    assert result.reasons[0].detail == "order_seed is not known to have finished: status: accepted"


def test_a_message_is_judged_by_the_call_that_sends_it_not_by_the_one_before() -> None:
    bill: Call = ("issue_bill", {"visit": "V-8", "total": 120}, {"bill_id": "B-6", "status": "created"})
    mail: Call = ("send_email", {"to": "tam@marsh.example", "subject": "Your bill"}, {"id": "m-1", "status": "queued"})
    result = checked("Bill visit V-8 and send it.", "The bill B-6 has been issued and sent to the owner.", bill, mail)
    sent = next(verdict for verdict in result.claim_verdicts if verdict.claim_type == "sent")
    assert sent.detail == "send_email is not known to have finished: status: queued"
    assert sent.steps == (2, 3)


@pytest.mark.parametrize(("tool", "field"), [("update_owner", "updated"), ("delete_owner", "deleted")])
def test_a_result_that_tells_the_deed_of_its_tool_says_that_it_worked(tool: str, field: str) -> None:
    said = f"I have {field} owner O-77."
    told = checked("Please see to owner O-77.", said, (tool, {"owner_id": "O-77"}, {"owner_id": "O-77", field: True}))
    silent = checked("Please see to owner O-77.", said, (tool, {"owner_id": "O-77"}, {"owner_id": "O-77"}))
    assert (told.record, silent.record) == ("supported", "undecided")


REFUND = ("refund_bill", {"bill_id": "B-55", "amount": 46.0}, {"refund_id": "R-1", "status": "refunded"})


def test_another_amount_than_the_call_carries_is_not_supported() -> None:
    result = checked("Refund bill B-55.", "I have refunded £64.00 for bill B-55.", REFUND)
    assert (result.verdict, result.record) == ("unverifiable", "undecided")
    assert result.reasons[0].detail == "the claim says £64.00, refund_bill wrote amount 46"


@pytest.mark.parametrize(
    ("said", "amount", "returned"),
    [
        ("£46.00", 46.0, {}),
        ("£46", "46.00", {}),
        ("$46.00", 4600, {}),  # in cents
        ("1.200 EUR", 1200, {}),  # a point for thousands
        ("£92", 46, {}),  # two of them
        ("£64.00", 46.0, {"refunded": 64.0}),  # the service paid another sum, and the agent says which
    ],
)
def test_an_amount_that_may_be_the_same_stays_supported(said: str, amount: Any, returned: dict[str, Any]) -> None:
    name, args, output = REFUND
    call = (name, {**args, "amount": amount}, {**output, **returned})
    assert checked("Refund bill B-55.", f"I have refunded {said} for bill B-55.", call).record == "supported"


def test_two_calls_of_the_kind_or_no_amount_are_not_compared() -> None:
    name, _, output = REFUND
    twice = checked(
        "Refund both.", "I have refunded £64.00.", REFUND, (name, {"bill_id": "B-56", "amount": 18}, output)
    )
    without = checked("Refund bill B-55.", "I have refunded £64.00.", (name, {"bill_id": "B-55", "line": 3}, output))
    assert "the claim says" not in twice.reasons[0].detail + without.reasons[0].detail


def test_another_day_than_the_request_names_is_told() -> None:
    def booked(at: str) -> CheckResult:
        call: Call = ("book_visit", {"pet": "P-118", "at": at}, {"visit_id": "V-1", "status": "booked"})
        asked = "Book Pip (P-118) on 2026-09-23 at 09:00."
        return checked(asked, f"I've booked Pip for {at[8:10]} September at 09:00.", call)

    other = booked("2026-09-24T09:00")
    assert other.record == "supported"
    assert other.reasons[0].detail.endswith("; the request names 2026-09-23T09:00, the call wrote 2026-09-24T09:00")
    for same in ("2026-09-23T09:00", "2026-09-23 09:00:00", "2026-09-23T09:00:00.000"):
        assert "the request names" not in booked(same).reasons[0].detail


def test_ids_are_told_as_they_are_spelt() -> None:
    deleted: Call = ("delete_pet", {"pet_id": "P-998"}, {"deleted": True, "pet_id": "P-998"})
    result = checked("Delete the duplicate P-999.", "I deleted the duplicate record P-999.", deleted)
    assert result.verdict == "false_success"
    assert result.reasons[0].detail == "the claim names P-999, the calls wrote P-998"


def test_a_run_without_calls_is_settled_by_its_calls_not_by_a_pack() -> None:
    result = checked("Book Pip on Friday.", "I've booked Pip on Friday.")
    (verdict,) = result.claim_verdicts
    assert verdict.detail == "no tool call was recorded"
    assert verdict.settle is not None and verdict.settle.startswith("an export that holds the tool calls of this run")


@pytest.mark.parametrize(
    ("minutes", "returned", "record"), [(10, {}, "undecided"), (20, {}, "supported"), (10, {"ran": 20}, "supported")]
)
def test_another_number_of_minutes_than_the_call_carries_is_not_supported(
    minutes: int, returned: dict[str, Any], record: str
) -> None:
    call: Call = ("book_room", {"room": 8, "minutes": minutes}, {"booking": "K-2", "status": "booked", **returned})
    result = checked("Book room 8 for 20 minutes.", "I've booked room 8 for 20 minutes.", call)
    assert (result.verdict, result.record) == ("unverifiable", record)
    told = "the closing text says 20 minutes, book_room wrote minutes 10"
    assert (result.reasons[0].detail == told) is (record == "undecided")


def test_a_call_of_another_kind_only_may_have_done_it() -> None:
    call: Call = ("pay_bill", {"bill": "B-9", "total": 300}, {"bill": "B-9", "status": "paid"})
    result = checked("See to bill B-9.", "Bill B-9 has been cancelled.", call)
    assert result.reasons[0].detail.startswith("pay_bill succeeded and may have done it; ")


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        (["Error: the store is closed"], "the only tool call failed: opens with: Error: the store is closed"),
        ([[]], "the only tool call came back empty"),
        (["Error: closed", []], "all 2 tool results failed or were empty"),
        (["Error: closed", "Error: closed"], "all 2 tool results failed"),
    ],
)
def test_a_run_in_which_nothing_worked_says_how_it_went(outputs: list[Any], reason: str) -> None:
    calls = [("search_parts", {"page": page}, output) for page, output in enumerate(outputs)]
    result = checked("Find and order a gasket.", "I've found the gasket and ordered it.", *calls)
    assert [found.reason for found in result.findings if found.id == "failed_reads_only"] == [reason]


@pytest.mark.parametrize(
    ("look", "detail"),
    [
        ({"device": "th-4", "celsius": 18}, "get_device then showed celsius 18, the call wrote 21"),
        ({"device": "th-4", "celsius": 21}, "set_heat succeeded; only the agent's own get_device read it back"),
    ],
)
def test_a_look_by_nothing_but_what_the_call_carried_is_one_at_its_record(look: dict[str, Any], detail: str) -> None:
    heat: Call = ("set_heat", {"device": "th-4", "celsius": 21}, {"ok": True})
    result = checked("Set th-4 to 21.", "I have set th-4 to 21.", heat, ("get_device", {"device": "th-4"}, look))
    assert result.reasons[0].detail == detail


@pytest.mark.parametrize(
    ("listed", "detail"),
    [
        ([{"email": "bo@fen.example"}, {"email": "al@fen.example"}], "list_users then still showed bo@fen.example"),
        ([{"email": "al@fen.example"}], "delete_user succeeded; nothing read the state back"),
        ([{"email": "bo@fen.example", "status": "deleted"}], "delete_user succeeded; nothing read the state back"),
    ],
)
def test_a_list_that_still_shows_what_was_removed_leaves_the_claim_open(
    listed: list[dict[str, Any]], detail: str
) -> None:
    removal: Call = ("delete_user", {"email": "bo@fen.example"}, {"success": True})
    result = checked(
        "Delete user bo@fen.example.",
        "User bo@fen.example has been deleted.",
        removal,
        ("list_users", {}, {"users": listed}),
    )
    assert result.reasons[0].detail == detail
