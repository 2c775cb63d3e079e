"""``--probes-from``: the readings a probes file asks for, made while a command runs.

A reader must not miss: a faulty probes file, or a variable it names and nobody set, is an error before anything is read.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from agent_claimcheck.cli.console import note

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import CaseSettings
    from agent_claimcheck.pipeline.probes_run import ProbeSession


def open_session(path: Path | None, case: CaseSettings, stack: ExitStack) -> ProbeSession | None:
    """Return the session that makes the readings of the probes file ``path``, closed with ``stack``; ``None`` without one."""
    if path is None:
        return None
    from agent_claimcheck.pipeline.probes_run import ProbeSession, load_probe_file

    return stack.enter_context(ProbeSession(load_probe_file(path), os.environ, case))


def say_readings(session: ProbeSession | None) -> None:
    """Tell what was read and what could not be."""
    if session is not None:
        for line in (*session.notes(), session.summary()):
            note(line)
