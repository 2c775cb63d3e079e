"""Which result files a user means: files, patterns, directories of them, job directories, remote places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.trace.read import expand_paths

_KINDS = (".jsonl", ".json", ".ndjson")
_SUFFIXES = (*(f"{kind}{packed}" for kind in _KINDS for packed in ("", ".gz", ".zst")), ".parquet")
_JOB = "manifest.json"


def result_files(names: Sequence[str]) -> list[str]:
    """Return the result files behind ``names``, in order. Of a job directory these are its finished parts.

    Raises ``InputError`` for what does not exist and for a job without finished parts.
    """
    files: list[str] = []
    for name in names:
        parts = Path(name) / "parts"
        if not (Path(name) / _JOB).is_file() or not parts.is_dir():
            files += expand_paths([name], suffixes=_SUFFIXES)
            continue
        done = [
            path.with_name(path.name.replace(".report.json", ".jsonl")) for path in parts.glob("part-*.report.json")
        ]
        if not done:
            raise InputError(f"{printable(name)}: no part of this job is done yet", slug="job_open")
        files += sorted(map(str, done))
    return files
