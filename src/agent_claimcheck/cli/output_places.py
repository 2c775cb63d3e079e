"""Where outputs may go: each to a place of its own, and never over a file that is read.

A reader must not miss: this is asked before anything is opened, because opening a place may already empty it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.results.writers.contract import OutputSpec


def refuse_clashes(outputs: Sequence[OutputSpec], read: Iterable[str | Path | None]) -> None:
    """Raise ``UsageError`` when two outputs share a file, or when one would replace a file that this run reads.

    Pipes and devices are shared freely: nothing written to them is lost.
    """
    sources = {_place(Path(path)): str(path) for path in read if path is not None and Path(path).is_file()}
    taken: dict[str, OutputSpec] = {}
    for spec in outputs:
        if spec.path is None or _is_stream(spec.path):
            continue
        place = _place(spec.path)
        if place in sources:
            raise UsageError(
                f"output {spec.format} would overwrite {sources[place]}, which is read here",
                hint="give it another path",
                slug="output",
            )
        other = taken.setdefault(place, spec)
        if other is not spec:
            raise UsageError(
                f"outputs {other.format} and {spec.format} both go to {spec.path}",
                hint="give each a path of its own",
                slug="output",
            )


def _place(path: Path) -> str:
    """Name the file behind links of either kind, whether it exists or not."""
    try:
        known = path.stat()
        return f"{known.st_dev}:{known.st_ino}"
    except (OSError, ValueError):
        return os.path.realpath(path)


def _is_stream(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
