"""What a call was meant to change, on which record, and which claims it can stand for."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.effects import Effect, read_effect
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.tool_names import read_tool_name, split_name
from agent_claimcheck.evidence.undoing import undoes
from agent_claimcheck.trace.model import Step, ToolDef


def call(name: str | None, **args: Any) -> Step:
    return Step(i=1, ts="2026-01-01T00:00:00Z", kind="tool_call", role="agent", name=name, args=args)


def result(output: Any, ok: bool | None = True) -> Step:
    return Step(i=2, ts="2026-01-01T00:00:01Z", kind="tool_result", role="tool", output=output, ok=ok)


def effect(name: str | None, output: Any = None, tool: ToolDef | None = None, **args: Any) -> Effect:
    return read_effect(call(name, **args), None if output is None else result(output), tool)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("get_user_details", ("get", "user", "details")),
        ("functions.getUserDetails", ("get", "user", "details")),
        ("mcp__crm-tools__update_contact", ("update", "contact")),
        ("calendar.create_event", ("create", "event", "calendar")),
        ("HTTPPost", ("http", "post")),
        ("list-git-repositories", ("list", "git", "repositories")),
        ("", ()),
    ],
)
def test_names_are_split_into_words(name: str, words: tuple[str, ...]) -> None:
    assert split_name(name) == words


@pytest.mark.parametrize(
    ("name", "kind", "verb_class"),
    [
        ("get_guest", "read", None),
        ("searchGuests", "read", None),
        ("guest_search", "read", None),
        ("orders_list", "read", None),
        ("order_status", "read", None),
        ("is_available", "read", None),
        ("open_webpage", "read", None),
        ("WebFetch", "read", None),
        ("debit_card_lookup", "read", None),
        ("credit_score_check", "read", None),
        ("debit_card_modify", "write", "updated"),
        ("debit_account", "write", "paid"),
        ("book_desk", "write", "booked"),
        ("createEvent", "write", "created"),
        ("event_create", "write", "created"),
        ("calendar_update_event", "write", "updated"),
        ("crm.update_contact", "write", "updated"),
        ("mcp__mail__sendMessage", "write", "sent"),
        ("process_refund", "write", "refunded"),
        ("issue_refund", "write", "refunded"),
        ("place_order", "write", "ordered"),
        ("send_money", "write", "transferred"),
        ("booking.cancel", "write", "cancelled"),
        ("delete_note", "write", "deleted"),
        ("git.commit", "write", "committed"),
        ("merge_pull_request", "write", "merged"),
        ("reserveTable", "write", "booked"),
        ("fhir_post", "write", None),
        ("transfer_to_human_agent", "write", "handed_over"),
        ("run_tests", "unknown", "tests_run"),
        ("find_or_create_contact", "unknown", "created"),
        ("order", "unknown", "ordered"),
        ("shop.order_get", "read", None),
        ("shop__order_lookup", "read", None),
        ("orders.list", "read", None),
        ("api.order_cancel", "write", "cancelled"),
        ("bank_update_user_info", "unknown", "updated"),
        ("change_document_status", "unknown", "changed"),
        ("email_user_details", "unknown", "sent"),
        ("order_shipping_status", "read", None),
        ("order_item_list", "read", None),
        ("order_lookup_by_email", "read", None),
        ("transfer_check_balance", "unknown", None),
        ("orders_sync", "unknown", "updated"),
        ("transfers_listing", "unknown", "transferred"),
        ("updated_user_info", "unknown", "updated"),
        ("do_get_order", "read", None),
        ("do_purchases_query", "unknown", None),
        ("crm_add_to_list", "unknown", "added"),
        ("crm_change_contact_details", "unknown", "changed"),
        ("home_turn_off_light_status", "unknown", None),
        ("list_add_member", "write", "added"),
        ("search_alert_create", "unknown", "created"),
        ("user_order_history", "read", None),
        ("order_append_note_v2", "write", "added"),
        ("update_user_info_tool", "write", "updated"),
        ("call_api", "unknown", None),
        ("open_ticket", "unknown", "opened"),
        ("execute_query", "unknown", None),
        ("refresh_wire_release_outcome", "unknown", None),
        ("frobnicate", "unknown", None),
        ("do_it", "unknown", None),
        ("", "unknown", None),
        (None, "unknown", None),
    ],
)
def test_effect_from_the_name(name: str | None, kind: str, verb_class: str | None) -> None:
    found = effect(name)
    assert (found.kind, found.verb_class) == (kind, verb_class), found


@pytest.mark.parametrize(
    ("name", "args", "kind", "verb_class"),
    [
        ("bash", {"command": "ls"}, "read", None),
        ("open_document", {"document": "D-7"}, "read", None),
        ("open_document", {"document": {"label": "Rota", "value": 4}}, "unknown", "opened"),
        ("bash", {"command": "git commit -am x"}, "write", "committed"),
        ("bash", {"command": "./deploy.sh"}, "unknown", None),
        ("todo_write", {"todos": [{"content": "fix the pump", "status": "completed"}]}, "read", None),
        ("update_plan", {"plan": [{"step": "fix the pump", "status": "in_progress"}]}, "read", None),
        ("add_todo", {"text": "buy milk"}, "write", "added"),
        ("create_tasks", {"board": "B-2", "tasks": [{"title": "buy milk", "status": "open"}]}, "write", "created"),
        ("create_tasks", {"tasks": [{"title": "buy milk"}]}, "write", "created"),
        ("http_request", {"method": "POST", "url": "u"}, "write", None),
        ("http_request", {"method": "get", "url": "u"}, "read", None),
        ("api", {"method": "DELETE", "path": "/x/1"}, "write", "deleted"),
        ("run_sql", {"query": "SELECT * FROM t"}, "read", None),
        ("run_sql", {"query": "-- note\ninsert into t values (1)"}, "write", "added"),
        ("execute_query", {"query": "WITH a AS (SELECT 1) DELETE FROM b"}, "write", "deleted"),
        ("query_database", {"sql": "UPDATE t SET a = 1"}, "write", "updated"),
        ("str_replace_editor", {"command": "view", "path": "/a"}, "read", None),
        ("str_replace_editor", {"command": "create", "path": "/a"}, "write", "created"),
        ("manage_order", {"action": "cancel", "order_id": "k1"}, "write", "cancelled"),
        ("manage_order", {"action": "show", "order_id": "k1"}, "read", None),
        ("delete_file", {"dry_run": True}, "read", None),
        ("delete_file", {"dry_run": False}, "write", "deleted"),
    ],
)
def test_effect_from_the_arguments(name: str, args: dict[str, Any], kind: str, verb_class: str | None) -> None:
    found = effect(name, **args)
    assert (found.kind, found.verb_class) == (kind, verb_class), found


def test_effect_from_the_definition() -> None:
    assert effect("x9", tool=ToolDef(name="x9", description="Cancels a desk.")).verb_class == "cancelled"
    assert effect("x9", tool=ToolDef(name="x9", description="Returns the list of desks.")).kind != "write"
    assert effect("x9", tool=ToolDef(name="x9", description="Get one desk.")).kind == "read"
    assert effect("x9", tool=ToolDef(name="x9", description="A read-only view of desks.")).kind == "read"
    assert effect("x9", tool=ToolDef(name="x9", description="Desks.")).kind == "unknown"


def test_list_of_records_says_read() -> None:
    assert effect("desks", [{"id": 1, "size": 2}, {"id": 2, "size": 3}]).kind == "read"
    assert effect("desks", [{"id": 1, "success": True}, {"id": 2, "success": True}]).kind == "unknown"


def test_target_names_the_record() -> None:
    assert ("order_id", "w12") in effect("cancel_order", order_id="#W12", reason="late").target
    assert ("email", "ann@x.test") in effect("send_mail", to=["Ann <ANN@x.test>"]).target
    assert ("path", "a/b.py") in effect("edit_file", path="./a//b.py").target
    assert ("path", "a.py") in effect("apply_patch", input="*** Update File: a.py\n@@\n").target
    assert ("event_id", "e7") in effect("create_event", '{"event_id": "e7"}', title="Sync").target
    assert effect("cancel_order", reason="late", api_key="k").target == ()


def test_same_target() -> None:
    def target(**args: Any) -> tuple[tuple[str, str], ...]:
        return effect("update_order", **args).target

    assert same_target(target(order_id="#W1"), target(order_id="w1")) is True
    assert same_target(target(order_id="W1"), target(order_id="W2")) is False
    assert same_target(target(order_id="W1", user_id="u"), target(order_id="W2", user_id="u")) is False
    assert same_target(target(order_id="W1", user_id="u"), target(item_id="3", user_id="u")) is None
    assert same_target(target(user_id="u"), target(user_id="u")) is True
    assert same_target(target(path="src/a.py"), target(path="/repo/src/a.py")) is True
    assert same_target((), target(order_id="W1")) is None


def test_later_call_undoes_an_earlier_one_of_the_same_record() -> None:
    created = effect("create_event", {"id": "e7"}, title="Sync")
    assert undoes(effect("delete_event", event_id="e7"), created)
    assert not undoes(effect("delete_event", event_id="e8"), created)
    assert not undoes(effect("get_event", event_id="e7"), created)
    assert not undoes(effect("delete_event"), created)
    assert undoes(effect("cancel_booking", booking_id="b1"), effect("book_room", {"booking_id": "b1"}))
    assert not undoes(effect("book_room", {"booking_id": "b1"}), effect("cancel_booking", booking_id="b1"))


@pytest.mark.parametrize(
    ("claim", "name", "covered"),
    [
        ("booked", "book_desk", True),
        ("booked", "make_reservation", True),
        ("booked", "create_event", True),
        ("booked", "create_item", None),
        ("booked", "update_visit", None),
        ("booked", "get_desk", False),
        ("booked", "send_email", False),
        ("booked", "send_booking_request", None),
        ("booked", "cancel_desk", False),
        ("booked", "frobnicate", None),
        ("booked", "run_tests", None),
        ("sent", "send_email", True),
        ("sent", "create_event", None),
        ("sent", "list_emails", False),
        ("cancelled", "cancel_order", True),
        ("cancelled", "book_flight", False),
        ("cancelled", "update_order", None),
        ("cancelled", "transfer_to_human_agent", False),
        ("refunded", "cancel_order", None),
        ("refunded", "issue_refund", True),
        ("canceled", "cancel_order", True),
        ("deleted", "create_note", False),
        ("completed", "send_email", True),
        ("done", "get_desk", False),
        ("done", "frobnicate", None),
        ("fixed", "edit_file", True),
        ("tests_passed", "edit_file", False),
        ("tests_passed", "run_tests", True),
        ("verified", "get_desk", None),
        ("saved", "archive_message", None),
        ("sent", "ship_order", None),
        ("transferred", "withdraw_funds", None),
        ("marked", "transfer_to_human_agent", None),
        ("assigned", "transfer_to_human_agent", None),
        ("updated", "transfer_to_human_agent", False),
        ("refunded", "create_credit_note", None),
        ("confirmed", "get_desk", None),
        ("arranged", "get_desk", None),
        ("a word nobody knows", "book_desk", None),
        ("a word nobody knows", "get_desk", False),
    ],
)
def test_class_covers(claim: str, name: str, covered: bool | None) -> None:
    assert class_covers(claim, effect(name)) is covered


def test_edits() -> None:
    assert read_effect(call("bash", command="sed -i s/a/b/ x.py"), result("", ok=True), None).is_file_change
    assert read_effect(call("str_replace_editor", command="create", path="a"), None, None).is_file_change
    assert not read_effect(call("str_replace_editor", command="view", path="a"), None, None).is_file_change
    looked, ran = (read_effect(call("bash", command=text), None, None) for text in ("cat x.py", "python fix.py"))
    assert (looked.kind, looked.is_file_change) == ("read", False)
    assert (ran.kind, ran.is_file_change) == ("unknown", False)


def test_hostile_names_and_arguments() -> None:
    assert effect("_" * 10_000).kind == "unknown"
    assert effect("aB" * 10_000).kind == "unknown"
    assert read_tool_name("ü.é/日本語").kind == "unknown"
    deep: Any = "x"
    for _ in range(150):
        deep = {"id": [deep]}
    assert effect("update_x", id=deep, sql=3, command={"a": 1}, method=["POST"]).kind == "write"
    assert effect("update_x", **{f"k{n}_id": n for n in range(500)}).kind == "write"


@pytest.mark.parametrize(
    ("name", "output", "args"),
    [
        ("count_stock", {"variance": -2}, {"bin": "A7", "counted": 63}),
        ("count_sku", None, {"sku": 8, "quantity_counted": 12}),
        ("verify_payee", {"state": "ACTIVE"}, {"payee": "Harbour Dental", "otp": "551203"}),
        ("fetch_dataset", None, {"set": "rainfall", "dest": "data/"}),
        ("calculate_payroll", {"entries": 48}, {"month": "2025-10", "post": True}),
        ("review_clause", {"clause": 4, "status": "accepted"}, {"clause": 4, "status": "accepted"}),
        ("find_replace", {"occurrences": 9}, {"find": "Q2", "replace": "Q3"}),
        ("search_and_play", None, {"q": "Blue Train"}),
        ("query_billing_assistant", None, {"message": "Refund order 71"}),
    ],
)
def test_look_that_is_told_what_to_set_is_unknown(name: str, output: Any, args: dict[str, Any]) -> None:
    assert read_effect(call(name, **args), None if output is None else result(output), None).kind == "unknown"


@pytest.mark.parametrize(
    ("name", "output", "args"),
    [
        ("count_orders", {"count": 4}, {"counted_after": "2026-05-01"}),
        ("search_flights", [{"no": "LX1"}], {"destination": "ZRH"}),
        ("get_slots", {"doctor": "Lund", "day": "Thu", "slots": ["10:20"]}, {"doctor": "Lund", "day": "Thu"}),
        ("get_order", {"id": 5}, {"id": 5}),
        ("get_name_and_address", None, {"id": 5}),
        ("find_orders", None, {"customer": "Bo"}),
        ("verify_address", None, {"address": "Elm 4"}),
    ],
)
def test_look_that_only_asks_reads(name: str, output: Any, args: dict[str, Any]) -> None:
    assert read_effect(call(name, **args), None if output is None else result(output), None).kind == "read"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Finds and books restaurant tables.", "unknown"),
        ("Looks up an account and posts the entry.", "unknown"),
        ("Validates the invoice; pays it when valid.", "unknown"),
        ("Looks up an order and returns the details.", "read"),
        ("Gets stock and prices.", "read"),
        ("Search for items and order them by price.", "read"),
        ("Gets the order. Use it before you cancel and refund it.", "read"),
    ],
)
def test_description_may_go_on_with_a_deed(text: str, kind: str) -> None:
    assert effect("concierge", tool=ToolDef(name="concierge", description=text)).kind == kind
