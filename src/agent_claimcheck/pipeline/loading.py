"""``load_traces``: the good traces of files, with what was wrong beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import overload

from agent_claimcheck.core.errors import TraceError
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.trace.model import Trace, TraceProblem


class LoadedTraces(Sequence[Trace]):
    """The good traces of one or more inputs, in order; ``problems`` holds what was wrong with the others.

    Iterating streams from the files and keeps nothing. ``len``, indexing and ``problems`` read everything once and
    keep it.
    """

    def __init__(self, inputs: Sequence[str], *, strict: bool) -> None:
        self._inputs = tuple(inputs)
        self._strict = strict
        self._kept: list[Trace] | None = None
        self._problems: list[TraceProblem] = []

    @property
    def problems(self) -> list[TraceProblem]:
        """Every problem of every input, in file order."""
        self._read_all()
        return list(self._problems)

    def __iter__(self) -> Iterator[Trace]:
        if self._kept is not None:
            return iter(self._kept)
        return (item for item in self._stream() if isinstance(item, Trace))

    def __len__(self) -> int:
        return len(self._read_all())

    @overload
    def __getitem__(self, index: int) -> Trace: ...
    @overload
    def __getitem__(self, index: slice) -> list[Trace]: ...
    def __getitem__(self, index: int | slice) -> Trace | list[Trace]:
        return self._read_all()[index]

    def _read_all(self) -> list[Trace]:
        if self._kept is None:
            kept: list[Trace] = []
            problems: list[TraceProblem] = []
            for item in self._stream():
                if isinstance(item, Trace):
                    kept.append(item)
                else:
                    problems.append(item)
            self._kept, self._problems = kept, problems
        return self._kept

    def _stream(self) -> Iterator[Trace | TraceProblem]:
        for item in read_sources(self._inputs, SourceOptions(strict=self._strict)):
            if isinstance(item, Trace):
                yield item
            elif isinstance(item, TraceProblem):
                if self._strict and item.severity == "error":
                    raise TraceError(str(item))
                yield item


def load_traces(*inputs: str | os.PathLike[str], strict: bool = False) -> LoadedTraces:
    """Return the traces of files, directories, globs or aliases such as ``example:mixed``.

    With ``strict`` every input is read at once and the first invalid line raises ``TraceError``; otherwise invalid lines
    are left out and listed in ``.problems``. A missing file raises ``InputError``.
    """
    loaded = LoadedTraces([os.fspath(item) for item in inputs], strict=strict)
    if strict:
        len(loaded)
    return loaded
