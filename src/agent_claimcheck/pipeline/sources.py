"""From what the user named (files, directories, globs, ``-``, aliases) to a stream of traces and problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.probes import Probes, load_probes, merge_probes
from agent_claimcheck.trace.read import read_traces


class SourceOptions(Struct, frozen=True, kw_only=True):
    """How inputs are read. ``strict`` stops at the first problem."""

    strict: bool = False


def read_sources(inputs: Sequence[str], options: SourceOptions) -> Iterator[Trace | TraceProblem]:
    """Yield the traces and problems of ``inputs``, in order. Raises ``InputError`` for a missing file or unknown alias."""
    paths = [str(resolve_alias(item) or item) for item in inputs]
    yield from read_traces(paths, strict=options.strict)


class ProbeSource:
    """State probes from a side file, merged trace by trace; remembers which traces it had no chance to merge into."""

    def __init__(self, path: Path | None) -> None:
        self._probes: Probes = load_probes(resolve_alias(str(path)) or path) if path is not None else {}
        self._unseen = set(self._probes)

    def merge(self, trace: Trace) -> Trace:
        """Return ``trace`` with its probes appended."""
        if not self._probes:
            return trace
        self._unseen.discard(trace.trace_id)
        return merge_probes(trace, self._probes)

    def warnings(self) -> Iterator[str]:
        """Name the probes whose trace was not in the input."""
        for trace_id in sorted(self._unseen):
            yield f"warning: probe for unknown trace_id {trace_id!r}"
