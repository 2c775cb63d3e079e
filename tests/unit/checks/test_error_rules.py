"""When a call is an error: the documented text rule, the declaration that overrides it, the structured reading."""

from __future__ import annotations

import pytest

from agent_claimcheck.checks.error_rules import ErrorStatus, read_status, text_rule
from agent_claimcheck.checks.run import ToolCall


@pytest.mark.parametrize(
    ("output", "rule"),
    [
        ("", "empty"),
        (" \t\n\u2003", "empty"),
        ("error 17", "prefix"),
        ("ERRORS everywhere", "prefix"),
        ("\n Exceptional weather", "prefix"),
        ("Traceback (most recent call last):", "prefix"),
        ("build.c:9: error: missing brace", "contains"),
        ("Caused by: java.io.IOException: gone", "contains"),
        ("lint: Error: 0", "contains"),
        ("done, errors: 0", None),
        ("HTTP 500 Internal Server Error", None),
        ('{"error": null}', None),
        ("ran 2 tests\nTraceback (most recent call last):\nAssertionError", None),
        ("null", None),
        ("[]", None),
        ("\u200b", None),
        ("\ufeff", None),
        ("Fehler (weg)", None),
    ],
)
def test_text_rule(output: str, rule: str | None) -> None:
    assert text_rule(output) == rule


@pytest.mark.parametrize("is_error", [True, False])
@pytest.mark.parametrize("output", ["", "error: x", "fine"])
@pytest.mark.parametrize("reading", ["text", "structured"])
def test_declaration_overrides_every_reading(is_error: bool, output: str, reading: str) -> None:
    call = ToolCall(name="t", output=output, is_error=is_error)

    assert read_status(call, reading) == ErrorStatus(is_error, "declared")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "output",
    [
        '{"error": "card declined"}',
        '{"errors": [{"message": "no such field"}]}',
        '{"success": false, "id": 7}',
        '{"isError": true, "content": "x"}',
        '{"status": 503, "body": "busy"}',
        '{"exit_code": 2, "stdout": "a"}',
    ],
)
def test_structured_reading_sees_failures(output: str) -> None:
    status = read_status(ToolCall(name="ship_parcel", output=output), "structured")

    assert status.is_error
    assert status.rule is not None and status.rule.startswith("structured:")


@pytest.mark.parametrize("output", ["Error: no such parcel", "Caused by: acme.LostParcelException: van gone"])
def test_structured_reading_keeps_the_text_rule_where_nothing_clears_it(output: str) -> None:
    assert read_status(ToolCall(name="ship_parcel", output=output), "structured").is_error


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("ship_parcel", '{"error": null, "id": 7}'),
        ("run_lint", "Finished. error: 0, warning: 2"),
        ("compile", "0 errors, 3 warnings"),
        ("search_logs", "gate.log:8: Error: sensor lost, handled"),
        ("read_file", "def f():\n    raise ValueError('error: bad')\n"),
        ("make_directory", ""),
        ("show_header", "Errors-In-Row: a column that nobody fills"),
        ("forecast", "exceptional demand today, 900 parcels"),
        ("run_job", "step done\n" * 60 + "step 61: error: retried and done"),
    ],
)
def test_structured_reading_clears_false_alarms(name: str, output: str) -> None:
    assert not read_status(ToolCall(name=name, output=output), "structured").is_error


def test_cleared_text_rule_is_reported() -> None:
    status = read_status(ToolCall(name="search_logs", output="app.log:12: Error: old"), "structured")

    assert status.cleared == "contains"
