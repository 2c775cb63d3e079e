"""Streams of choices: stable, independent by name, and fair."""

from __future__ import annotations

from collections import Counter

import pytest

from agent_claimcheck.lab.dataset.names import divide, make_name, make_pools
from agent_claimcheck.lab.dataset.streams import Stream


def test_choices_are_the_recorded_ones() -> None:
    stream = Stream(20260924, "a", 1)
    assert [stream.below(1000) for _ in range(5)] == [377, 63, 349, 356, 402]
    assert stream.shuffled(range(8)) == [0, 4, 5, 3, 1, 7, 2, 6]
    assert stream.token(12) == "ecb76a26e4ef"


def test_a_name_makes_a_stream_of_its_own() -> None:
    assert Stream(1, "a").token(8) != Stream(1, "b").token(8)
    assert Stream(1, "a").token(8) != Stream(2, "a").token(8)
    assert Stream(1, "a").sub("b").token(8) == Stream(1, "a", "b").token(8)


def test_drawing_from_a_stream_does_not_move_those_below_it() -> None:
    stream = Stream(1, "a")
    before = stream.sub("b").token(8)
    stream.token(100)
    assert stream.sub("b").token(8) == before


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10])
def test_numbers_below_n_are_equally_frequent(n: int) -> None:
    stream = Stream(1, "below", n)
    counts = Counter(stream.below(n) for _ in range(3000))
    assert set(counts) == set(range(n))
    assert all(abs(count - 3000 / n) < 5 * (3000 / n) ** 0.5 + 1 for count in counts.values())


def test_weights_are_kept() -> None:
    stream = Stream(1, "w")
    counts = Counter(stream.weighted({"a": 3, "b": 1, "c": 0}) for _ in range(4000))
    assert counts["c"] == 0 and 2800 < counts["a"] < 3200


def test_chance_of_nothing_and_of_everything() -> None:
    stream = Stream(1, "c")
    assert not any(stream.chance(0.0) for _ in range(50))
    assert all(stream.chance(1.0) for _ in range(50))


def test_a_shuffle_keeps_every_entry_and_every_order_occurs() -> None:
    stream = Stream(1, "s")
    orders = Counter(tuple(stream.shuffled("abc")) for _ in range(600))
    assert len(orders) == 6 and min(orders.values()) > 60


def test_pools_share_nothing_and_hold_two_thirds_for_train() -> None:
    pools = make_pools(1, {"titles": [f"t{k}" for k in range(18)]}, ["Works"])
    train, test = pools["train"], pools["test"]
    assert (len(train.people), len(test.people)) == (30, 15)
    assert (len(train.companies), len(test.companies)) == (20, 10)
    assert (len(train.words["titles"]), len(test.words["titles"])) == (12, 6)
    assert not {name for pair in train.people for name in pair} & {name for pair in test.people for name in pair}
    assert not set(train.companies) & set(test.companies)
    assert sorted(train.words["titles"] + test.words["titles"]) == sorted(f"t{k}" for k in range(18))


def test_a_list_is_divided_two_to_one() -> None:
    assert (len(divide(list(range(8)), "train")), len(divide(list(range(8)), "test"))) == (5, 3)
    assert (len(divide(list(range(4)), "train")), len(divide(list(range(4)), "test"))) == (3, 1)


def test_names_are_capitalised_and_of_reasonable_length() -> None:
    names = {make_name(Stream(1, "n", k)) for k in range(200)}
    assert len(names) > 150
    assert all(name.isalpha() and name.istitle() and 3 < len(name) < 10 for name in names)
