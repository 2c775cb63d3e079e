"""Summaries of test runners, one format a row."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.suite_summaries import read_test_summary, read_tests

# text, passed, failed, errors, skipped, runner
FORMATS = [
    ("===== 3 passed in 0.10s =====", 3, 0, 0, 0, "pytest"),
    ("2 failed, 40 passed", 40, 2, 0, 0, "pytest"),
    ("=== 1 failed, 2 passed, 4 skipped, 1 xfailed, 9 warnings, 1 error in 61.2s (0:01:01) ===", 2, 1, 1, 5, "pytest"),
    ("==== no tests ran in 0.01s ====", 0, 0, 0, 0, "pytest"),
    ("tests finished: 19 passed, 7 exceptions, in 2.2 seconds", 19, 0, 7, 0, "sympy"),
    ("....\nRan 4 tests in 0.002s\n\nOK (skipped=1)", 3, 0, 0, 1, "unittest"),
    ("Ran 4 tests in 0.002s\n\nFAILED (failures=1, errors=2)", 1, 1, 2, 0, "unittest"),
    ("Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 10 passed, 13 total", 10, 1, 0, 2, "jest"),
    (" Test Files  1 failed (1)\n      Tests  2 failed | 10 passed (12)", 10, 2, 0, 0, "vitest"),
    ("  12 passing (30ms)\n  1 pending\n  2 failing", 12, 2, 0, 1, "mocha"),
    ("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL", 1, 1, 0, 0, "go"),
    ("ok  \texample.org/a\t0.012s\nFAIL\texample.org/b\t0.3s", 1, 1, 0, 0, "go"),
    ("ok  \texample.org/a\t(cached)", 1, 0, 0, 0, "go"),
    (
        "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\n"
        "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured",
        7, 3, 0, 1, "cargo",
    ),
    ("[ERROR] Tests run: 12, Failures: 1, Errors: 2, Skipped: 3", 6, 1, 2, 3, "maven"),
    ("[         9 tests successful      ]\n[         1 tests failed          ]", 9, 1, 0, 0, "junit"),
    ("12 tests completed, 1 failed, 2 skipped", 9, 1, 0, 2, "gradle"),
    ("1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP slow", 1, 1, 0, 1, "tap"),
    ("# tests 3\n# pass 2\n# fail 1", 2, 1, 0, 0, "tap"),
    ("12 examples, 1 failure, 2 pending", 9, 1, 0, 2, "rspec"),
    ("10 runs, 12 assertions, 1 failures, 2 errors, 0 skips", 7, 1, 2, 0, "minitest"),
    ("Failed!  - Failed:     1, Passed:    12, Skipped:     0, Total:    13, Duration: 1 s", 12, 1, 0, 0, "dotnet"),
    ("OK (12 tests, 34 assertions)", 12, 0, 0, 0, "phpunit"),
    ("Tests: 12, Assertions: 34, Failures: 1, Errors: 1, Skipped: 1.", 9, 1, 1, 1, "phpunit"),
    ("92% tests passed, 1 tests failed out of 12", 11, 1, 0, 0, "ctest"),
    ("Executed 12 tests, with 1 failure (0 unexpected) in 0.1 seconds", 11, 1, 0, 0, "swift"),
    ("ok | 12 passed | 0 failed (30ms)", 12, 0, 0, 0, "deno"),
    (" 12 pass\n 1 fail\nRan 13 tests across 2 files.", 12, 1, 0, 0, "bun"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "passed", "failed", "errors", "skipped", "runner"), FORMATS)
def test_format(text: str, passed: int, failed: int, errors: int, skipped: int, runner: str) -> None:
    summary = read_test_summary(f"collecting\n{text}\n")
    assert summary is not None
    assert (summary.passed, summary.failed, summary.errors, summary.skipped, summary.runner) == (
        passed, failed, errors, skipped, runner,
    )  # fmt: skip
    assert summary.is_red == bool(failed or errors)


@pytest.mark.parametrize("text", ["", "all good", "the login failed 3 times", "2 apples passed the check", "we passed"])
def test_other_text_holds_no_summary(text: str) -> None:
    assert read_test_summary(text) is None


def test_last_run_counts() -> None:
    summary = read_test_summary("=== 1 failed, 2 passed in 1s ===\nagain\n=== 3 passed in 1s ===")
    assert summary is not None
    assert not summary.is_red


def test_colours_are_ignored() -> None:
    summary = read_test_summary("\x1b[31m== \x1b[1m2 failed\x1b[0m, \x1b[32m1 passed\x1b[0m in 0.1s ==\x1b[0m")
    assert summary is not None
    assert summary.failed == 2


def test_counts_in_fields_are_read() -> None:
    summary = read_tests({"passed": 3, "failed": ["test_a", "test_b"]})
    assert summary is not None
    assert (summary.passed, summary.failed, summary.total) == (3, 2, 5)
    assert read_tests({"passed": True, "failed": False}) is None
    nested = read_tests({"runner": "vitest", "summary": {"total": 3, "passed": 1, "failed": 2, "skipped": 0}})
    assert nested is not None and (nested.passed, nested.failed, nested.total) == (1, 2, 3)
    assert read_tests({"summary": "3 parts", "stats": {"passed": 1}}) is None


def test_huge_outputs_are_read_from_the_end() -> None:
    summary = read_test_summary("x" * 3_000_000 + "\n1 failed, 2 passed in 3s")
    assert summary is not None
    assert summary.failed == 1


@pytest.mark.parametrize(
    "text",
    [
        "Ran 5 tests in 0.1s\n\nOK\nthe last line of the log was:\nFAILED\n",
        "=== RUN   TestHarness\n        --- FAIL: TestChild (0.00s)\n--- PASS: TestHarness (0.01s)\nPASS\nok  \tx/harness\t0.012s\n",
        "  3 passing (9ms)\n  1 failing\n\n  1) slug\n\n  4 passing (8ms)\n",
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\ntest result: ok. 12 passed; 0 failed; 0 ignored; 0 measured\n",
        "TAP version 13\n    not ok 1 - child\n    1..1\nok 1 - reporter\n1..1\n",
    ],
    ids=["unittest", "go", "mocha", "cargo", "tap"],
)
def test_a_run_within_or_an_earlier_one_is_not_the_last(text: str) -> None:
    summary = read_test_summary(text)
    assert summary is not None
    assert not summary.is_red


@pytest.mark.parametrize(
    "text",
    [
        "OK\nRan 9 tests in 0.2s\n\nFAILED (failures=1)\n",
        "--- PASS: TestInner (0.00s)\n--- FAIL: TestHarness (0.01s)\nFAIL\nFAIL\tx/harness\t0.012s\nFAIL\n",
        "  3 passing (9ms)\n  1 failing\n",
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n"
        "error: 1 target failed:\n",
    ],
    ids=["unittest", "go", "mocha", "cargo"],
)
def test_a_green_run_within_hides_no_red_one(text: str) -> None:
    summary = read_test_summary(text)
    assert summary is not None
    assert summary.is_red
