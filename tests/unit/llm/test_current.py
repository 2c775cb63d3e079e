"""The client in force: nesting, restoring, and inheritance by worker threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from agent_claimcheck.llm.current import current_client, using


class Client:
    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        return "{}"


def seen_in_new_thread() -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(current_client).result()


def test_blocks_nest_and_restore() -> None:
    outer, inner = Client(), Client()
    assert current_client() is None
    with using(outer):
        with using(inner) as given:
            assert given is inner
            assert current_client() is inner
        assert current_client() is outer
    assert current_client() is None


def test_block_is_left_when_it_raises() -> None:
    with pytest.raises(KeyError), using(Client()):
        raise KeyError
    assert current_client() is None
    assert seen_in_new_thread() is None


def test_worker_threads_started_inside_inherit() -> None:
    outer, inner = Client(), Client()
    with using(outer):
        assert seen_in_new_thread() is outer
        with using(inner), ThreadPoolExecutor(3) as pool:
            assert set(pool.map(lambda _: current_client(), range(9))) == {inner}
        assert seen_in_new_thread() is outer
    assert seen_in_new_thread() is None


def test_threads_of_threads_inherit() -> None:
    client = Client()
    with using(client), ThreadPoolExecutor(1) as pool:
        assert pool.submit(seen_in_new_thread).result() is client


def test_thread_that_was_running_before_does_not_inherit() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(current_client).result()
        with using(Client()):
            assert pool.submit(current_client).result() is None


def test_worker_that_outlives_the_block_loses_the_client() -> None:
    with ThreadPoolExecutor(1) as pool:
        with using(Client()) as client:
            assert pool.submit(current_client).result() is client
        assert pool.submit(current_client).result() is None


def test_own_block_of_a_worker_wins() -> None:
    own = Client()

    def work() -> object:
        with using(own):
            return current_client()

    with using(Client()), ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result() is own


def test_unrelated_blocks_of_two_threads_are_never_mixed_up() -> None:
    first, second = Client(), Client()
    is_open, may_close = threading.Event(), threading.Event()
    seen: list[object] = []

    def other() -> None:
        with using(second):
            seen.append(current_client())
            is_open.set()
            may_close.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    assert is_open.wait(10)
    with using(first):
        assert current_client() is first
        # The new thread could have been started by either block: no client rather than the wrong one.
        assert seen_in_new_thread() is None
    may_close.set()
    thread.join(10)
    assert seen == [second]
