"""Where outputs may go: each to a place of its own, and never over a file that is read.

A reader must not miss: this is asked before anything is opened, because opening a place may already empty it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from agent_claimcheck.core.errors import ClaimcheckError, UsageError
from agent_claimcheck.core.text import printable
from agent_claimcheck.pipeline.sources import list_files
from agent_claimcheck.results.writers.contract import OutputSpec
from agent_claimcheck.results.writers.output import is_stream
from agent_claimcheck.trace.paths import RUN_SUFFIXES
from agent_claimcheck.trace.remote import is_remote, shown_name
from agent_claimcheck.trace.streams import STDIN

_BESIDE = ("table", "github")
"""What may stand beside another output: the table is read by people, annotations go to standard error."""


def refuse_clashes(outputs: Sequence[OutputSpec], read: Iterable[str | Path | None]) -> None:
    """Raise ``UsageError`` when two outputs share a file, or when one would replace a file that this run reads.

    ``read`` names files, directories and patterns of them, as the command got them.
    Pipes and devices are shared freely: nothing written to them is lost.
    """
    taken: dict[str, OutputSpec] = {}
    for spec in outputs:
        if spec.url is None and (spec.path is None or is_stream(spec.path)):
            continue
        other = taken.setdefault(_place(spec.url or spec.path or ""), spec)
        if other is not spec:
            raise UsageError(
                f"outputs {other.format} and {spec.format} both go to {printable(shown_name(str(spec.url or spec.path)))}",
                hint="give each a path of its own",
                slug="output",
            )
    # A directory may hold very many files; they are looked at only when there is something to overwrite.
    if not any(spec.url is not None or (spec.path is not None and spec.path.is_file()) for spec in taken.values()):
        return
    are_remote = any(spec.url is not None for spec in taken.values())
    for source in _files(read, are_remote=are_remote):
        clash = taken.get(_place(source))
        if clash is not None:
            raise UsageError(
                f"output {clash.format} would overwrite {printable(shown_name(source))}, which is read here",
                hint="give it another path",
                slug="output",
            )


def refuse_shared_stdout(outputs: Sequence[OutputSpec]) -> None:
    """Raise ``UsageError`` when two outputs go to standard output; the table is for people and may stand beside one."""
    shared = [spec.format for spec in outputs if spec.path is None and spec.url is None and spec.format not in _BESIDE]
    if len(shared) > 1:
        raise UsageError(
            f"outputs {' and '.join(shared)} both go to standard output",
            hint="give all but one of them a path",
            slug="output",
        )


def among_inputs(outputs: Sequence[OutputSpec], inputs: Iterable[str]) -> Iterator[str]:
    """Yield a warning for each output that the next run over the same ``inputs`` would take for a file of runs."""
    folders = [Path(name).resolve() for name in inputs if Path(name).is_dir()]
    for spec in outputs:
        path = spec.path
        if path is None or is_stream(path) or not path.name.endswith(RUN_SUFFIXES):
            continue
        if any(path.resolve().is_relative_to(folder) for folder in folders):
            yield f"warning: {path} lies in a directory that is read here, and the next check would take it for runs"


def _files(read: Iterable[str | Path | None], *, are_remote: bool) -> Iterator[str]:
    """Yield the files behind what is read, those of an object store only on wish: a listing there takes its time.

    What names none is told by whoever reads it.
    """
    for name in read:
        if name is None or str(name) == STDIN or (is_remote(str(name)) and not are_remote):
            continue
        if not is_remote(str(name)) and Path(name).is_file():
            yield str(name)
        else:
            with suppress(ClaimcheckError):
                yield from list_files([str(name)])


def _place(name: str | Path) -> str:
    """Name the file behind links of either kind, whether it exists or not."""
    if is_remote(str(name)):
        return shown_name(str(name))
    try:
        known = Path(name).stat()
        return f"{known.st_dev}:{known.st_ino}"
    except (OSError, ValueError):
        return os.path.realpath(name)
