"""Outputs must not fall over each other or over what is read, and the last line must not promise another exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.cli.output_places import refuse_clashes
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.results.writers.contract import OutputSpec


def test_output_over_the_input_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "runs.jsonl"
    source.write_text("{}\n")
    (tmp_path / "link.jsonl").symlink_to(source)
    for place in (source, tmp_path / "." / "runs.jsonl", tmp_path / "link.jsonl"):
        with pytest.raises(UsageError, match="would overwrite"):
            refuse_clashes([OutputSpec(format="jsonl", path=place)], [source])


def test_two_outputs_to_one_file_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "out", tmp_path / "sub" / ".." / "out"
    (tmp_path / "sub").mkdir()
    with pytest.raises(UsageError, match="both go to"):
        refuse_clashes([OutputSpec(format="jsonl", path=one), OutputSpec(format="junit", path=two)], [])


def test_streams_and_distinct_files_are_fine(tmp_path: Path) -> None:
    null = Path("/dev/null")
    refuse_clashes(
        [
            OutputSpec(format="table", path=None),
            OutputSpec(format="jsonl", path=null),
            OutputSpec(format="junit", path=null),
            OutputSpec(format="markdown", path=tmp_path / "a.md"),
        ],
        ["-", "example:mixed", None, tmp_path / "missing.jsonl"],
    )
