"""A recorded run as it lies on disk: scores, timings, judge answers and what was run, one directory a run.

A reader must not miss: everything in a report comes from these files. Nothing is scored, fitted or timed on replay.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.lab.dataset.names import Split
from agent_claimcheck.scoring.platt import PlattScaling

JUDGE_RECORDS = "judge-records.jsonl"
JUDGE_SAMPLES = "judge-samples.jsonl"
PREDICTIONS = "offline-predictions.jsonl"
TIMINGS = "offline-timings.jsonl"
CALIBRATION = "calibration.json"
RUN = "run.json"

# The file is written out again, by code that calls itself for every level.
_DEEPEST = 100

# Documented; used when a run brings no calibrators of its own.
DEFAULT_BASE_RATE = 0.6

Label = Literal["success", "failure"]
Amount = Annotated[float, Meta(ge=0, le=1e12)]
R = TypeVar("R", bound=Struct)


class Prediction(Struct, frozen=True, kw_only=True):
    """One offline detector's score of one trace, with the trace's label. ``p_cal`` is null where nothing calibrates."""

    detector: str
    trace_id: str
    split: Split
    domain: str
    outcome: Label
    p_raw: float | None
    abstain: bool
    injection: str = "none"
    evidence: str = "receipt_only"
    variant: str | None = None
    p_cal: float | None = None
    abstain_reason: str | None = None
    rule_outcome: str | None = None


class JudgeRecord(Struct, frozen=True, kw_only=True):
    """One call of a judge: what was asked (as hashes), what came back, what it cost."""

    detector: str
    trace_id: str
    split: Split
    model: str
    prompt_name: str
    abstain: bool
    p_raw: float | None
    prompt_sha256: str = ""
    request_sha256: str = ""
    prompt_version: int | str | None = None
    parsed: dict[str, Any] | None = None
    abstain_reason: str | None = None
    raw_text: str | None = None
    usage: dict[str, Any] | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    cached: bool = False
    attempts: int = 1
    invalid_citation: bool | None = None
    sample: int = 0

    @property
    def is_ablation(self) -> bool:
        """Whether the judge was asked with another prompt than the one it is compared under."""
        return self.detector != f"judge:{self.model}"


class Timing(Struct, frozen=True, kw_only=True):
    """How long one offline detector took on one trace, in milliseconds."""

    detector: str
    trace_id: str
    latency_ms: float


class DatasetFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run says about its data: the generator's seed, leakage baselines (name -> test AUROC), and its licence."""

    seed: int | None = None
    leakage: dict[str, float] = {}
    licence: str | None = None


class RunInfo(Struct, frozen=True, kw_only=True):
    """``run.json``: the command and machine behind a recorded run. ``judges`` holds ids and prices, as recorded."""

    command: str | None = None
    date: str | None = None
    hardware: str | None = None
    concurrency: int | None = None
    package_version: str | None = None
    dataset_sha256: str | None = None
    judges: list[dict[str, Any]] | None = None
    total_spend_usd: Amount | None = None
    judge_wall_clock_s: dict[str, Amount] | None = None
    run_name: str | None = None
    answer_parser: str | UnsetType = UNSET
    dataset: DatasetFacts | UnsetType = UNSET


class RecordedRun(Struct, frozen=True, kw_only=True):
    """A recorded run read whole. ``run_fields`` is ``run.json`` as it stands, fields unknown to us included.

    ``judge_samples`` are the further answers of judges that were asked more than once.
    """

    directory: Path
    info: RunInfo
    run_fields: dict[str, Any]
    predictions: list[Prediction]
    judge_records: list[JudgeRecord]
    timings: list[Timing]
    calibrators: dict[str, PlattScaling]
    base_rate: float
    judge_samples: list[JudgeRecord] = []


class _CalibrationFile(Struct):
    calibrators: dict[str, PlattScaling]
    base_rate: float = DEFAULT_BASE_RATE


