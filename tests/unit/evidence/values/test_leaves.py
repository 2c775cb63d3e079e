"""The leaves of JSON as text: order, what counts as a leaf, and the bounds."""

from __future__ import annotations

from agent_claimcheck.evidence.values.leaves import leaf_text, read_leaves


def test_texts_and_numbers_stand_in_order_a_line_each_in_lower_case() -> None:
    value = {"a": "Room", "b": [{"c": 7, "d": None}, ["X", True, 2.5]], "e": "End"}
    assert leaf_text([value, "Next"]) == "room\n7\nx\n2.5\nend\nnext"


def test_nothing_gives_nothing() -> None:
    assert leaf_text([]) == leaf_text([{}, [], None]) == ""


def test_an_endless_integer_is_an_empty_line() -> None:
    assert leaf_text([1, 10**5000, 2]) == "1\n\n2"


def test_long_leaves_and_many_leaves_are_cut() -> None:
    assert len(leaf_text(["x" * 50_000, "y"])) == 20_000 + 2
    assert leaf_text([["a"] * 1_500, ["b"] * 1_500]).count("\n") == 2_000 - 1
    assert len(leaf_text(["z" * 19_999] * 100)) < 230_000


def test_a_wide_container_counts_its_first_members() -> None:
    assert leaf_text([[None] * 2_500 + ["late"], "after"]) == "after"


def test_deep_nesting_needs_no_stack() -> None:
    deep: list[object] = ["bottom"]
    for _ in range(50_000):
        deep = [deep]
    assert leaf_text([deep]) == "bottom"


def test_members_of_other_types_are_read_as_what_they_are() -> None:
    class Word(str):
        __slots__ = ()

    assert leaf_text([{"a": Word("Own"), "b": 3}]) == "own\n3"


def test_the_quick_walk_gives_up_where_a_bound_could_matter() -> None:
    assert read_leaves([{"a": ["x", 1, None, True]}, 2.5]) == ["x", 1, 2.5]
    assert read_leaves([["a"] * 1_500, ["b"] * 1_500]) is None
    assert read_leaves([("a", "b")]) is None
