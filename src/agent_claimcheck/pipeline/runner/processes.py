"""The engine of one machine: worker processes that are restarted when they die.

A reader must not miss: every worker is a pool of one process. A pool of several breaks as a whole when one process is
killed, and cannot say which; here the others work on, and the mark of the dead one names the trace it was at.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any

from agent_claimcheck.core.errors import ClaimcheckError
from agent_claimcheck.pipeline.runner.marks import Mark, MarkBoard
from agent_claimcheck.pipeline.runner.parts import Part
from agent_claimcheck.pipeline.runner.report import PartReport
from agent_claimcheck.pipeline.runner.work import PartTask, PartWork, PartWorker

_DEATHS_AT_A_PLACE = 2
_DEATHS_AT_NO_PLACE = 5
"""Deaths of one part before anything of it was touched: then no worker can start here, and trying on is useless."""


class WorkersDieError(ClaimcheckError):
    """Workers end again and again without having read anything."""

    slug = "workers_die"


class ProcessEngine:
    """Does parts in ``workers`` processes (spawned, so nothing of this process leaks into them)."""

    def __init__(self, work: PartWork, directory: Path, workers: int) -> None:
        """Part files go to ``directory``. Processes start with the first parts."""
        context = multiprocessing.get_context("spawn")
        self.slots = workers
        self.restarts = 0
        """Workers that died and were replaced so far."""
        self._directory = directory
        self._idle = [_Worker(work, context) for _ in range(workers)]
        self._busy: dict[Future[PartReport], tuple[_Worker, PartTask]] = {}
        self._deaths: dict[int, Counter[Mark | None]] = {}

    def start(self, part: Part) -> None:
        """Give ``part`` to an idle worker."""
        self._give(self._idle.pop(), PartTask(part=part, directory=str(self._directory)))

    def wait(self) -> PartReport:
        """Return the next finished part; a part whose worker died is redone first.

        Raises ``OutputError`` when part files cannot be written, ``WorkersDieError`` when no worker can start.
        """
        while True:
            done, _ = wait(self._busy, return_when=FIRST_COMPLETED)
            future = done.pop()
            worker, task = self._busy.pop(future)
            try:
                report = future.result()
            except BrokenProcessPool:
                self.restarts += 1
                worker.restart()
                self._give(worker, self._after_death(task, worker.last_mark))
                continue
            except BaseException:
                self._idle.append(worker)
                raise
            self._idle.append(worker)
            self._deaths.pop(report.index, None)
            return report

    def close(self) -> None:
        """Tell all workers to stop after the trace they are at, and wait for them. A second interruption kills them."""
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        self._idle, self._busy = [], {}
        for worker in workers:
            worker.tell_stop()
        try:
            for worker in workers:
                worker.end()
        except KeyboardInterrupt:
            for worker in workers:
                worker.kill()
            raise

    @property
    def worker_pids(self) -> list[int]:
        """Process ids of the workers that are running, in no order."""
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        return [pid for worker in workers if (pid := worker.pid)]

    def _give(self, worker: _Worker, task: PartTask) -> None:
        self._busy[worker.submit(task)] = (worker, task)

    def _after_death(self, task: PartTask, mark: Mark | None) -> PartTask:
        """Return the task to be tried next: without the place that ended two workers."""
        deaths = self._deaths.setdefault(task.part.index, Counter())
        deaths[mark] += 1
        set_aside = task.set_aside
        if mark is None and deaths[mark] >= _DEATHS_AT_NO_PLACE:
            raise WorkersDieError("worker processes end before they read anything", hint="run with --jobs 1 to see why")
        if mark is not None and deaths[mark] >= _DEATHS_AT_A_PLACE:
            set_aside |= {mark}
        return PartTask(part=task.part, directory=task.directory, set_aside=set_aside, is_careful=True)


class _Worker:
    """One worker process and the board it keeps its marks on."""

    def __init__(self, work: PartWork, context: Any) -> None:
        self._work = work
        self._context = context
        self._cells = context.RawArray("q", 5)
        self._board = MarkBoard(self._cells)
        self._pool = self._new_pool()
        self.last_mark: Mark | None = None

    @property
    def pid(self) -> int:
        """The process, 0 before it began."""
        return self._board.pid

    def submit(self, task: PartTask) -> Future[PartReport]:
        self._board.begin(task.part.index)
        try:
            future = self._pool.submit(_do, task)
        except BrokenProcessPool:  # it died while it had nothing to do
            self.restart()
            future = self._pool.submit(_do, task)
        return future

    def restart(self) -> None:
        self.last_mark = self._board.read()
        self._board.begin_process(0)
        self._pool.shutdown(wait=False)
        self._pool = self._new_pool()

    def tell_stop(self) -> None:
        self._board.tell_stop()

    def end(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def kill(self) -> None:
        """End the process at once, whatever it is at."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, initializer=_begin, initargs=(self._work, self._cells))


class _Stopped(Exception):
    """The driver told this worker to stop."""


_worker: PartWorker | None = None
_board: MarkBoard | None = None


def _begin(work: PartWork, cells: Any) -> None:
    """Runs once in every worker process."""
    global _worker, _board
    # Ctrl-C goes to the whole group; the driver decides what it means and tells the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _board = MarkBoard(cells)
    _board.begin_process(os.getpid())
    _worker = PartWorker(work)
    _worker.warm_up()


def _leave_with_parent() -> None:
    """End this process when its driver is gone; the queue it waits on would never tell."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _do(task: PartTask) -> PartReport:
    worker, board = _worker, _board
    if worker is None or board is None:
        raise RuntimeError("the worker was not begun")

    def mark(piece: int, position: int) -> None:
        if board.must_stop:
            raise _Stopped
        board.mark(piece, position)

    report = worker.do(task, mark)
    board.end()
    return report
