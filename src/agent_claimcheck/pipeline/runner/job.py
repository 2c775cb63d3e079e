"""A job: a directory in which finished parts stay, so that the same command goes on where an earlier run ended.

A reader must not miss: a part counts as done when its report is there, and the report is renamed into place last. What a
killed run left behind half-written has another name and is swept away; nothing is ever done twice or left out.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import IO, Any, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck import __version__
from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.core.scratch import take_lock
from agent_claimcheck.core.text import printable
from agent_claimcheck.pipeline.catalog import PAID_DETECTORS
from agent_claimcheck.pipeline.runner.parts import Part, can_be_read, plan_parts
from agent_claimcheck.pipeline.runner.report import REPORT_SUFFIX, RESULTS_SUFFIX, PartReport, part_stem
from agent_claimcheck.pipeline.runner.work import PartWork
from agent_claimcheck.pipeline.sources import list_files
from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.summary import Summary
from agent_claimcheck.results.writers.output import AtomicFile
from agent_claimcheck.trace.remote import is_remote, remote_state, shown_name
from agent_claimcheck.trace.streams import STDIN

SCHEMA = "claimcheck-job/v1"
MANIFEST = "manifest.json"
PARTS = "parts"
_LOCK = "lock"
_CHECKSUM = "blake2b-128:"
_UNREADABLE = "unreadable"
"""Stands for the checksum of a local file that could not be opened; it is a problem in the results, as without a job."""

_SHOWN_CHANGES = 10


class InputState(Struct, frozen=True, kw_only=True):
    """One input file as it was when the job began. ``checksum`` is empty for remote files."""

    file: str
    size: int
    mtime_ns: int
    checksum: str = ""


class Manifest(Struct, frozen=True, kw_only=True, tag_field="schema", tag=SCHEMA):
    """What a job is about. ``configuration`` is a fingerprint of everything that decides the results.

    ``today`` is the day on which the job began; suppressions are judged by it to the end.
    """

    version: str
    python: str
    detector: str
    configuration: str
    today: str
    part_bytes: int
    inputs: tuple[str, ...]
    files: tuple[InputState, ...]
    parts: tuple[Part, ...]


class JobStatus(Struct, frozen=True, kw_only=True):
    """How far a job is. ``bytes`` are of the input; ``counts`` come from the parts that are done."""

    directory: str
    detector: str
    files: int
    parts: int
    parts_done: int
    bytes: int
    bytes_done: int
    is_running: bool
    summary: Summary

    @property
    def is_complete(self) -> bool:
        """True when every part is done."""
        return self.parts_done == self.parts


class Job:
    """A job directory, held by one process at a time. Use it as a context manager to hold it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.parts_directory = directory / PARTS
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Take the job. Raises ``UsageError`` while another process holds it."""
        try:
            self.parts_directory.mkdir(parents=True, exist_ok=True)
            self._lock = (self.directory / _LOCK).open("ab")
        except OSError as error:
            raise UsageError(f"{self._shown}: cannot be used as a job: {error.strerror or error}") from None
        if not take_lock(self._lock):
            self._lock.close()
            raise UsageError(
                f"{self._shown}: another process works on this job",
                hint="wait for it, or give another --job DIR",
                slug="job_locked",
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def begin(self, inputs: Sequence[str], work: PartWork, part_bytes: int) -> tuple[Manifest, bool]:
        """Return the manifest, and whether an earlier run is continued. A new job reads the inputs once for its plan.

        Raises ``InputError`` when inputs, configuration or version are no longer those the job began with.
        """
        files = list_files(inputs)
        if STDIN in files:
            raise UsageError(
                "a job cannot read standard input again", hint="write it to a file first", slug="job_stdin"
            )
        if (self.directory / MANIFEST).exists():
            manifest = self.manifest()
            self._require_same(manifest, files, work)
            return manifest, True
        manifest = _plan(inputs, files, work, part_bytes)
        file = AtomicFile(self.directory / MANIFEST)
        try:
            file.write(encode(manifest))
            file.commit()
        finally:
            file.discard()
        return manifest, False

    def manifest(self) -> Manifest:
        """Read the manifest. Raises ``InputError`` when the directory holds no job."""
        try:
            return msgspec.json.decode((self.directory / MANIFEST).read_bytes(), type=Manifest)
        except FileNotFoundError:
            raise InputError(f"{self._shown}: holds no job", hint="start one with: check INPUT... --job DIR") from None
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(f"{self._shown}: the manifest cannot be read: {printable(str(error))}") from None

    def report(self, index: int) -> PartReport | None:
        """Return the report of a part that is done, or ``None``."""
        path = self.parts_directory / (part_stem(index) + REPORT_SUFFIX)
        try:
            report = msgspec.json.decode(path.read_bytes(), type=PartReport)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None  # damaged: the part is done again
        # The directory may have been moved since.
        report = replace(report, directory=str(self.parts_directory))
        with suppress(OSError):
            if report.path(RESULTS_SUFFIX).stat().st_size == report.results_bytes:
                return report
        return None

    def open_parts(self, manifest: Manifest) -> Iterator[Part]:
        """Yield the parts that are not done."""
        return (part for part in manifest.parts if self.report(part.index) is None)

    def sweep(self) -> None:
        """Delete what runs that were killed left half-written. To be called while the job is held."""
        for path in (*self.parts_directory.glob(".*.tmp"), *self.directory.glob(".*.tmp")):
            path.unlink(missing_ok=True)

    def status(self) -> JobStatus:
        """Return how far the job is, without taking it. Raises ``InputError`` when there is none."""
        manifest = self.manifest()
        summary = Summary()
        done = size = 0
        for part in manifest.parts:
            report = self.report(part.index)
            if report is not None:
                done, size = done + 1, size + part.size
                summary.merge(report.counts.summary())
        return JobStatus(
            directory=str(self.directory),
            detector=manifest.detector,
            files=len(manifest.files),
            parts=len(manifest.parts),
            parts_done=done,
            bytes=sum(part.size for part in manifest.parts),
            bytes_done=size,
            is_running=self._is_held(),
            summary=summary,
        )

    @property
    def _shown(self) -> str:
        return printable(str(self.directory))

    def _is_held(self) -> bool:
        try:
            with (self.directory / _LOCK).open("ab") as probe:
                return not take_lock(probe)
        except OSError:
            return False

    def _require_same(self, manifest: Manifest, files: Sequence[str], work: PartWork) -> None:
        changes = []
        if manifest.version != __version__:
            changes.append(f"it was begun with version {printable(manifest.version)}, this is {__version__}")
        if manifest.configuration != fingerprint(work, date.fromisoformat(manifest.today)):
            changes.append("the configuration differs (detector, rules, thresholds, probes, suppressions or reading)")
        before, now = [state.file for state in manifest.files], [_absolute(name) for name in files]
        if before != now:
            changes.append(_difference(before, now))
        else:
            changes += [change for state in manifest.files if (change := _change(state))]
        if changes:
            listed = "\n".join(f"{self._shown}: {line}" for line in changes[:_SHOWN_CHANGES])
            raise InputError(
                f"{self._shown}: this job cannot go on, its results would not fit together\n{listed}",
                hint="use a new directory, or restore what changed",
                slug="job_changed",
            )


def fingerprint(work: PartWork, today: date) -> str:
    """Return a hash of everything that decides the results: detector, packs, thresholds, fitted files, probes, reading ...

    Budget, concurrency and keys are left out: they may change while a job is under way.
    """
    spec = work.spec
    judge: Any = None
    if spec.judge is not None:
        settings = spec.judge.settings
        judge = {"classifier": settings.classifier, "gate": settings.gate}
        if spec.detector in PAID_DETECTORS:
            judge |= {"judge": replace(settings.judge, concurrency=1), "samples": spec.judge.samples}
    read = [str(path) for path in (work.probes, spec.learned.model, spec.learned.calibration) if path is not None]
    parts = {
        "spec": replace(spec, judge=None),
        "judge": judge,
        "reading": work.reading,
        "files": [_file_checksum(str(resolve_alias(name) or name)) for name in read],
        "suppressions": work.suppressions,
        "today": today,
    }
    plain = msgspec.to_builtins(parts, enc_hook=_as_text, order="deterministic")
    return hashlib.blake2b(msgspec.json.encode(plain, order="sorted"), digest_size=16).hexdigest()


def _as_text(value: Any) -> str:
    # Compiled patterns carry their source.
    return str(getattr(value, "pattern", value))


def _plan(inputs: Sequence[str], files: Sequence[str], work: PartWork, part_bytes: int) -> Manifest:
    hashes: dict[str, Any] = {}

    def feed(name: str, data: bytes) -> None:
        found = hashes.get(name)
        if found is None:
            found = hashes[name] = hashlib.blake2b(digest_size=16)
        found.update(data)

    names = [_absolute(name) for name in files]
    before = [_state(name) for name in names]
    # What a user named stays in the results; only the job's own files hold absolute names.
    named = list(zip(names, map(shown_name, files), strict=True))
    parts = tuple(plan_parts(named, work.reading, part_bytes, feed))
    empty = hashlib.blake2b(digest_size=16)
    states = tuple(
        state
        if is_remote(state.file) or state.checksum == _UNREADABLE
        else replace(state, checksum=_CHECKSUM + hashes.get(state.file, empty).hexdigest())
        for state in before
    )
    return Manifest(
        version=__version__,
        python=platform.python_version(),
        detector=work.spec.detector,
        configuration=fingerprint(work, work.today),
        today=work.today.isoformat(),
        part_bytes=part_bytes,
        inputs=tuple(inputs),
        files=states,
        parts=parts,
    )


def _absolute(name: str) -> str:
    return name if is_remote(name) else str(Path(name).absolute())


def _state(name: str) -> InputState:
    if is_remote(name):
        size, mtime_ns = remote_state(name)
        return InputState(file=name, size=size, mtime_ns=mtime_ns)
    if not can_be_read(name):
        return InputState(file=name, size=0, mtime_ns=0, checksum=_UNREADABLE)
    found = Path(name).stat()
    return InputState(file=name, size=found.st_size, mtime_ns=found.st_mtime_ns)


def _change(state: InputState) -> str:
    """Say how an input differs from before; an empty text when it does not."""
    shown = printable(state.file)
    now = _state(state.file)
    if (now.checksum == _UNREADABLE) != (state.checksum == _UNREADABLE):
        return f"{shown} {'cannot be read any more' if now.checksum == _UNREADABLE else 'can be read now'}"
    if now.size != state.size:
        return f"{shown} has {now.size} bytes, it had {state.size}"
    if now.mtime_ns == state.mtime_ns:
        return ""
    # A copy or a touch changes the time and not the content.
    if not state.checksum or _file_checksum(state.file) != state.checksum:
        return f"{shown} has changed"
    return ""


def _difference(before: Sequence[str], now: Sequence[str]) -> str:
    gone, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    named: list[str] = [f"without {printable(name)}" for name in gone[:3]] + [
        f"with {printable(name)}" for name in new[:3]
    ]
    return f"the input files differ: {', '.join(named) or 'another order'}"


def _file_checksum(name: str) -> str:
    with Path(name).open("rb") as stream:
        return _CHECKSUM + hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
