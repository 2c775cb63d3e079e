"""Standard input can be read once: by one of the things a command reads, and by one process.

A reader must not miss: read twice, it is empty the second time, which looks like a file without traces.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.trace.probes import load_probes, probe_line
from agent_claimcheck.trace.streams import STDIN


def refuse_shared(inputs: Sequence[str], probes: Path | None) -> None:
    """Raise ``UsageError`` when both the traces and the probes would come from standard input."""
    if str(probes) == STDIN and STDIN in inputs:
        raise UsageError(
            "- stands for standard input, which cannot be both INPUT and --probes",
            hint="write one of them to a file",
            slug="stdin",
        )


def spool_probes(probes: Path | None, directory: Path) -> Path | None:
    """Return a file of the probes that several processes can read: a copy in ``directory`` of those on standard input.

    Raises ``InputError`` for what is no probe, named as in a run of one process.
    """
    if str(probes) != STDIN:
        return probes
    copy = directory / "probes.jsonl"
    with copy.open("wb") as file:
        for trace_id, found in load_probes(STDIN).items():
            file.writelines(probe_line(trace_id, probe) for probe in found)
    return copy
