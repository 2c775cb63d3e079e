"""Makes the readings that traces ask for, several at once, and hands each trace its state probes in order.

A reader must not miss: one failing reading never stops the others, a reading is shared by the traces that ask for the
same one only while it is newer than everything recorded in them, and nothing leaves here with a secret in it.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.text import shorten
from agent_claimcheck.evidence.case import CaseSettings, Evidence
from agent_claimcheck.pipeline.probes_run.definition import Limits, ProbeDefinition, ProbeFile
from agent_claimcheck.pipeline.probes_run.planning import Plan, PlannedRun, plan_readings
from agent_claimcheck.pipeline.probes_run.readers import Reader, make_reader
from agent_claimcheck.pipeline.probes_run.reading import NotFound, Reading, Unavailable, not_found, unavailable
from agent_claimcheck.pipeline.probes_run.redaction import Redactor, require_variables
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.probes import Probe
from agent_claimcheck.trace.view import label_free

_KEPT = 1024
"""Readings that are remembered. Traces about one record lie close together."""
_MOST_NOTES = 20
_LONGEST_DETAIL = 300
_ENOUGH_TO_DOUBT = 3

T = TypeVar("T")
Clock = Callable[[], datetime]


def _utc_now() -> datetime:
    """Return the time, with its zone."""
    return datetime.now(UTC)


class _Pending(Struct, frozen=True):
    asked_at: datetime
    future: Future[Probe]


class ProbeSession:
    """Runs the probes of one file. Use it as a context manager: it holds threads and connections.

    ``environ`` is where the variables named in the file are looked up; ``case`` says how claims are found; ``clock``
    gives the time of a reading. Raises ``ConfigError`` for a variable that is not set and ``MissingExtraError`` for a
    database driver that is not installed, both before anything is read.
    """

    def __init__(
        self,
        file: ProbeFile,
        environ: Mapping[str, str],
        case: CaseSettings,
        *,
        concurrency: int | None = None,
        clock: Clock = _utc_now,
    ) -> None:
        require_variables(file, environ)
        self._file = file
        self._case = case
        self._clock = clock
        self._redactor = Redactor(file, environ)
        self._readers: dict[int, Reader] = {id(p): make_reader(p.action, environ, file.limits) for p in file.probes}
        self._workers = concurrency or file.limits.concurrency
        self._pool = ThreadPoolExecutor(max_workers=self._workers, thread_name_prefix="probe")
        self._kept: dict[tuple[Any, ...], _Pending] = {}
        self._tally = _Tally()

    def __enter__(self) -> ProbeSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        for reader in self._readers.values():
            close = getattr(reader, "close", None)
            if close is not None:
                close()

    def probe_all(self, items: Iterable[T]) -> Iterator[tuple[T, list[Probe]]]:
        """Yield every item with its probes, in order. What is no ``Trace`` passes with none.

        A few traces are read ahead, so that readings of several traces run at once.
        """
        ahead: deque[tuple[T, list[_Pending]]] = deque()
        for item in items:
            ahead.append((item, self._ask(item) if isinstance(item, Trace) else []))
            while ahead and (len(ahead) > self._workers or all(p.future.done() for p in ahead[0][1])):
                yield self._answer(*ahead.popleft())
        while ahead:
            yield self._answer(*ahead.popleft())

    def summary(self) -> str:
        """Say in one line what was read."""
        return self._tally.summary()

    def notes(self) -> list[str]:
        """Return what a person should know: refused values, readings that said nothing, probes that found nothing."""
        return [self._redactor.text(note) for note in self._tally.notes()]

    def _answer(self, item: T, asked: list[_Pending]) -> tuple[T, list[Probe]]:
        return item, [pending.future.result() for pending in asked]

    def _ask(self, trace: Trace) -> list[_Pending]:
        plan = plan_trace(trace, self._file, self._case)
        self._tally.add_refusals(trace.trace_id, plan)
        last = _last_moment(trace)
        return [self._pending(run, last) for run in plan.runs]

    def _pending(self, run: PlannedRun, last: datetime | None) -> _Pending:
        known = self._kept.get(run.key)
        if known is not None and last is not None and known.asked_at > last:
            return known
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        pending = _Pending(self._clock(), self._pool.submit(self._read, run))
        self._kept[run.key] = pending
        return pending

    def _read(self, run: PlannedRun) -> Probe:
        read_at = self._clock()
        try:
            reading = self._reading(run)
        except Exception as error:  # noqa: BLE001 - the worker loop: one failing reading must not stop the others
            reading = unavailable("the reading failed", type(error).__name__)
        self._tally.add_reading(run.probe, reading)
        args = self._redactor.value(dict(run.values)) or None
        return Probe(
            name=run.probe.name, ok=reading.ok, ts=read_at.isoformat(), args=args, output=reading.output,
            error=reading.error,
        )  # fmt: skip

    def _reading(self, run: PlannedRun) -> Reading:
        try:
            reading = self._readers[id(run.probe)].read(run.values)
        except NotFound as missing:
            reading = not_found(missing.message)
        except Unavailable as trouble:
            reading = unavailable(trouble.reason, trouble.detail)
        if run.probe.is_missing_reported:
            reading = _reported(reading)
        detail = shorten(self._redactor.text(reading.detail), _LONGEST_DETAIL)
        return _within(replace(reading, output=self._redactor.value(reading.output), detail=detail), self._file.limits)


def plan_trace(trace: Trace, file: ProbeFile, case: CaseSettings) -> Plan:
    """Return the readings ``file`` asks for in ``trace``. Nothing is read."""
    return plan_readings(Evidence(label_free(trace), case), file)


def _reported(reading: Reading) -> Reading:
    """Turn "not found" into an answer, for claims such as "deleted" that absence confirms."""
    if reading.ok is False:
        return Reading(ok=True, output={"found": False})
    if reading.ok is None:
        return reading
    if isinstance(reading.output, dict):
        return replace(reading, output={**reading.output, "found": True})
    return replace(reading, output={"found": True, "records": reading.output})


def _within(reading: Reading, limits: Limits) -> Reading:
    if len(canonical_json(reading.output)) > limits.max_output_bytes + 1024:
        return unavailable(f"the answer is larger than {limits.max_output_bytes} bytes")
    return reading


def _last_moment(trace: Trace) -> datetime | None:
    """Return the latest time in the trace, ``None`` when one of its times has no zone and cannot be compared."""
    latest = datetime.min.replace(tzinfo=UTC)
    for step in trace.steps:
        try:
            moment = datetime.fromisoformat(step.ts)
        except ValueError:
            return None
        if moment.tzinfo is None:
            return None
        latest = max(latest, moment)
    return latest


class _Tally:
    """What happened, counted; filled from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._by_probe: dict[str, Counter[str]] = {}
        self._notes: dict[str, None] = {}
        self._unshown = 0

    def add_refusals(self, trace_id: str, plan: Plan) -> None:
        with self._lock:
            for refusal in plan.refusals:
                self._counts["refused"] += 1
                self._note(f"{trace_id}: {refusal.probe} not read: {refusal.reason}")

    def add_reading(self, probe: ProbeDefinition, reading: Reading) -> None:
        word = {True: "found", False: "not found", None: "unavailable"}[reading.ok]
        with self._lock:
            self._counts[word] += 1
            self._by_probe.setdefault(probe.name, Counter())[word] += 1
            if reading.ok is None:
                detail = f": {reading.detail.strip()}" if reading.detail.strip() else ""
                self._note(f"{probe.name} {reading.error}{detail}")

    def summary(self) -> str:
        counts = self._counts
        made = counts["found"] + counts["not found"] + counts["unavailable"]
        return (
            f"{made} reading{'' if made == 1 else 's'}: {counts['found']} found, {counts['not found']} not found, "
            f"{counts['unavailable']} unavailable; {counts['refused']} not made"
        )

    def notes(self) -> list[str]:
        notes = list(self._notes)
        if self._unshown:
            notes.append(f"... and {self._unshown} more")
        for name, counts in self._by_probe.items():
            if counts["not found"] >= _ENOUGH_TO_DOUBT and counts["not found"] == sum(counts.values()):
                notes.append(
                    f"warning: {name} found nothing in {counts['not found']} readings; "
                    "if that is not so, its address or query is wrong"
                )
        return notes

    def _note(self, note: str) -> None:
        if note in self._notes:
            return
        if len(self._notes) < _MOST_NOTES:
            self._notes[note] = None
        else:
            self._unshown += 1
