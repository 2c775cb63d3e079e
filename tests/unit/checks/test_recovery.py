"""Which later call recovers an error, and that looking for it stays cheap."""

from __future__ import annotations

from agent_claimcheck.checks.recovery import RecoveryFinder
from agent_claimcheck.checks.run import ToolCall


def finder(
    calls: list[ToolCall], worked: list[bool], reading: str = "documented", **fallbacks: list[str]
) -> RecoveryFinder:
    return RecoveryFinder(calls, worked, fallbacks, reading)  # type: ignore[arg-type]


def calls(*names: str) -> list[ToolCall]:
    return [ToolCall(name=name) for name in names]


def test_earliest_of_retry_and_fallbacks_wins() -> None:
    found = finder(calls("a", "c", "b", "a"), [False, True, True, True], a=["b", "c"]).find(0)

    assert found is not None
    assert (found.position, found.how) == (1, "fallback")


def test_tool_declared_as_its_own_fallback_is_a_retry() -> None:
    found = finder(calls("a", "a"), [False, True], a=["a"]).find(0)

    assert found is not None
    assert found.how == "retried"


def test_many_errors_of_one_tool_with_many_fallbacks_find_the_same_as_few() -> None:
    names = [f"f{index % 7}" for index in range(40)]
    run = calls(*(name for pair in zip(["a"] * 40, names, strict=True) for name in pair))
    worked = [call.name != "a" for call in run]
    search = finder(run, worked, a=[f"f{index}" for index in range(7)])

    found = [search.find(position) for position in range(0, 80, 2)]

    assert [one.position for one in found if one is not None] == list(range(1, 80, 2))


def test_strict_reading_finds_the_same_record_behind_many_others() -> None:
    orders = [1, *range(2, 400), 1]
    run = [ToolCall(name="pay", arguments={"order": order}) for order in orders]

    found = finder(run, [False, *[True] * 399], "strict").find(0)

    assert found is not None
    assert found.position == 399


def test_strict_reading_accepts_a_retry_that_names_nothing() -> None:
    run = [ToolCall(name="pay", arguments={"order": 1}), ToolCall(name="pay")]

    found = finder(run, [False, True], "strict").find(0)

    assert found is not None
    assert found.target_changed is None
