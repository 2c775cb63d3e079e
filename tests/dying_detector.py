"""A detector that ends its own process on certain traces, for the tests of what happens then.

A reader must not miss: importing this module registers it. ``NO_SUPPRESSIONS`` is pickled by reference to this module,
so a worker process that receives it imports the module as well.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from agent_claimcheck import DetectorOutput, Evidence, register_detector

NAME = "dies-on-demand"
ONCE = "dies-once:"
ALWAYS = "dies-always"


class DyingDetector:
    """Ends the process with SIGKILL: always for one task, and once for a task that names a file to be made."""

    name = NAME

    def detect(self, evidence: Evidence) -> DetectorOutput:
        """Answer, or die."""
        task = evidence.view.task.id
        if task == ALWAYS:
            os.kill(os.getpid(), signal.SIGKILL)
        if task.startswith(ONCE):
            mark = Path(task.removeprefix(ONCE))
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return DetectorOutput(detector=self.name, p_success=0.9)


class _None(tuple[Any, ...]):
    """An empty tuple that brings this module along."""

    def __reduce__(self) -> tuple[type[_None], tuple[()]]:
        return _None, ()


NO_SUPPRESSIONS = _None()

register_detector(NAME, DyingDetector)
