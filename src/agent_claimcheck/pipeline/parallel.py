"""Slow work on many items in threads, with results in the order of the items.

A reader must not miss: an interruption sends nothing more, but waits for what is under way, because it is paid for. A
second interruption gives that up: the threads are daemons, so the program can leave without them.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_WAITING_PER_THREAD = 4
"""Items read ahead for each thread: enough to keep all busy behind one slow call, and memory stays bounded."""


_LOOK_UP_S = 0.5
"""Seconds after which a wait is begun anew: a signal that arrives just before a wait begins does not end it."""


class Stoppable(Protocol):
    """What the work uses: ``stop`` makes it send nothing more, ``abandon`` writes off what is under way."""

    def stop(self) -> None: ...

    def abandon(self) -> None: ...


def map_in_order(
    items: Iterable[T],
    work: Callable[[T], R],
    threads: int,
    resource: Stoppable,
    *,
    on_interrupt: Callable[[], None] | None = None,
) -> Iterator[tuple[T, R]]:
    """Yield ``(item, work(item))`` in the order of ``items``, computed in up to ``threads`` threads.

    On an interruption ``on_interrupt`` is called, what is under way is waited for, the finished results before the first
    unfinished one are still yielded, and it is raised again.
    """
    pool = _Pool(work, threads)
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
                waiting.append((item, pool.submit(item)))
            if waiting:
                item, future = waiting[0]
                while not future.done():
                    wait([future], _LOOK_UP_S)
                result = future.result()
                waiting.popleft()
                yield item, result
    except KeyboardInterrupt:
        _wind_up(pool, waiting, resource, on_interrupt)
        while waiting and waiting[0][1].done() and not waiting[0][1].cancelled():
            item, future = waiting.popleft()
            if future.exception() is None:
                yield item, future.result()
        raise
    finally:
        # Reached by a consumer that stops reading, too: what is under way is settled before the files are closed.
        if waiting and not pool.is_given_up:
            _wind_up(pool, waiting, resource, None)
        pool.end()


def _wind_up(
    pool: _Pool[T, R],
    waiting: Iterable[tuple[T, Future[R]]],
    resource: Stoppable,
    on_interrupt: Callable[[], None] | None,
) -> None:
    try:
        if on_interrupt is not None:
            on_interrupt()
        resource.stop()
        for _, future in waiting:
            future.cancel()
        pool.end()
        pool.join()
    except KeyboardInterrupt:
        pool.is_given_up = True
        resource.abandon()
        raise


class _Pool(Generic[T, R]):
    """A few daemon threads. The standard pool would be waited for when the program ends, come what may."""

    def __init__(self, work: Callable[[T], R], threads: int) -> None:
        self._work = work
        self._most = threads
        self._tasks: queue.SimpleQueue[tuple[T, Future[R]] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self.is_given_up = False

    def submit(self, item: T) -> Future[R]:
        future: Future[R] = Future()
        self._tasks.put((item, future))
        if len(self._threads) < self._most:
            thread = threading.Thread(target=self._run, name=f"judge-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def end(self) -> None:
        """Let the threads end once the tasks are done or cancelled."""
        for _ in self._threads:
            self._tasks.put(None)

    def join(self) -> None:
        for thread in self._threads:
            while thread.is_alive():
                thread.join(_LOOK_UP_S)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            item, future = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = self._work(item)
            except BaseException as error:  # noqa: BLE001 - handed to whoever waits for the result
                future.set_exception(error)
            else:
                future.set_result(result)
