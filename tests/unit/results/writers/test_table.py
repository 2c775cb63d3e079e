"""The table shows ids and details literally, caps its rows and never hides an accusation."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from agent_claimcheck.results.model import CheckResult

Build = Callable[..., CheckResult]
Written = Callable[..., str]
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_columns_line_up_when_piped(build_result: Build, written: Written) -> None:
    results = [build_result("verified", "a" * 30), build_result("skipped", "日本"), build_result("unverifiable", "c")]
    head, *rows = written("table", results).splitlines()[:4]
    assert head.split() == ["trace_id", "domain", "verdict", "p_success", "top", "reason"]
    assert rows[0].index("booking") == head.index("domain")
    assert rows[2].index("booking") == head.index("domain")
    # Two wide characters take four columns.
    assert rows[1].index("booking") == head.index("domain") - 2
    assert re.search(r"verified +0\.97", rows[0])
    assert re.search(r"skipped +no success claim found", rows[1])


def test_the_deciding_reason_is_shown(build_result: Build, written: Written) -> None:
    result = build_result("false_success")
    fine = replace(result.reasons[0], outcome="probe_supported", detail="all fine here")
    text = written("table", [replace(result, reasons=(fine, *result.reasons))])
    assert "slot is taken" in text
    assert "all fine here" not in text


def test_rows_are_capped_but_accusations_are_always_shown(build_result: Build, written: Written) -> None:
    results = [build_result("verified", f"ok-{i}") for i in range(300)] + [build_result("false_success", "late")]
    lines = written("table", results, max_rows=200).splitlines()
    assert sum(line.startswith("ok-") for line in lines) == 200
    assert any(line.startswith("late") for line in lines)
    assert "... and 100 more" in lines
    assert lines[-2] == "301 traces: 300 verified, 1 false_success"
    assert lines[-1].startswith("FAIL - 1 accused")


@pytest.mark.parametrize("is_terminal", [False, True])
@pytest.mark.parametrize(
    "hostile", ["[red]x[/red]", "[link=http://x.test]", ":smile:", "\x1b[31mx", "a\nb", "\u202ex", "\ud800", "[/]"]
)
def test_trace_text_is_never_interpreted(
    build_result: Build, written: Written, hostile: str, is_terminal: bool
) -> None:
    text = written("table", [build_result("false_success", hostile, detail=hostile)], is_terminal=is_terminal)
    shown = ANSI.sub("", text)
    literal = {"\x1b[31mx": r"\x1b[31mx", "a\nb": r"a\nb", "\u202ex": r"\u202ex", "\ud800": r"\ud800"}
    assert shown.count(literal.get(hostile, hostile)) == 2
    assert len(shown.splitlines()) == 4
    assert "\x1b" not in shown


def test_colours_only_on_a_terminal(build_result: Build, written: Written) -> None:
    results = [build_result("false_success")]
    assert ANSI.search(written("table", results, is_terminal=True))
    assert not ANSI.search(written("table", results))
    assert "\x1b[31m" not in written("table", results, is_terminal=True, no_color=True)


def test_a_terminal_line_is_cut_to_its_width(build_result: Build, written: Written) -> None:
    text = ANSI.sub("", written("table", [build_result(detail="x" * 190)], is_terminal=True, width=80))
    assert max(len(line) for line in text.splitlines()[:2]) == 80
    assert "…" in text


def test_a_row_fits_a_narrow_terminal_and_keeps_id_verdict_and_reason(build_result: Build, written: Written) -> None:
    results = [build_result("false_success", "run-of-a-rather-long-name-17", detail="the slot is taken by another")]
    head, row = ANSI.sub("", written("table", results, is_terminal=True, width=60)).splitlines()[:2]
    assert head.split() == ["trace_id", "verdict", "top", "reason"]
    assert row.startswith("run-of-a-rather-long") and "false_success" in row and "the slot is taken" in row
    assert len(row) <= 60
    wide = ANSI.sub("", written("table", results, is_terminal=True, width=100))
    assert "booking" in wide and "run-of-a-rather-long-name-17" in wide


@pytest.mark.parametrize("hostile", ["::error::x", "  ::set-env name=A::b", "##[error]x"])
def test_no_line_begins_a_runner_command(build_result: Build, written: Written, hostile: str) -> None:
    text = written("table", [build_result("false_success", hostile, detail=hostile)])
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert "##[" not in text


def test_no_results_still_end_in_the_last_line(written: Written) -> None:
    assert written("table", []).splitlines() == [
        "0 traces",
        "ERROR - 0 accused, 0 decided, 0 not decided, 0 not claimed - exit 2: no valid traces",
    ]
