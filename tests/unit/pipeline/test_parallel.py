"""Slow work in threads: order, faults, consumers that stop, interruption."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from agent_claimcheck.pipeline.parallel import map_in_order


class Resource:
    def __init__(self) -> None:
        self.calls: list[str] = []

    def stop(self) -> None:
        self.calls.append("stop")

    def abandon(self) -> None:
        self.calls.append("abandon")


def test_results_come_in_the_order_of_the_items() -> None:
    gates = [threading.Event() for _ in range(8)]

    def work(n: int) -> int:
        # Every item waits for the next one, so within a batch they finish last to first.
        if n % 8 != 7:
            assert gates[n % 8 + 1].wait(10)
        gates[n % 8].set()
        return n * n

    assert list(map_in_order(range(8), work, 8, Resource())) == [(n, n * n) for n in range(8)]


def test_items_are_read_only_a_little_ahead() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for n in range(10_000):
            taken.append(n)
            yield n

    results = map_in_order(items(), lambda n: n, 2, Resource())
    assert next(results) == (0, 0)
    assert len(taken) <= 10
    results.close()  # type: ignore[attr-defined]


def test_fault_of_one_item_is_raised_at_its_place() -> None:
    def work(n: int) -> int:
        if n == 3:
            raise ValueError("three")
        return n

    seen: list[int] = []
    with pytest.raises(ValueError, match="three"):
        for n, _ in map_in_order(range(6), work, 2, Resource()):
            seen.append(n)
    assert seen == [0, 1, 2]


def test_consumer_that_stops_reading_stops_the_work() -> None:
    resource = Resource()
    done: list[int] = []
    results = map_in_order(range(1000), done.append, 2, resource)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert resource.calls == ["stop"]
    assert len(done) <= 10


def test_interruption_yields_what_is_done_and_is_raised_again() -> None:
    resource = Resource()

    def items() -> Iterator[int]:
        yield from range(3)
        raise KeyboardInterrupt

    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        for n, _ in map_in_order(items(), lambda n: n, 1, resource):
            seen.append(n)
    assert seen == [0, 1, 2][: len(seen)]
    assert resource.calls[0] == "stop"


def test_nothing_to_do_is_fine() -> None:
    assert list(map_in_order([], len, 4, Resource())) == []
