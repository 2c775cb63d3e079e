"""Ids that come twice: within a foreign file the runs are told apart and it is said, from file to file it is a fault."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from agent_claimcheck import load_traces
from agent_claimcheck.cli.app import app


def night(path: Path, *answers: str) -> Path:
    runs = []
    for answer in answers:
        messages = [{"role": "user", "content": "Water the ferns."}, {"role": "assistant", "content": answer}]
        runs.append(json.dumps({"id": "1", "messages": messages}) + "\n")
    path.write_text("".join(runs), encoding="utf-8")
    return path


def test_within_a_file_they_are_told_apart_and_the_line_about_the_file_says_so(tmp_path: Path) -> None:
    path = night(tmp_path / "a.jsonl", "Watered.", "Watered twice.", "Watered again.")
    assert [trace.trace_id for trace in load_traces(str(path))] == ["1", "1#2", "1#3"]
    said = CliRunner().invoke(app, ["check", str(path)]).stderr
    assert "2 runs of an id that came before, told apart as 1#2" in said


def test_in_another_file_the_fault_says_what_to_do(tmp_path: Path) -> None:
    night(tmp_path / "a.jsonl", "Watered.")
    night(tmp_path / "b.jsonl", "Watered twice.")
    done = CliRunner().invoke(app, ["check", str(tmp_path)])
    assert done.exit_code == 2
    assert (
        f"was used before, at {tmp_path / 'a.jsonl'}:1; give this run an id of its own, or give the files"
        in done.stderr
    )
