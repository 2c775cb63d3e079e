"""Reads the summary a test runner prints: how many passed, failed, broke or were skipped.

A reader must not miss: the summary outranks the exit code. ``pytest | tail`` exits 0 and still says "2 failed". Only
the end of a text is read, because every runner prints its totals last.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from agent_claimcheck.core.text import COLOURS

TAIL_CHARS = 16_000
"""How much of the end of an output is read. Totals come last; a longer tail only finds quoted logs."""


class SuiteSummary(Struct, frozen=True, kw_only=True):
    """Counts as the runner printed them; all are >= 0. ``total`` excludes deselected tests. ``runner`` names the format."""

    passed: int
    failed: int
    errors: int
    skipped: int
    total: int
    runner: str

    @property
    def is_red(self) -> bool:
        """True when at least one test failed or broke."""
        return self.failed > 0 or self.errors > 0


_HINTS = (
    "pass",
    "Pass",
    "PASS",
    "fail",
    "Fail",
    "FAIL",
    "ests",
    "Ran ",
    "OK (",
    "examples",
    "ok",
    "not ok",
    "runs, ",
    "Executed ",
    "error",
    "skipped",
)
_TEXT_KEYS = ("stdout", "output", "stderr", "result", "content", "text", "summary", "message", "log", "logs")
_COUNT_KEYS = ("summary", "stats", "totals", "counts", "results")


def read_test_summary(text: str) -> SuiteSummary | None:
    """Return the totals of the last test run printed in ``text``, or ``None`` when it holds no known summary.

    Knows pytest, unittest, jest, vitest, mocha, go, cargo, Maven, JUnit, Gradle, TAP, RSpec, minitest, dotnet, PHPUnit,
    CTest, Swift, Deno and Bun. Linear in ``TAIL_CHARS``; never raises.
    """
    tail = text[-TAIL_CHARS:]
    if not any(hint in tail for hint in _HINTS):
        return None
    from agent_claimcheck.evidence.coding.suite_formats import READERS  # many patterns, needed by few traces

    if "\x1b" in tail:
        tail = COLOURS.sub("", tail)
    for reader, signs in READERS:
        for sign in signs:
            if sign in tail:
                summary = reader(tail)
                if summary is not None:
                    return summary
                break
    return None


def read_tests(parsed: Any) -> SuiteSummary | None:
    """Return the totals in a tool's output: a text, an object with the text in a field, or an object of counts."""
    if isinstance(parsed, str):
        return read_test_summary(parsed)
    if not isinstance(parsed, dict):
        return None
    for key in _TEXT_KEYS:
        text = parsed.get(key)
        if isinstance(text, str) and text:
            summary = read_test_summary(text)
            if summary is not None:
                return summary
    for body in (parsed, *[parsed[key] for key in _COUNT_KEYS if isinstance(parsed.get(key), dict)]):
        summary = _read_counts(body)
        if summary is not None:
            return summary
    return None


def _read_counts(body: dict[str, Any]) -> SuiteSummary | None:
    """``{"passed": 12, "failed": 0}``, with counts or lists of names."""
    passed = _count(body, "passed", "num_passed", "tests_passed", "passes")
    failed = _count(body, "failed", "num_failed", "tests_failed", "failures")
    if passed is None or failed is None:
        return None
    errors, skipped = _count(body, "errors", "num_errors") or 0, _count(body, "skipped", "num_skipped") or 0
    total = _count(body, "total", "tests", "num_tests") or passed + failed + errors + skipped
    return SuiteSummary(passed=passed, failed=failed, errors=errors, skipped=skipped, total=total, runner="fields")


def _count(body: dict[str, Any], *keys: str) -> int | None:
    for key in keys:
        value = body.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        if isinstance(value, list):
            return len(value)
    return None
