"""Recorded judge runs: every answer written down as it comes, and taken from there instead of asking again.

A reader must not miss: a replay sends nothing. An answer is found by the hash of its request, so it is used only where
exactly the same question would be asked; anything else is an abstention (``not_recorded``).
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import msgspec

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.errors import InputError, OutputError
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.llm.providers.contract import amount, count, field, text_or_none, usage_or_none
from agent_claimcheck.llm.session import ModelAnswer

RECORDS = "judge-records.jsonl"
SAMPLES = "judge-samples.jsonl"
"""Repeated samples of one trace stand apart, so that ``judge-records.jsonl`` keeps one line a trace."""

NOT_RECORDED = "not_recorded"
_MOVE_AWAY = "take that line out, or record into a fresh directory"


class Recorder:
    """Writes records to a directory, a line at a time. A later record of the same question replaces the earlier one.

    An answer from the cache does not replace the record of when it was paid for.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._seen = {
            _identity(record): record.get("request_sha256")
            for name in (RECORDS, SAMPLES)
            for record in read_whole_lines(directory / name)
        }
        self._has_repeats = False
        try:
            directory.mkdir(parents=True, exist_ok=True)
            for name in (RECORDS, SAMPLES):
                _end_last_line(directory / name)
        except OSError as error:
            raise _unwritable(directory, error) from error

    def add(self, record: dict[str, Any]) -> None:
        """Append one record."""
        path = self._directory / (SAMPLES if record.get("sample") else RECORDS)
        line = canonical_json(record) + b"\n"
        identity = _identity(record)
        with self._lock:
            if record["cached"] and self._seen.get(identity) == record["request_sha256"]:
                return
            self._has_repeats |= identity in self._seen
            self._seen[identity] = record["request_sha256"]
            try:
                with path.open("ab") as file:
                    file.write(line)
            except OSError as error:
                raise _unwritable(path, error) from error

    def close(self) -> None:
        """Leave only the latest record of every question. A second call does nothing."""
        with self._lock:
            if not self._has_repeats:
                return
            self._has_repeats = False
            for name in (RECORDS, SAMPLES):
                path = self._directory / name
                latest = {_identity(record): record for record in read_whole_lines(path)}
                part = path.with_suffix(".part")
                part.write_bytes(b"".join(canonical_json(record) + b"\n" for record in latest.values()))
                part.replace(path)


class Replay:
    """Answers from a recorded directory. Raises ``InputError`` when it holds none or they cannot be read."""

    def __init__(self, directory: Path) -> None:
        self._answers: dict[tuple[str, str, int], dict[str, Any]] = {}
        self.models: dict[str, None] = {}
        for name in (RECORDS, SAMPLES):
            for record in read_whole_lines(directory / name):
                model, digest = record.get("model"), record.get("request_sha256")
                if isinstance(model, str) and isinstance(digest, str):
                    self._answers[model, digest, count(record.get("sample")) or 0] = record
                    self.models[model] = None
        if not self._answers:
            raise InputError(
                f"{printable(str(directory))} holds no recorded judge answers",
                hint=f"name a directory with {RECORDS}, as written by --record",
                slug="replay",
            )

    def answer(self, model: str, request_sha256: str, sample: int) -> ModelAnswer | None:
        """Return what was recorded for this request, at no cost; ``None`` when nothing was."""
        record = self._answers.get((model, request_sha256, sample))
        if record is None:
            return None
        usage = usage_or_none(record.get("usage"))
        text = text_or_none(record.get("raw_text"))
        return ModelAnswer(
            code="cached" if text is not None else _code(record.get("abstain_reason")),
            text=text,
            usage=usage,
            tokens_in=count(field(usage, "prompt_tokens")) or 0,
            tokens_out=count(field(usage, "completion_tokens")) or 0,
            latency_ms=amount(record.get("latency_ms")) or 0.0,
            cached=True,
            attempts=count(record.get("attempts")) or 1,
            model=text_or_none(record.get("answered_by")),
            request_sha256=request_sha256,
        )


def _code(value: Any) -> Any:
    known = (
        "http_429",
        "http_5xx",
        "http_4xx",
        "timeout",
        "network",
        "invalid_response",
        "budget_exhausted",
        "ledger_cap",
    )
    return value if value in known else "invalid_response"


def _identity(record: dict[str, Any]) -> tuple[str, str, int]:
    return str(record.get("detector")), str(record.get("trace_id")), count(record.get("sample")) or 0


def read_whole_lines(path: Path, *, hint: str = _MOVE_AWAY) -> list[dict[str, Any]]:
    """Return the records of a file that a run may have left in the middle of a line; none where there is no file.

    Raises ``InputError``, with ``hint`` as the next step, for a line before the last that is no JSON object.
    """
    if not path.is_file():
        return []
    decoder = msgspec.json.Decoder(dict[str, Any])
    records: list[dict[str, Any]] = []
    data = path.read_bytes()
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            records.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if number == len(lines):
                break  # the last line of a run that was cut off
            raise InputError(
                f"{path.name}:{number}: {printable(shorten(str(error), 200))}", hint=hint, slug="record"
            ) from error
    return records


def _end_last_line(path: Path) -> None:
    """Take away a last line that a run left half-written."""
    if path.is_file():
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            path.write_bytes(data[: data.rfind(b"\n") + 1])


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(f"{printable(str(path))}: cannot be written: {error.strerror or error}", slug="record")
