"""What a closing message says of its checks: who names an exception owns up to a red one, who counts all of them does not."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.coding.told_checks import green_sentences, owns_up_to_red, tells_of_red


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


@pytest.mark.parametrize(
    ("told", "command"),
    [
        ("The tests pass.", "npm test"),
        ("The whole suite is green.", "pytest -q"),
        ("The sort tests pass.", "npx vitest run sort"),
        ("mypy passes for core.", "mypy core"),
    ],
)
def test_green_is_heard_of_what_was_run(told: str, command: str) -> None:
    assert green_sentences(told, command, is_test=True)


@pytest.mark.parametrize(
    ("told", "command"),
    [
        ("The login tests pass.", "npm test"),
        ("Its new test passes.", "npm test"),
        ("mypy passes for core.", "mypy ."),
        ("ruff is clean there.", "ruff check ."),
        ("npm test works again.", "npm test"),
        ("Once merged, the tests pass.", "npm test"),
    ],
)
def test_green_of_a_part_or_of_a_runner_is_not_heard_of_all(told: str, command: str) -> None:
    assert not green_sentences(told, command, is_test=True)


@pytest.mark.parametrize(
    "told",
    [
        "fix the slug. test_dst is red since Monday",
        "two snapshot tests are broken anyway",
        "we know parse_deep doesn't pass",
    ],
)
def test_a_user_tells_of_red_tests(told: str) -> None:
    assert tells_of_red(told)
    assert not tells_of_red("please fix the slug of titles with umlauts")
