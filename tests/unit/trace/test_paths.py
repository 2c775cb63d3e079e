from __future__ import annotations

import os

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.trace.paths import expand_paths


def test_standard_input_and_files_pass_as_they_are(tmp_path):
    path = tmp_path / "anything.log"
    path.touch()
    assert expand_paths(["-", path, str(path)]) == ["-", str(path), str(path)]


def test_a_directory_without_traces_names_what_was_looked_for(tmp_path):
    with pytest.raises(InputError, match=r"no trace files found here \(looked for \.jsonl"):
        expand_paths([tmp_path])


def test_other_suffixes_can_be_asked_for(tmp_path):
    (tmp_path / "a.log").touch()
    (tmp_path / "b.jsonl").touch()
    assert expand_paths([tmp_path], suffixes=(".log",)) == [str(tmp_path / "a.log")]


def test_links_to_parents_do_not_loop(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "a.jsonl").touch()
    assert expand_paths([tmp_path]) == [str(tmp_path / "a.jsonl")]


def test_pipes_and_devices_of_a_directory_are_passed_over_and_links_to_nowhere_are_not(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    (tmp_path / "gone.jsonl").symlink_to("nowhere")
    (tmp_path / "itself.jsonl").symlink_to("itself.jsonl")
    (tmp_path / "a.jsonl").touch()
    found = [str(tmp_path / name) for name in ("a.jsonl", "gone.jsonl", "itself.jsonl")]
    assert expand_paths([tmp_path]) == found
    assert expand_paths([tmp_path / "*.jsonl"]) == found
    assert expand_paths([tmp_path / "pipe.jsonl"]) == [str(tmp_path / "pipe.jsonl")]
