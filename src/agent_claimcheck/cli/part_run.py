"""``check`` in parts: with several workers, as a job that can be resumed, or on a Ray cluster.

A reader must not miss: outputs are the same bytes as those of one process. What cannot be done in parts is refused before
anything is read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck.cli.console import ByteProgress, note
from agent_claimcheck.cli.standard_input import spool_probes
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.scratch import remove_left_behind, scratch_directory
from agent_claimcheck.importers.contract import ImportNote
from agent_claimcheck.trace.model import TraceProblem
from agent_claimcheck.trace.streams import STDIN

if TYPE_CHECKING:
    from agent_claimcheck.pipeline.runner.collect import Collector
    from agent_claimcheck.pipeline.runner.engine import Engine
    from agent_claimcheck.pipeline.runner.job import Job
    from agent_claimcheck.pipeline.runner.parts import Part
    from agent_claimcheck.pipeline.runner.work import PartWork

_AHEAD_PER_WORKER = 8
"""Finished parts that may wait for a slow one before them."""

_BUILTIN_CALIBRATORS = (
    "note: p_success is calibrated on generated runs, not on yours; label runs with serve and fit your own with train"
)


def note_builtin_calibrators(inputs: Sequence[str]) -> None:
    """Say whose runs the calibrators were fitted on, except of packaged runs, which are of that kind."""
    if not all(name.startswith(("bench:", "example:")) for name in inputs):
        note(_BUILTIN_CALIBRATORS)


_WORTH_A_WORKER = 1 << 20
"""Bytes of input for which ``auto`` starts one more process."""

_IN_ONE_PROCESS = {
    "group": ("--group", ""),
    "probes_from": (
        "--probes-from",
        ", or read first with `probes run PROBES.toml INPUT --out probes.jsonl` and give --probes probes.jsonl",
    ),
    "record": ("--record", "; --concurrency says how many calls one process has in flight"),
}
"""Flags that need all traces in one process, and what else to do."""

Told = Iterator[TraceProblem | ImportNote]


class PartFlags(Struct, frozen=True, kw_only=True):
    """How a run is spread: ``jobs`` workers (0: as many as help, ``None``: not said), a job directory, an engine."""

    jobs: int | None = None
    job: Path | None = None
    engine: Literal["processes", "ray"] = "processes"
    address: str | None = None

    @classmethod
    def of(cls, flags: dict[str, Any]) -> PartFlags:
        """Read the flags. Raises ``UsageError`` for what cannot be done in parts."""
        chosen = cls(jobs=flags["jobs"], job=flags["job"], engine=flags["engine"], address=flags["address"])
        if chosen.address is not None and chosen.engine != "ray":
            raise UsageError("--address needs --engine ray", slug="address")
        if not chosen.is_wanted:
            return chosen
        for flag, (said, instead) in _IN_ONE_PROCESS.items():
            if flags[flag] is not None:
                hint = f"leave out --jobs, --job and --engine{instead}"
                raise UsageError(f"{said} works in one process", hint=hint, slug="parts")
        if str(flags["probes"]) == STDIN and (chosen.job is not None or chosen.engine == "ray"):
            whose = "a job cannot read them again" if chosen.job is not None else "a cluster cannot read them"
            raise UsageError(f"--probes - is standard input, {whose}", hint="write the probes to a file", slug="parts")
        return chosen

    @property
    def is_wanted(self) -> bool:
        """True when the run is not a plain one in this process."""
        return self.jobs not in (None, 1) or self.job is not None or self.engine == "ray"


def stream_parts(inputs: Sequence[str], work: PartWork, flags: PartFlags, collector: Collector) -> Told:
    """Check ``inputs``, hand the results to ``collector`` in input order and yield what is to be told on the way."""
    from agent_claimcheck.pipeline.checker import Checker
    from agent_claimcheck.pipeline.sources import ProbeSource

    # A fault of the settings or the probes is named here, not by a worker that cannot start.
    with Checker(spec=work.spec) as checker:
        for said in checker.notes:
            note(f"note: {said}")
    with ExitStack() as stack:
        remove_left_behind()
        spool = stack.enter_context(scratch_directory())
        work = replace(work, probes=spool_probes(work.probes, spool))
        probes = ProbeSource(work.probes)
        yield from _job(inputs, work, flags, collector) if flags.job else _once(inputs, work, flags, collector, spool)
    if collector.used_builtin_calibrators:
        note_builtin_calibrators(inputs)
    probes.note_merged(collector.probes_used)
    for warning in (*probes.warnings(), *probes.warn_of_unread(work.spec.packs)):
        note(warning)


def _once(inputs: Sequence[str], work: PartWork, flags: PartFlags, collector: Collector, directory: Path) -> Told:
    from agent_claimcheck.pipeline.runner.engine import run_parts
    from agent_claimcheck.pipeline.runner.parts import can_be_read, file_size, part_bytes_for, plan_parts, spool_stdin
    from agent_claimcheck.pipeline.sources import list_files

    with ExitStack() as stack:
        files = spool_stdin(list_files(inputs), directory)
        total = sum(file_size(name) for name, _ in files if can_be_read(name))
        workers = _workers(flags, total)
        engine = _engine(work, flags, directory, workers)
        stack.enter_context(closing(engine))
        progress = ByteProgress(total, is_shown=not sys.stdout.isatty())
        stack.callback(progress.done)
        sizes: dict[int, int] = {}
        part_bytes = part_bytes_for(total, engine.slots, are_sent=flags.engine == "ray")
        parts = _noting_sizes(plan_parts(files, work.reading, part_bytes), sizes, total // max(2, workers))
        try:
            for report in run_parts(parts, engine, window=engine.slots * _AHEAD_PER_WORKER):
                yield from collector.collect(report)
                progress.step(sizes.pop(report.index), report.counts.total)
                report.discard()
        except KeyboardInterrupt:
            _say_stopping(work)
            raise


def _job(inputs: Sequence[str], work: PartWork, flags: PartFlags, collector: Collector) -> Told:
    from agent_claimcheck.pipeline.runner.job import Job
    from agent_claimcheck.pipeline.runner.parts import can_be_read, file_size, part_bytes_for
    from agent_claimcheck.pipeline.sources import list_files

    directory = flags.job or Path()
    work = replace(work, is_durable=True)
    with Job(directory) as job:
        job.sweep()
        total = sum(file_size(name) for name in list_files(inputs) if name != STDIN and can_be_read(name))
        workers = _workers(flags, total)
        part_bytes = part_bytes_for(total, workers, are_sent=flags.engine == "ray")
        manifest, is_resumed = job.begin(inputs, work, part_bytes)
        for part in manifest.parts:
            _note_uncut(part, total // max(2, workers))
        todo = list(job.open_parts(manifest))
        if is_resumed:
            note(f"job {directory}: {len(manifest.parts) - len(todo)} of {len(manifest.parts)} parts are done")
        if todo:
            _do_open_parts(job, todo, work, flags)
        yield from collect_job(job, collector)


def _do_open_parts(job: Job, todo: Sequence[Part], work: PartWork, flags: PartFlags) -> None:
    from agent_claimcheck.pipeline.runner.engine import run_parts

    total = sum(part.size for part in todo)
    sizes = {part.index: part.size for part in todo}
    with ExitStack() as stack:
        engine = _engine(work, flags, job.parts_directory, _workers(flags, total))
        stack.enter_context(closing(engine))
        progress = ByteProgress(total, is_shown=not sys.stdout.isatty())
        stack.callback(progress.done)
        try:
            for report in run_parts(iter(todo), engine):
                progress.step(sizes[report.index], report.counts.total)
        except KeyboardInterrupt:
            _say_stopping(work)
            note(f"job {job.directory}: stopped; the same command goes on")
            raise


def collect_job(job: Job, collector: Collector) -> Told:
    """Hand the finished parts of a job to ``collector``, in order, each held against its checksum first."""
    for part in job.manifest().parts:
        report = job.report(part.index)
        if report is not None:
            yield from collector.collect(report, is_verified=True)


def _engine(work: PartWork, flags: PartFlags, directory: Path, workers: int) -> Engine:
    if flags.engine == "ray":
        from agent_claimcheck.pipeline.runner.ray import RayEngine

        return RayEngine(work, directory, address=flags.address, workers=flags.jobs or 0)
    if workers == 1 and flags.jobs != 1:
        from agent_claimcheck.pipeline.runner.serial import SerialEngine

        return SerialEngine(work, directory)
    from agent_claimcheck.pipeline.runner.processes import ProcessEngine

    return ProcessEngine(work.shared_by(workers), directory, workers)


def _workers(flags: PartFlags, total_bytes: int) -> int:
    """Return how many processes to start."""
    if flags.jobs:
        return flags.jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, total_bytes // _WORTH_A_WORKER))


def _noting_sizes(parts: Iterator[Part], sizes: dict[int, int], share: int) -> Iterator[Part]:
    for part in parts:
        _note_uncut(part, share)
        sizes[part.index] = part.size
        yield part


def _note_uncut(part: Part, share: int) -> None:
    """Say so when one file that cannot be cut is more than one worker's ``share`` of the bytes."""
    for piece in part.pieces:
        if piece.kind == "whole" and piece.size > max(share, _WORTH_A_WORKER):
            note(
                f"note: {piece.shown} is one part: only plain lines of agent-trace are cut, so more workers do nothing "
                "for it and a job has it done whole or not at all; split it, or convert it with "
                f"`agent-claimcheck import {piece.shown} --out traces.jsonl`"
            )


def _say_stopping(work: PartWork) -> None:
    from agent_claimcheck.pipeline.catalog import PAID_DETECTORS

    if work.spec.detector in PAID_DETECTORS:
        note("stopping: waiting for the calls under way, because they are paid for; Ctrl-C again leaves at once")
