"""What a closing message says of its checks: who names an exception owns up to a red one, who counts all of them does not."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.told_checks import owns_up_to_red


@pytest.mark.parametrize(
    "told",
    [
        "Rebuilt, ran ctest, 12 out of 12 pass.",
        "The lint step finishes without errors now.",
        "`go test` completes and reports success.",
        "All tests pass.",
    ],
)
def test_a_count_of_all_owns_up_to_nothing(told: str) -> None:
    assert not owns_up_to_red(told)


@pytest.mark.parametrize(
    "told",
    [
        "11 out of 12 pass.",
        "It builds without the tests.",
        "`go test` reports two races.",
        "All tests pass except the slow one.",
        "One test still fails.",
        "Test run: 38 passed, 2 failed.",
        "38/40 tests green.",
        "Save for the timezone ones everything passes.",
        "Suite: 38 ✅ / 2 ❌.",
        "The suite is at 38 green and 2 red.",
    ],
)
def test_who_names_an_exception_owns_up(told: str) -> None:
    assert owns_up_to_red(told)
