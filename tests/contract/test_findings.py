"""Every finding of the catalog keeps its protocol, is described for its page, and is shown by a case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from agent_claimcheck import Checker, load_traces
from agent_claimcheck.evidence import findings
from agent_claimcheck.evidence.contract import Finding, Power, Shows
from agent_claimcheck.evidence.findings.catalog import FINDINGS, module_of, shows
from agent_claimcheck.evidence.findings.cited import SEVERITY_OF

CASES = Path(__file__).parents[1] / "cases" / "verdicts"
SHOWN_AS_WORSE = {"unrequested_write"}


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    """Return every finding on the runs of all cases."""
    checker = Checker("rules")

    def of_all() -> Iterator[Finding]:
        for folder in CASES.iterdir():
            for result in checker.check(load_traces(folder / "input.jsonl")):
                yield from result.findings

    return list(of_all())


@pytest.mark.parametrize("name", FINDINGS)
def test_finding_is_called_like_its_file_and_described(name: str) -> None:
    module = module_of(name)
    assert name == module.ID
    assert module.POWER in get_args(Power)
    assert shows(name) in (*get_args(Shows), None)
    for label in ("What it catches: ", "Why it matters: ", "Example: ", "Limits: "):
        assert f"\n{label}" in module.__doc__


def test_every_file_with_a_finding_is_in_the_catalog() -> None:
    (room,) = findings.__path__
    files = {path.stem for path in Path(room).glob("*.py") if "\nID = " in path.read_text(encoding="utf-8")}
    assert files == FINDINGS.keys()


def test_every_finding_is_shown_by_a_case(found: list[Finding]) -> None:
    assert {finding.id for finding in found} == FINDINGS.keys()


def test_finding_is_shown_as_bad_as_what_it_may_do(found: list[Finding]) -> None:
    assert {finding.id for finding in found if finding.severity != SEVERITY_OF[finding.power]} <= SHOWN_AS_WORSE
