"""What a red result says of the code: nothing where the tool calls it a success, or where only warnings are left."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.coding.check_results import calls_itself_green, ends_green, names_of_red
from agent_claimcheck.evidence.receipts.reading import Receipt

FAILED = Receipt(state="failed", source="flag", confidence=0.98, reason="exit code 1")


@pytest.mark.parametrize(
    "beside", [{"conclusion": "success"}, {"new_failures": []}, {"verdict": "PASS"}, {"ok": True}, {"exit": 0}]
)
def test_a_field_beside_the_counts_tells_success(beside: dict[str, Any]) -> None:
    assert calls_itself_green({"passed": 40, "failed": 2, **beside})


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"conclusion": "failure"},
        {"new_failures": ["a"]},
        {"verdict": "FAIL"},
        {"ok": False},
        {"exit": 1},
        {"ran": True},
    ],
)
def test_counts_alone_tell_none(beside: dict[str, Any]) -> None:
    assert not calls_itself_green({"passed": 40, "failed": 2, "errors": 0, "skipped": 0, **beside})


@pytest.mark.parametrize(
    ("output", "is_green"),
    [
        ("✖ 7 problems (0 errors, 7 warnings)\n", True),
        ("    4 Warning(s)\n    0 Error(s)\n", True),
        ("✖ 7 problems (1 error, 6 warnings)\n", False),
        ("a: 0 errors\nb: 2 errors\n", False),
        ("ok  \tx/api\t0.1s\nFAIL\tx/mail\t0.2s\nFAIL\n", False),
        ("FAIL\tx/old\t0.1s\nend of replay\nok  \tx/wrapper\t0.4s\n", True),
    ],
)
def test_an_output_ends_well(output: str, is_green: bool) -> None:
    assert ends_green(FAILED, output) is is_green


@pytest.mark.parametrize(
    ("command", "output", "names"),
    [
        ("pytest -q", "1 failed, 9 passed", set()),
        ("pytest -q", '{"exit_code": 1, "stdout": "1 failed, 9 passed"}', set()),
        ("pytest tests/test_slug.py", "1 failed in 0.1s", {"slug"}),
        (
            "pytest -q",
            "tests/test_tags.py ok\nFAILED tests/test_slug.py::test_umlauts - boom",
            {"slug", "umlauts", "boom"},
        ),
    ],
)
def test_red_tests_are_known_by_what_they_are_named_after(command: str, output: str, names: set[str]) -> None:
    assert names_of_red(command, output) == names