def load_run(directory: Path) -> RecordedRun:
    """Read the recorded run in ``directory``.

    ``offline-predictions.jsonl`` must be there; a missing judge, timing, calibration or run file means that part was
    not measured. Raises ``InputError`` naming file and line for anything unreadable, out of range or said twice.
    """
    if not (directory / PREDICTIONS).is_file():
        raise InputError(
            f"{printable(str(directory))} is no recorded run: it has no {PREDICTIONS}",
            hint="name a directory written by bench --out, or recorded:v0.1.0",
            slug="recorded_run",
        )
    predictions = _read_lines(directory / PREDICTIONS, Prediction)
    judge_records = _read_lines(directory / JUDGE_RECORDS, JudgeRecord)
    judge_samples = _read_lines(directory / JUDGE_SAMPLES, JudgeRecord)
    timings = _read_lines(directory / TIMINGS, Timing)
    run_fields = _read_document(directory / RUN, dict[str, Any], {})
    calibration = _read_document(directory / CALIBRATION, _CalibrationFile, _CalibrationFile(calibrators={}))
    if not 0 <= calibration.base_rate <= 1:
        raise InputError(f"{CALIBRATION}: the base rate {calibration.base_rate!r} is outside 0 to 1", slug="record")
    _refuse_repeats(PREDICTIONS, predictions)
    _refuse_repeats(JUDGE_RECORDS, judge_records)
    _refuse_repeats(JUDGE_SAMPLES, judge_samples)
    return RecordedRun(
        directory=directory,
        info=_read_document(directory / RUN, RunInfo, RunInfo()),
        run_fields=run_fields,
        predictions=predictions,
        judge_records=judge_records,
        timings=timings,
        calibrators=calibration.calibrators,
        base_rate=calibration.base_rate,
        judge_samples=judge_samples,
    )


def _read_lines(path: Path, kind: type[R]) -> list[R]:
    if not path.is_file():
        return []
    decoder = msgspec.json.Decoder(kind)
    records: list[R] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _bad_line(path, number, str(error)) from error
        problem = _out_of_range(record)
        if problem:
            raise _bad_line(path, number, problem)
        records.append(record)
    return records


def _out_of_range(record: Struct) -> str:
    for name in ("p_raw", "p_cal"):
        value = getattr(record, name, None)
        if value is not None and not 0 <= value <= 1:
            return f"{name} is {value!r}, outside 0 to 1"
    for name in ("latency_ms", "cost_usd"):
        value = getattr(record, name, None)
        if value is not None and not 0 <= value < math.inf:
            return f"{name} is {value!r}, a number of at least 0 is needed"
    if getattr(record, "p_raw", None) is None and not getattr(record, "abstain", True):
        return "p_raw is null though the detector did not abstain"
    return ""


def _bad_line(path: Path, number: int, problem: str) -> InputError:
    return InputError(f"{path.name}:{number}: {printable(shorten(problem, 300))}", slug="record")


D = TypeVar("D")


def _read_document(path: Path, kind: type[D], absent: D) -> D:
    if not path.is_file():
        return absent
    try:
        found = msgspec.json.decode(path.read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InputError) as error:
        raise InputError(f"{path.name}: {printable(shorten(str(error), 300))}", slug="record") from error
    if isinstance(found, dict) and _is_deeper_than(found, _DEEPEST):
        raise InputError(f"{path.name}: nested deeper than {_DEEPEST} levels", slug="record")
    return found


def _is_deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
        ]
    return bool(level)


def _refuse_repeats(file: str, records: list[Prediction] | list[JudgeRecord]) -> None:
    seen: set[tuple[str, str, int]] = set()
    for record in records:
        key = (record.detector, record.trace_id, record.sample if isinstance(record, JudgeRecord) else 0)
        if key in seen:
            shown = printable(shorten(f"{record.detector} on {record.trace_id}", 120))
            raise InputError(f"{file}: two records of {shown}", slug="record")
        seen.add(key)
