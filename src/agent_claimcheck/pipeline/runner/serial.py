"""The engine without workers: every part is done in this process, at once."""

from __future__ import annotations

from pathlib import Path

from agent_claimcheck.pipeline.runner.parts import Part
from agent_claimcheck.pipeline.runner.report import PartReport
from agent_claimcheck.pipeline.runner.work import PartTask, PartWork, PartWorker


class SerialEngine:
    """Does one part at a time, when it is waited for."""

    slots = 1

    def __init__(self, work: PartWork, directory: Path) -> None:
        """Part files go to ``directory``. Raises what building a ``Checker`` raises."""
        self._worker = PartWorker(work)
        self._directory = directory
        self._part: Part | None = None

    def start(self, part: Part) -> None:
        """Take one part."""
        self._part = part

    def wait(self) -> PartReport:
        """Do the part that was taken. Raises ``OutputError`` when its files cannot be written."""
        part, self._part = self._part, None
        if part is None:
            raise RuntimeError("no part was started")
        return self._worker.do(PartTask(part=part, directory=str(self._directory)))

    def close(self) -> None:
        """Close the worker."""
        self._worker.close()
