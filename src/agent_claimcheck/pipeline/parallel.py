"""Slow work on many items in threads, with results in the order of the items.

A reader must not miss: an interruption sends nothing more, but waits for what is under way, because it is paid for. A
second interruption gives that up too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_WAITING_PER_THREAD = 4
"""Items read ahead for each thread: enough to keep all busy behind one slow call, and memory stays bounded."""


class Stoppable(Protocol):
    """What the work uses: ``stop`` makes it send nothing more, ``close`` breaks off what is under way."""

    def stop(self) -> None: ...

    def close(self) -> None: ...


def map_in_order(
    items: Iterable[T], work: Callable[[T], R], threads: int, resource: Stoppable
) -> Iterator[tuple[T, R]]:
    """Yield ``(item, work(item))`` in the order of ``items``, computed in up to ``threads`` threads.

    On an interruption the finished results before the first unfinished one are still yielded, then it is raised again.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="judge")
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        source = iter(items)
        has_more = True
        while has_more or waiting:
            while has_more and len(waiting) < threads * _WAITING_PER_THREAD:
                try:
                    item = next(source)
                except StopIteration:
                    has_more = False
                    break
                waiting.append((item, pool.submit(work, item)))
            if waiting:
                item, future = waiting[0]
                result = future.result()
                waiting.popleft()
                yield item, result
    except KeyboardInterrupt:
        _wind_up(pool, resource)
        while waiting and waiting[0][1].done() and not waiting[0][1].cancelled():
            item, future = waiting.popleft()
            if future.exception() is None:
                yield item, future.result()
        raise
    finally:
        # Reached by a consumer that stops reading, too: what is under way is settled before the files are closed.
        _wind_up(pool, resource) if waiting else pool.shutdown()


def _wind_up(pool: ThreadPoolExecutor, resource: Stoppable) -> None:
    resource.stop()
    try:
        pool.shutdown(wait=True, cancel_futures=True)
    except KeyboardInterrupt:
        resource.close()
        pool.shutdown(wait=True, cancel_futures=True)
        raise
