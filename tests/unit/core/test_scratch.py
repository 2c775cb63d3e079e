"""Scratch directories: gone after the run, removed later when the run was killed, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent_claimcheck.core.scratch import remove_left_behind, scratch_directory

OWNER = (
    "from agent_claimcheck.core.scratch import scratch_directory\n"
    "with scratch_directory() as directory:\n"
    "    (directory / 'part.jsonl').write_text('x')\n"
    "    print(directory, flush=True)\n"
    "    input()\n"
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary directory, for this process and those it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@contextmanager
def owned() -> Iterator[tuple[subprocess.Popen[str], Path]]:
    process = subprocess.Popen([sys.executable, "-c", OWNER], stdin=-1, stdout=-1, stderr=-1, text=True)
    try:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()


def test_it_is_gone_after_the_run(place: Path) -> None:
    with scratch_directory() as directory:
        assert directory.parent == place
    assert list(place.iterdir()) == []


def test_what_a_killed_run_left_is_removed() -> None:
    with owned() as (process, directory):
        process.kill()
        process.wait()
        assert (directory / "part.jsonl").exists()
        remove_left_behind()
        assert not directory.exists()


def test_what_a_living_run_uses_stays() -> None:
    with owned() as (_, directory), scratch_directory() as own:
        remove_left_behind()
        assert (directory / "part.jsonl").exists()
        assert own.exists()


def test_what_nobody_marked_stays(place: Path) -> None:
    elsewhere = place / "owner"
    elsewhere.write_text("")
    for name in ("claimcheck-none", "claimcheck-link", "other"):
        (place / name).mkdir()
    (place / "claimcheck-link" / ".owner").symlink_to(elsewhere)
    (place / "other" / ".owner").write_text("")
    (place / "claimcheck-alias").symlink_to(place / "other")
    (place / "claimcheck-file").write_text("")
    before = sorted(place.rglob("*"))
    remove_left_behind()
    assert sorted(place.rglob("*")) == before
