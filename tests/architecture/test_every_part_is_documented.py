"""Whatever can be named on the command line has its place in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent_claimcheck.cli.app import COMMANDS
from agent_claimcheck.packs.load import BUILTIN_NAMES
from agent_claimcheck.pipeline.catalog import CHECKS, DETECTORS
from agent_claimcheck.results.writers.catalog import WRITERS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ALL = "\n".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))])


@pytest.mark.parametrize("name", DETECTORS)
def test_detector_is_described(name: str) -> None:
    assert f"`{name}`" in (DOCS / "detectors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHECKS)
def test_check_has_a_page(name: str) -> None:
    page = f"checks/{name.replace('_', '-')}.md"
    assert (DOCS / page).is_file()
    assert f"({page})" in (DOCS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_builtin_pack_is_described(name: str) -> None:
    assert f"| `{name}` |" in (DOCS / "rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WRITERS)
def test_output_format_is_shown(name: str) -> None:
    assert re.search(rf"`{name}`|-o {name}\b", ALL)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_shown(name: str) -> None:
    assert re.search(rf"(?:agent-claimcheck|attest) {name}\b", ALL)
