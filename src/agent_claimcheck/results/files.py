"""Which result files a user means: files, patterns, directories of them, job directories, remote places.

A reader must not miss: the parts of a job are cut before ids are compared, so an id that comes again in the input lies in
them twice. Files the user names one by one are separate runs, where the same id may well come again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.read import read_results
from agent_claimcheck.trace.paths import expand_paths
from agent_claimcheck.trace.seen import SeenIds

_KINDS = (".jsonl", ".json", ".ndjson")
_SUFFIXES = (*(f"{kind}{packed}" for kind in _KINDS for packed in ("", ".gz", ".zst")), ".parquet")
_JOB = "manifest.json"
_PARTS = "parts"


def result_files(names: Sequence[str]) -> list[str]:
    """Return the result files behind ``names``, in order. Of a job directory these are its finished parts.

    Raises ``InputError`` for what does not exist and for a job without finished parts.
    """
    files: list[str] = []
    for name in names:
        parts = Path(name) / _PARTS
        if not (Path(name) / _JOB).is_file() or not parts.is_dir():
            files += expand_paths([name], suffixes=_SUFFIXES, kind="result")
            continue
        done = [
            path.with_name(path.name.replace(".report.json", ".jsonl")) for path in parts.glob("part-*.report.json")
        ]
        if not done:
            raise InputError(f"{printable(name)}: no part of this job is done yet", slug="job_open")
        files += sorted(map(str, done))
    return files


def read_result_files(files: Sequence[str], on_problem: Callable[[str], None]) -> Iterator[CheckResult]:
    """Yield the results in ``files``, in order, of each job every trace once: the first of an id, as `job merge` does.

    ``on_problem`` gets a message for each result that cannot be read. Raises ``InputError`` as ``read_results`` does.
    """
    seen: dict[Path, SeenIds] = {}
    for name in files:
        job = _job_of(Path(name))
        known = seen.setdefault(job, SeenIds()) if job is not None else None
        for result in read_results(name, on_problem):
            # A result without a place was not read from the input, so its id was compared with no other.
            if (
                known is None
                or result.file is None
                or known.first_sight(result.trace_id, result.file, result.line or 0) is None
            ):
                yield result


def _job_of(file: Path) -> Path | None:
    job = file.parent.parent
    return job if file.parent.name == _PARTS and (job / _JOB).is_file() else None
