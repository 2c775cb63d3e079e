"""Whose runs the built-in calibrators were fitted on is told where it matters."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner

from agent_claimcheck.cli.app import app
from agent_claimcheck.core.resources import resolve_alias

SAID = "p_success is calibrated on generated runs, not on yours"


def test_it_is_told_of_runs_of_ones_own_and_not_of_packaged_ones(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    packaged = resolve_alias("bench:train")
    assert packaged is not None
    shutil.copyfile(packaged, own)
    for path, is_told in ((str(own), True), ("bench:train", False)):
        result = CliRunner().invoke(app, ["check", path])
        assert result.exit_code == 1
        assert (SAID in result.stderr) is is_told
