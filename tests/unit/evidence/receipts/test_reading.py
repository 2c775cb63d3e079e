"""A tool result read as proof: what was declared, what the body says, and which of the two stands."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.receipts.reading import Receipt, read_receipt, read_text_status
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.trace.model import Step


def call(name: str | None = "save_item", args: dict[str, Any] | None = None) -> Step:
    return Step(i=1, ts="2026-01-01T00:00:00Z", kind="tool_call", role="agent", name=name, args=args)


def result(output: Any = None, **fields: Any) -> Step:
    return Step(
        i=2, ts="2026-01-01T00:00:01Z", kind="tool_result", role="tool", name="save_item", output=output, **fields
    )


def read(name: str, output: Any, *, args: dict[str, Any] | None = None, **fields: Any) -> Receipt:
    return read_receipt(call(name, args), result(output, **fields))


def test_missing_result_is_unknown() -> None:
    receipt = read_receipt(call(), None)
    assert (receipt.state, receipt.source, receipt.confidence) == ("unknown", "none", 0.0)


def test_unset_ok_with_a_silent_body_is_unknown_not_failed() -> None:
    assert read("create_event", {"event_id": "e7"}).state == "unknown"


@pytest.mark.parametrize(
    ("fields", "state", "source"),
    [
        ({"ok": True}, "ok", "flag"),
        ({"ok": False}, "failed", "flag"),
        ({"ok": True, "error": "quota exceeded"}, "failed", "error_field"),
        ({"ok": None, "error": {"message": "no such desk"}}, "failed", "error_field"),
        ({"ok": True, "error": ""}, "ok", "flag"),
        ({"ok": True, "error": "None"}, "ok", "flag"),
        ({"ok": True, "error": {}}, "ok", "flag"),
        ({"ok": True, "error": {"code": 0}}, "ok", "flag"),
        ({"status": "denied"}, "failed", "flag"),
        ({"status": "timeout"}, "failed", "flag"),
        ({"status": "partial"}, "unknown", "flag"),
        ({"status": "ok"}, "ok", "flag"),
        ({"exit_code": 3}, "failed", "exit_code"),
        ({"exit_code": 0}, "ok", "exit_code"),
    ],
)
def test_declared_state_is_read_from_the_record(fields: dict[str, Any], state: str, source: str) -> None:
    receipt = read("save_item", {"id": "x1"}, **fields)
    assert (receipt.state, receipt.source) == (state, source)


@pytest.mark.parametrize(
    "body",
    [
        {"status_code": 500, "message": "Internal error"},
        {"statusCode": "404"},
        {"status": 409, "detail": "slot taken"},
        {"code": 503, "message": "try later"},
        {"success": False},
        {"Success": "false"},
        {"isError": True, "content": []},
        {"status": "error"},
        {"status": "declined"},
        {"errors": ["seat is gone"]},
        {"error": {"message": "no seat left"}},
        {"error": "card expired"},
        {"data": {"success": False, "id": "x"}},
        {"exitCode": 2, "stdout": "done"},
        {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "diagnostics": "bad date"}]},
        {"__type": "ThrottlingException"},
        {"results": [{"success": False}, {"error": "x"}]},
        '{"success": false}',
        '"{\\"success\\": false}"',
        {"content": [{"type": "text", "text": "boom"}], "isError": True},
        "Error: the desk is taken",
        [{"type": "text", "text": "ValueError: bad start time"}],
    ],
)
def test_body_overturns_a_declared_success(body: Any) -> None:
    receipt = read("book_desk", body, ok=True)
    assert receipt.state == "failed", receipt


@pytest.mark.parametrize(
    "body",
    [
        {"error": None, "id": "x1"},
        {"error": "", "errors": []},
        {"errors": 0},
        {"error": {"code": 0}},
        {"status": "confirmed"},
        {"status_code": 201},
        {"success": True, "message": "0 errors"},
        {"code": 500, "item": "hose"},
        {"failed": 0, "sent": 3},
        {"errors": {"count": 0}},
        {"error": {"code": 7, "message": "success"}},
        {"exit": 3, "road": "A9"},
        {"result": "ok"},
        "Completed with 0 errors.",
        "Saved. No errors found.",
    ],
)
def test_absent_errors_are_no_failure(body: Any) -> None:
    assert read("save_item", body, ok=True).state == "ok"
    assert read("save_item", body).state in ("ok", "unknown")


def test_a_test_that_counts_errors_was_run() -> None:
    assert read("run_restore_test", {"errors": 1}).state == "unknown"
    assert read("run_restore", {"errors": 1}).state == "failed"
    assert read("run_restore_test", {"error": "disk full"}).state == "failed"


def test_declared_failure_stands_whatever_the_body_says() -> None:
    assert read("save_item", {"success": True, "status": "confirmed"}, ok=False).state == "failed"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("start_export", {"status": "queued"}),
        ("submit_claim", {"status": "processing", "id": "c1"}),
        ("send_payment", {"status": "pending", "payment_id": "p"}),
        ("deploy_site", {"state": "in_progress"}),
        ("create_job", {"status_code": 202}),
        ("create_job", "HTTP 202 Accepted"),
        ("issue_refund", {"status": "pending_approval"}),
        ("issue_refund", "Your request has been received."),
    ],
)
def test_what_was_only_accepted_is_pending(name: str, body: Any) -> None:
    assert read(name, body, ok=True).state == "pending"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("create_event", {"status": "scheduled", "start": "2026-05-01T10:00:00Z"}),
        ("schedule_visit", {"status": "scheduled"}),
        ("accept_invite", {"status": "accepted"}),
        ("start_server", {"status": "running"}),
        ("modify_pending_order", {"order_id": "k1", "status": "pending"}),
        ("update_order", {"order_id": "k1", "status": "pending"}),
        ("get_order", {"order_id": "k1", "status": "pending", "total": 3, "name": "x"}),
        ("reject_offer", {"status": "rejected"}),
        ("get_job", {"job_id": "j1", "status": "failed", "error": "disk full", "name": "nightly"}),
    ],
)
def test_a_state_that_was_wished_or_only_looked_up_is_no_wait_and_no_failure(name: str, body: Any) -> None:
    assert read(name, body, ok=True).state == "ok"


@pytest.mark.parametrize(
    "body", [None, "", "{}", [], {}, "null", "No results", "No tickets found matching the query.", "<<[]>>"]
)
def test_read_that_returned_nothing_is_empty(body: Any) -> None:
    assert read("search_tickets", body, ok=True).state == "empty"


def test_write_that_returned_nothing_keeps_its_flag() -> None:
    assert read("send_note", None, ok=True).state == "ok"
    assert read("send_note", None).state == "empty"


def test_not_found_is_empty_for_a_read_and_failed_for_a_write() -> None:
    assert read("get_guest", "Guest not found").state == "empty"
    assert read("delete_guest", "Guest not found").state == "failed"


def test_content_that_quotes_an_error_is_not_the_status() -> None:
    log = "Error: first line of a log\n" + "\n".join(f"12:0{n} ERROR failed to connect" for n in range(9)) + "\n" * 9
    assert read("read_file", log, ok=True).state == "ok"
    assert read("search_files", "src/a.py:12: raise ValueError('failed')", ok=True).state == "ok"
    assert (
        read("bash", "Traceback (most recent call last)\nValueError: x", args={"command": "cat log.txt"}).state
        != "failed"
    )


def test_short_error_of_a_content_tool_is_its_own() -> None:
    assert read("read_file", "Error: no such file").state == "failed"


def test_partly_failed_batch_decides_nothing() -> None:
    receipt = read("send_bulk", {"sent": 2, "failed": 1}, ok=True)
    assert (receipt.state, receipt.reason) == ("unknown", "failed: 1 of 3 parts failed")
    assert read("send_bulk", {"sent": 0, "failed": 3}, ok=True).state == "failed"


def test_test_summary_outranks_flag_and_exit_code() -> None:
    body = {"exit_code": 0, "stdout": "2 failed, 40 passed"}
    receipt = read("shell.run", body, args={"command": "pytest -q | tail"}, ok=True)
    assert (receipt.state, receipt.exit_code) == ("failed", 0)
    assert receipt.tests is not None
    assert (receipt.tests.failed, receipt.tests.passed) == (2, 40)


def test_green_summary_with_a_red_exit_code_failed() -> None:
    receipt = read("bash", "12 passed in 0.4s\nexit code 2", args={"command": "pytest --cov-fail-under=90"})
    assert (receipt.state, receipt.source, receipt.exit_code) == ("failed", "exit_code", 2)


def test_no_test_ran_is_empty() -> None:
    assert read("bash", "no tests ran in 0.01s", args={"command": "pytest -k nothing"}, ok=True).state == "empty"


def test_summary_is_read_only_from_commands_that_test() -> None:
    assert read("bash", "2 failed, 40 passed", args={"command": "cat report.txt"}, ok=True).state == "ok"


def test_program_that_exits_zero_may_print_errors() -> None:
    receipt = read(
        "bash", "building\nwarning: old\nError: optional part skipped", args={"command": "./build.sh"}, ok=True
    )
    assert receipt.state == "ok"
    assert receipt.confidence < 0.9


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hello\n[Command finished with exit code 1]", 1),
        ("<returncode>127</returncode>\n<output>x</output>", 127),
        ("Exit code 2\nboom", 2),
        ("Process exited with code 3", 3),
        ("Exit code: 0\nWall time: 1 s", 0),
        ("all fine\nexit code 1", 1),
    ],
)
def test_exit_codes_in_text(text: str, code: int) -> None:
    receipt = read("bash", text, args={"command": "./run.sh"})
    assert receipt.exit_code == code
    assert receipt.state == ("failed" if code else "ok")


@pytest.mark.parametrize(
    ("tool", "args", "text", "state"),
    [
        ("book_room", None, "Room R9 could not be booked.", "failed"),
        ("book_room", None, "Room R9 was booked.", "ok"),
        ("set_alarm", None, "Alarm is set for nine", "unknown"),
        ("edit_note", None, "No replacement was performed, the text did not appear.", "failed"),
        ("bash", {"command": "./x"}, "/bin/sh: 1: x: not found", "failed"),
        ("bash", {"command": "grep foo a.txt"}, "foo: error: bar\nfoo again", "ok"),
        ("find_guest", None, "Error: guest not found", "failed"),
        ("get_page", None, "<html><h1>404 Not Found</h1> how to handle errors", "ok"),
        ("", None, "3 failed, 1 passed in 2.0s", "failed"),
        ("add_tag", None, "{'success': False, 'why': 'x'}", "failed"),
        ("add_tag", None, "{'error': None, 'id': 3}", "unknown"),
    ],
)
def test_text_alone(tool: str, args: dict[str, Any] | None, text: str, state: str) -> None:
    assert read_text_status(text, tool_name=tool, args=args).state == state


def test_json_in_strings_is_opened_also_twice() -> None:
    assert parse_output('"{\\"a\\": [1]}"') == {"a": [1]}
    assert parse_output([{"type": "text", "text": '{"a": 1}'}]) == {"a": 1}
    assert parse_output("[not json]") == "[not json]"
    assert isinstance(parse_output("[" * 200 + "]" * 200), list)
    for too_deep in (201, 5_000):
        assert parse_output("[" * too_deep + "]" * too_deep) == "[" * too_deep + "]" * too_deep


def test_nameless_calls_and_results_are_read() -> None:
    assert read_receipt(None, result("x", ok=True)).state == "ok"
    assert read_receipt(call(None), result({"success": False})).state == "failed"


def test_false_is_an_answer_unless_the_tool_acts() -> None:
    assert read("desk_free", {"result": False}, ok=True).state == "ok"
    assert read("check_desk", False, ok=True).state == "ok"
    assert read("book_desk", {"result": False}, ok=True).state == "failed"
    assert read("book_desk", False, ok=True).state == "failed"


def test_search_that_found_nothing_is_a_doubtful_failure() -> None:
    body = {"stdout": "", "stderr": "", "exitCode": 1}
    receipt = read("bash", body, args={"command": "grep -rn foo src"}, ok=False)
    assert (receipt.state, receipt.confidence) == ("failed", 0.5)
    assert read("bash", body, args={"command": "./build.sh"}, ok=False).confidence > 0.9


def test_a_reason_that_is_cut_says_so() -> None:
    told = "Error: the ferns of hall 3 could not be watered, because " + "the valve is shut and " * 9
    assert read("water_ferns", told).reason.endswith("…")
    assert read("water_ferns", {"error": told}).reason.endswith("…")
    assert not read("water_ferns", {"error": "the valve is shut"}).reason.endswith("…")


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ("Tool execution was not approved.", "failed"),
        ("The tool call was rejected by the operator", "failed"),
        ("Function call blocked: outside of office hours", "failed"),
        ("The user denied permission to run this tool.", "failed"),
        ("Tool execution was approved.", "unknown"),
        ("The tool was run with care", "unknown"),
    ],
)
def test_a_call_that_was_not_let_through_failed(told: str, state: str) -> None:
    assert read("water_ferns", told).state == state


@pytest.mark.parametrize("dress", [lambda text: text, lambda text: [{"type": "text", "text": text}]])
def test_a_file_given_back_as_it_was_written_is_no_failure(dress: Any) -> None:
    text = '{"port": 9090, "success": false, "error": "see log"}'
    assert read("write_file", dress(text), args={"path": "app.json", "content": text}, ok=True).state == "ok"
    assert read("write_file", dress('{"success": false}'), args={"path": "app.json", "content": text}).state == "failed"


def test_what_a_file_holds_is_no_answer_of_the_tool_that_reads_it() -> None:
    assert read("read_file", '{"port": 8080, "success": false, "status": "failed"}').state == "ok"
    assert read("read_file", '{"success": false, "error": "no such file", "path": "app.json"}').state == "failed"
    assert read("get_order", '{"port": 8080, "success": false}').state == "failed"
