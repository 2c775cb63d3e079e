"""The ``--data`` of the benchmarks: a directory or a file that has to be there and to hold something to read.

A reader must not miss: the real runs that the figures in docs/explain were measured on belong to other projects and are
not in this repository. Runs of your own in the same form give your own figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from agent_claimcheck import load_traces
from agent_claimcheck.core.errors import ClaimcheckError

RUNS = "*.jsonl*"
_EXPECTED = "expected agent-trace files of labelled runs, one a source, such as SOURCE.jsonl.gz"


def add_runs(parser: argparse.ArgumentParser, *, required: bool = True, name: str = "--data") -> None:
    """Add ``--data DIR`` for labelled runs, one agent-trace file a source."""
    parser.add_argument(
        name, type=runs_directory, required=required, metavar="DIR",
        help="labelled runs as agent-trace, one SOURCE.jsonl or SOURCE.jsonl.gz a source; not in this repository",
    )  # fmt: skip


def runs_directory(text: str) -> Path:
    """Return the directory named by ``text``; says what is wrong with one that holds no runs."""
    path = _directory(text)
    files = [one for one in sorted(path.glob(RUNS)) if "injection" not in one.name]
    if not files:
        raise argparse.ArgumentTypeError(f"{text}: no {RUNS} in this directory; {_EXPECTED}")
    if not any(map(_holds_traces, files)):
        raise argparse.ArgumentTypeError(f"{text}: no file in this directory holds a trace; {_EXPECTED}")
    return path


def sample_directory(text: str) -> Path:
    """Return the directory named by ``text``; says so when it holds no file."""
    path = _directory(text)
    if not any(one.is_file() for one in path.rglob("*")):
        raise argparse.ArgumentTypeError(f"{text}: no file in this directory")
    return path


def directory_with(*names: str) -> Callable[[str], Path]:
    """Return a reader of a directory that has to hold the files ``names``."""

    def read(text: str) -> Path:
        path = _directory(text)
        missing = [name for name in names if not (path / name).is_file()]
        if missing:
            raise argparse.ArgumentTypeError(f"{text}: no {', '.join(missing)} in this directory")
        return path

    return read


def existing_path(text: str) -> Path:
    """Return the file or directory named by ``text``."""
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{text}: no such file or directory")
    return runs_directory(text) if path.is_dir() else path


def existing_file(text: str) -> Path:
    """Return the file named by ``text``."""
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{text}: {'is a directory' if path.is_dir() else 'no such file'}")
    return path


def traces_file(text: str) -> Path:
    """Return the trace file or packaged name (``bench:train``) in ``text``; says what is wrong with one without traces."""
    try:
        if next(iter(load_traces(text)), None) is None:
            raise argparse.ArgumentTypeError(f"{text}: holds no trace")
    except ClaimcheckError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return Path(text)


def _holds_traces(path: Path) -> bool:
    try:
        return next(iter(load_traces(str(path))), None) is not None
    except ClaimcheckError:
        return False


def _directory(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: {'is no directory' if path.exists() else 'no such directory'}")
    return path
