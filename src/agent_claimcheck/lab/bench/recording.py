"""Writes what a run measured into a directory, and the report that follows from those files.

A reader must not miss: the report is made from the written files, the way anyone else would make it later.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent_claimcheck import __version__
from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.lab.bench.offline import OfflineRun
from agent_claimcheck.lab.bench.records import CALIBRATION, PREDICTIONS, RUN, TIMINGS, DatasetFacts
from agent_claimcheck.scoring.artifact import CalibrationFile, calibrator_of, encode_calibration
from agent_claimcheck.scoring.platt import PlattScaling

LODO_MODELS = "lodo-models.json"


class RunFacts(Struct, frozen=True, kw_only=True):
    """What ``run.json`` says of a run besides its judges. ``date`` is an ISO date."""

    command: str
    date: str
    hardware: str
    run_name: str
    concurrency: int | None = None
    dataset: DatasetFacts = DatasetFacts()
    dataset_sha256: str | None = None

    def with_data(self, dataset: DatasetFacts, sha256: str) -> RunFacts:
        """Return the same facts with those of the data."""
        return replace(self, dataset=dataset, dataset_sha256=sha256)


def offline_files(run: OfflineRun, facts: RunFacts, more: dict[str, Any] | None = None) -> dict[str, bytes]:
    """Return the files of a run by name; ``more`` are further fields of ``run.json``."""
    lodo = {domain: msgspec.to_builtins(file) for domain, file in run.fits.lodo.items()} if run.fits else {}
    return {
        PREDICTIONS: _lines(run.predictions),
        TIMINGS: _lines(run.timings),
        LODO_MODELS: _document(lodo),
        CALIBRATION: _calibration_bytes(run.calibrators, run.base_rate, facts.run_name),
        RUN: _document(run_fields(facts) | (more or {})),
    }


def run_fields(facts: RunFacts) -> dict[str, Any]:
    """Return the documented fields of ``run.json`` for a run without judges."""
    return {
        "command": facts.command,
        "concurrency": facts.concurrency,
        "dataset": msgspec.to_builtins(facts.dataset),
        "dataset_sha256": facts.dataset_sha256,
        "date": facts.date,
        "hardware": facts.hardware,
        "judge_wall_clock_s": {},
        "judges": [],
        "package_version": __version__,
        "run_name": facts.run_name,
        "total_spend_usd": 0.0,
    }


def _calibration_bytes(scalings: dict[str, PlattScaling], base_rate: float, fitted_on: str) -> bytes:
    """Return the calibration file of a run; every scaling in it is applied, as the protocol says."""
    entries = {key: calibrator_of(scaling, detector=key, fitted_on=fitted_on) for key, scaling in scalings.items()}
    return encode_calibration(CalibrationFile(fitted_on=fitted_on, base_rate=base_rate, calibrators=entries))


def write_files(directory: Path, files: dict[str, bytes]) -> None:
    """Write ``files`` into ``directory``, which is made if needed; each appears whole or not at all."""
    from agent_claimcheck.results.writers.output import AtomicFile

    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the directory {printable(str(directory))}: {error.strerror}") from error
    for name, data in files.items():
        file = AtomicFile(directory / name)
        file.write(data)
        file.commit()


def _lines(records: list[Any]) -> bytes:
    return b"".join(canonical_json(msgspec.to_builtins(record)) + b"\n" for record in records)


def _document(value: Any) -> bytes:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"
