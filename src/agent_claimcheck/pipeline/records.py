"""``check_records``: check traces that are already in memory, wherever they come from. For Spark, Dask and notebooks.

A reader must not miss: it streams. One record is read, checked and handed on before the next one is asked for, so it can
stand in the middle of any iterator.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from agent_claimcheck.core.errors import TraceError
from agent_claimcheck.core.text import printable
from agent_claimcheck.importers.contract import Imported
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.sources import SourceOptions, is_native, read_opened
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.streams import ByteStream

RECORDS = "<records>"
"""The file that problems of records name; their line is the number of the record, from 1."""


def check_records(
    records: Iterable[Trace | Mapping[str, Any] | str | bytes],
    *,
    checker: Checker | None = None,
    on_problem: Callable[[TraceProblem], None] | None = None,
) -> Iterator[CheckResult]:
    """Yield one result for each run in ``records``, in order.

    A record is a ``Trace``, a mapping, or one JSON document as text or bytes: an agent-trace, or whatever one file of a
    foreign format may hold (several runs give several results). ``checker`` defaults to ``Checker()``. What is wrong with
    a record goes to ``on_problem`` and the record is left out; without it ``TraceError`` is raised. Repeated ids are not
    looked for.
    """
    used = checker or Checker()
    for _, result in used.check_pairs(_traces(records, on_problem)):
        yield result


def _traces(
    records: Iterable[Trace | Mapping[str, Any] | str | bytes], on_problem: Callable[[TraceProblem], None] | None
) -> Iterator[Trace]:
    for number, record in enumerate(records, start=1):
        if isinstance(record, Trace):
            yield record
            continue
        faults: list[TraceProblem] = []
        for read in _read(record, number):
            if isinstance(read, Trace):
                yield read
            elif isinstance(read, TraceProblem):
                faults.append(read)
        if on_problem is None and any(problem.severity == "error" for problem in faults):
            raise TraceError("\n".join(printable(str(problem)) for problem in faults))
        for problem in faults:
            if on_problem is not None:
                on_problem(problem)


def _read(record: Mapping[str, Any] | str | bytes, number: int) -> Iterator[Imported]:
    try:
        if isinstance(record, str):
            data = record.encode("utf-8", "surrogatepass")
        else:
            data = record if isinstance(record, bytes) else msgspec.json.encode(record)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        yield TraceProblem(file=RECORDS, line=number, path="", message=f"is no JSON: {error}")
        return
    foreign = [] if is_native(data[:HEAD_BYTES]) else _read_foreign(data, number)
    if any(isinstance(item, Trace) for item in foreign):
        yield from foreign
        return
    native = decode_trace(data, file=RECORDS, line=number)
    # What is JSON, and no trace at all, is told by what it may have been.
    is_trace = isinstance(native, Trace) or not foreign or any("is not JSON" in fault.message for fault in native)
    yield from foreign if not is_trace else [native] if isinstance(native, Trace) else native


def _read_foreign(data: bytes, number: int) -> list[Imported]:
    """Return what a file that holds ``data`` alone would give. Its faults name the record."""
    name = f"{RECORDS}:{number}"
    return [
        replace(item, file=RECORDS, line=number) if isinstance(item, TraceProblem) else item
        for item in read_opened(ByteStream(io.BytesIO(data)), name, SourceOptions())
    ]
