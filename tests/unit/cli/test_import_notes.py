"""What ``check`` says about the files of a folder with many of them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from agent_claimcheck.cli.app import app


def _folder(path: Path, files: int) -> Path:
    path.mkdir()
    for number in range(files):
        messages = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you."}]
        (path / f"run-{number:02}.json").write_text(json.dumps({"id": f"run-{number}", "messages": messages}))
    return path


def _said(*args: str) -> list[str]:
    done = CliRunner().invoke(app, ["check", *args, "--detector", "rules"])
    assert done.exit_code == 0
    return [line for line in done.stderr.splitlines() if line.startswith("...") or "openai-chat" in line]


def test_many_files_are_summed_up(tmp_path: Path) -> None:
    said = _said(str(_folder(tmp_path / "runs", 13)))
    assert len(said) == 11
    assert said[-1] == "... and 3 more files with 3 runs, 3 of the files without a tool result; --report tells of each"


def test_a_few_files_have_a_line_each(tmp_path: Path) -> None:
    assert len(_said(str(_folder(tmp_path / "runs", 10)))) == 10


def test_report_tells_of_every_file(tmp_path: Path) -> None:
    said = _said(str(_folder(tmp_path / "runs", 13)), "--report")
    assert len(said) == 13
    assert not any(line.startswith("...") for line in said)
