"""From what the user named to runs: run files are read as they are, everything else through the trace readers.

A reader must not miss: the start of a file decides, not its name. ``step`` numbers of a run file count its ``steps``;
those of a trace are its own ``i``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from agent_claimcheck.checks.run import Run
from agent_claimcheck.checks.run_file import (
    HEAD_BYTES,
    LoadedRun,
    RunProblem,
    load_run,
    looks_like_run_file,
    only_run,
    read_run_stream,
)
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.paths import RUN_SUFFIXES, expand_paths
from agent_claimcheck.trace.read import open_or_problem
from agent_claimcheck.trace.streams import STDIN, open_bytes, peek


def read_runs(inputs: Sequence[str]) -> Iterator[LoadedRun | RunProblem]:
    """Yield the runs and problems of ``inputs`` (files, directories, globs, ``-`` for standard input), in order.

    Raises ``InputError`` for an input that does not exist; one that cannot be opened is a problem.
    """
    for name in expand_paths([resolve_alias(item) or item for item in inputs], suffixes=RUN_SUFFIXES):
        if name == STDIN:
            yield from _read_stdin()
        else:
            yield from _read_file(name)


def as_run(source: Run | Trace | dict[str, Any] | str | Path) -> Run:
    """Return the one run that ``source`` is. A dict may be a run or an agent-trace object.

    Raises ``InputError`` with every fault when it is not exactly one valid run.
    """
    if isinstance(source, (str, Path)):
        return only_run(read_runs([str(source)]), str(source))
    if isinstance(source, dict) and str(source.get("schema", "")).startswith("agent-trace/"):
        from agent_claimcheck.trace.decode import decode_trace

        decoded = decode_trace(json.dumps(source).encode(), file="the trace", line=0)
        return only_run(_convert(decoded if isinstance(decoded, list) else [decoded]), "the trace")
    if isinstance(source, Trace):
        return only_run(_convert([source]), "the trace")
    return load_run(source)


def _read_file(name: str) -> Iterator[LoadedRun | RunProblem]:
    stream = open_or_problem(name, file=name)
    if isinstance(stream, TraceProblem):
        yield from _convert([stream])
        return
    # Opened once: what a pipe has given is gone.
    with stream:
        if looks_like_run_file(peek(stream, HEAD_BYTES)):
            yield from read_run_stream(stream, file=name)
        else:
            # Imported here: a run file needs no trace reader, and most calls of the run grader read run files.
            from agent_claimcheck.pipeline.sources import SourceOptions, read_opened

            yield from _convert(read_opened(stream, name, SourceOptions()))


def _read_stdin() -> Iterator[LoadedRun | RunProblem]:
    # The head is looked at without taking it, so that whoever reads standard input next finds it whole.
    source = sys.stdin.buffer
    if hasattr(source, "peek"):
        head = source.peek(HEAD_BYTES)
    else:
        head = source.read(HEAD_BYTES)
        source.seek(0)
    if looks_like_run_file(head):
        with open_bytes(STDIN) as stream:
            yield from read_run_stream(stream, file="<stdin>")
    else:
        from agent_claimcheck.pipeline.sources import SourceOptions, read_sources

        yield from _convert(read_sources([STDIN], SourceOptions()))


def _convert(items: Iterable[Any]) -> Iterator[LoadedRun | RunProblem]:
    from agent_claimcheck.checks.trace_run import run_from_trace

    for item in items:
        if isinstance(item, TraceProblem):
            if item.severity == "error":
                yield RunProblem(file=item.file, line=item.line, path=item.path, message=item.message)
        elif isinstance(item, Trace):
            where = item.where
            yield LoadedRun(
                run=run_from_trace(item),
                file=where.file if where else "",
                line=where.line if where else 0,
                trace_id=item.trace_id,
            )
