"""``check_records``: check traces that are already in memory, wherever they come from. For Spark, Dask and notebooks.

A reader must not miss: it streams. One record is read, checked and handed on before the next one is asked for, so it can
stand in the middle of any iterator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from agent_claimcheck.core.errors import TraceError
from agent_claimcheck.core.text import printable
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace, TraceProblem

RECORDS = "<records>"
"""The file that problems of records name; their line is the number of the record, from 1."""


def check_records(
    records: Iterable[Trace | Mapping[str, Any] | str | bytes],
    *,
    checker: Checker | None = None,
    on_problem: Callable[[TraceProblem], None] | None = None,
) -> Iterator[CheckResult]:
    """Yield one result for each agent-trace in ``records``, in order.

    A record is a ``Trace``, a mapping, or one JSON document as text or bytes. ``checker`` defaults to ``Checker()``.
    What is wrong with a record goes to ``on_problem`` and the record is left out; without it ``TraceError`` is raised.
    Repeated ids are not looked for.
    """
    used = checker or Checker()
    for _, result in used.check_pairs(_traces(records, on_problem)):
        yield result


def _traces(
    records: Iterable[Trace | Mapping[str, Any] | str | bytes], on_problem: Callable[[TraceProblem], None] | None
) -> Iterator[Trace]:
    for number, record in enumerate(records, start=1):
        read = record if isinstance(record, Trace) else _read(record, number)
        if isinstance(read, Trace):
            yield read
            continue
        if on_problem is None:
            raise TraceError("\n".join(printable(str(problem)) for problem in read))
        for problem in read:
            on_problem(problem)


def _read(record: Mapping[str, Any] | str | bytes, number: int) -> Trace | list[TraceProblem]:
    try:
        if isinstance(record, str):
            data = record.encode("utf-8", "surrogatepass")
        else:
            data = record if isinstance(record, bytes) else msgspec.json.encode(record)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return [TraceProblem(file=RECORDS, line=number, path="", message=f"is no JSON: {error}")]
    return decode_trace(data, file=RECORDS, line=number)
