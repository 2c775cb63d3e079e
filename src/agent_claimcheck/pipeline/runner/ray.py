"""The engine of a cluster: every part is one Ray task that does the same work as a local worker.

A reader must not miss: Ray itself retries a part whose node or worker is lost. A part that ends one Ray worker after the
other is done by a local worker process instead, which finds the trace to blame and sets it aside. Inputs must be readable
from every node under the same name. A worker that sees the directory of the driver writes its part there; from any other
the results come back through memory.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from agent_claimcheck.core.errors import MissingExtraError, OutputError, UsageError
from agent_claimcheck.core.scratch import scratch_directory
from agent_claimcheck.core.text import printable
from agent_claimcheck.pipeline.runner.parts import Part
from agent_claimcheck.pipeline.runner.processes import ProcessEngine
from agent_claimcheck.pipeline.runner.ray_budget import open_desk
from agent_claimcheck.pipeline.runner.report import (
    PROBLEMS_SUFFIX,
    RESULTS_SUFFIX,
    V1_SUFFIX,
    PartReport,
)
from agent_claimcheck.pipeline.runner.work import PartTask, PartWork, PartWorker, deliver_part

_RETRIES = 2


class RayEngine:
    """Does parts as Ray tasks, on this machine or on the cluster at ``address``."""

    def __init__(self, work: PartWork, directory: Path, *, address: str | None = None, workers: int = 0) -> None:
        """Part files go to ``directory`` on this machine. ``workers`` bounds the tasks in flight; 0: one for each core.

        Raises ``MissingExtraError`` without Ray and ``UsageError`` when the cluster cannot be reached, and
        ``OutputError`` when nothing can be written to ``directory``.
        """
        try:
            import ray
        except ImportError as error:
            from agent_claimcheck.core.install import install_hint

            raise MissingExtraError("--engine ray needs Ray", hint=install_hint("ray")) from error
        self._ray: Any = ray
        self._sign = _put_sign(directory)
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            _connect(ray, address)
        self.slots = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._work, self._directory = work, directory
        self._desk, spread = open_desk(ray, work.spec)
        self._shared = ray.put(replace(work, spec=spread).shared_by(self.slots))
        self._task = ray.remote(max_retries=_RETRIES)(_do)
        self._under_way: dict[Any, Part] = {}

    def start(self, part: Part) -> None:
        """Send ``part`` to the cluster."""
        self._under_way[self._task.remote(self._shared, part, self._sign)] = part

    def wait(self) -> PartReport:
        """Return the next finished part. Raises ``OutputError`` when its files cannot be written here."""
        ray = self._ray
        ready, _ = ray.wait(list(self._under_way), num_returns=1)
        part = self._under_way.pop(ready[0])
        try:
            report, files = ray.get(ready[0])
        except ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None
        except ray.exceptions.RayError:
            return self._do_here(part)
        if files is None:
            here: PartReport = replace(report, directory=str(self._directory))
            return here
        return deliver_part(report, files, self._directory, is_durable=self._work.is_durable)

    def close(self) -> None:
        """Cancel what is under way; leave the cluster if this engine joined it."""
        for task in self._under_way:
            self._ray.cancel(task, force=True)
        self._under_way = {}
        self._sign.unlink(missing_ok=True)
        if self._is_ours:
            self._ray.shutdown()

    def _do_here(self, part: Part) -> PartReport:
        engine = ProcessEngine(self._work, self._directory, 1)
        try:
            engine.start(part)
            return engine.wait()
        finally:
            engine.close()


def _connect(ray: Any, address: str | None) -> None:
    try:
        ray.init(address=address, include_dashboard=False if address is None else None, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        place = printable(address) if address else "this machine"
        raise UsageError(f"cannot reach Ray at {place}: {printable(str(error))[:300]}", slug="ray") from None


def _put_sign(directory: Path) -> Path:
    """Make an empty file in ``directory`` by which a worker knows that it sees the same directory."""
    try:
        handle, name = tempfile.mkstemp(prefix=".driver-", suffix=".tmp", dir=directory.absolute())
    except OSError as error:
        raise OutputError(f"cannot write to {printable(str(directory))}: {error.strerror or error}") from None
    os.close(handle)
    return Path(name)


_worker: tuple[PartWork, PartWorker] | None = None


def _do(work: PartWork, part: Part, sign: Path) -> tuple[PartReport, Mapping[str, bytes] | None]:
    """Runs in a Ray worker. One ``PartWorker`` stays for all parts of the same work.

    ``sign`` is a file that the driver put where parts go: whoever sees it, and may write there, does so and sends the report
    alone.
    """
    global _worker
    if _worker is None or _worker[0] != work:
        if _worker is not None:
            _worker[1].close()
        _worker = (work, PartWorker(work))
    # Asked of the system: a directory that only its owner may enter, or that is mounted to be read, is no place to write to.
    if os.access(sign, os.F_OK) and os.access(sign.parent, os.W_OK | os.X_OK):
        return _worker[1].do(PartTask(part=part, directory=str(sign.parent))), None
    with scratch_directory() as directory:
        report = _worker[1].do(PartTask(part=part, directory=str(directory)))
        files = {
            suffix: report.path(suffix).read_bytes()
            for suffix in (RESULTS_SUFFIX, V1_SUFFIX, PROBLEMS_SUFFIX)
            if report.path(suffix).exists()
        }
    return report, files
