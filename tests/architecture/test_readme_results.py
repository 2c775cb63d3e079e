"""The results in the README are what the recorded run says, and the findings quote nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.commands.bench import bench
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.lab.bench.readme import END, START
from agent_claimcheck.lab.bench.replay import replay_run

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results" / "v0.1.0"
# Figures with a point or of a count; whole numbers in prose are not results.
FIGURE = re.compile(r"\d+\.\d+%?|\b\d+/\d+\b")


@pytest.fixture(scope="module")
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_block_is_what_the_records_say() -> None:
    done = CliRunner().invoke(bench, ["--from-recorded", "recorded:v0.1.0", "--check-readme", str(ROOT / "README.md")])
    assert done.exit_code == 0, done.output[-2000:]


def test_the_packaged_run_is_the_one_in_the_repository() -> None:
    packaged = resolve_alias("recorded:v0.1.0")
    assert packaged is not None
    names = sorted(path.name for path in packaged.iterdir())
    assert names == sorted(path.name for path in RESULTS.iterdir())
    for name in names:
        assert (packaged / name).read_bytes() == (RESULTS / name).read_bytes(), name


def test_the_report_beside_the_records_is_made_from_them() -> None:
    for name, data in replay_run(RESULTS).files.items():
        assert (RESULTS / name).read_bytes() == data, name


def test_findings_quote_only_figures_of_the_block(readme: str) -> None:
    block = readme[readme.index(START) : readme.index(END)]
    findings = readme[readme.index("## Findings") : readme.index("## Limitations")]
    quoted = set(FIGURE.findall(findings))
    assert len(quoted) > 10
    assert {figure for figure in quoted if figure not in block} == set()


def test_no_path_of_the_recording_machine_is_kept() -> None:
    for path in RESULTS.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "/home/" not in text and "/root/" not in text and "/tmp/" not in text, path.name
