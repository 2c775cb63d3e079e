"""What a baseline already has stays visible in every report, and is a failure in none."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from agent_claimcheck.results.baseline import Baseline
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import FailPolicy, Summary, exit_decision
from agent_claimcheck.results.writers.catalog import writer_factory
from agent_claimcheck.results.writers.contract import Destination

Build = Callable[..., CheckResult]


@pytest.fixture
def report(build_result: Build) -> Callable[[str], tuple[str, str]]:
    """Write one known and one new accusation; return what was written and the annotations."""

    def write(name: str) -> tuple[str, str]:
        baseline = Baseline([build_result("false_success", "old")])
        sink, annotations = io.BytesIO(), io.BytesIO()
        writer = writer_factory(name)(Destination(sink=sink, annotations=annotations, is_known=baseline.is_known))
        summary = Summary()
        writer.begin()
        for result in (build_result("false_success", "old"), build_result("false_success", "new")):
            summary.add(result)
            baseline.add(result)
            writer.write(result)
        writer.end(summary, exit_decision(summary, FailPolicy(), baseline.fresh))
        return sink.getvalue().decode(), annotations.getvalue().decode()

    return write


def test_junit_skips_what_is_known(report: Callable[[str], tuple[str, str]]) -> None:
    suite = ElementTree.fromstring(report("junit")[0])[0]
    assert (suite.get("failures"), suite.get("skipped")) == ("1", "1")
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert cases["new"].find("failure") is not None
    skipped = cases["old"].find("skipped")
    assert skipped is not None
    assert (skipped.get("message") or "").startswith("known from the baseline: ")


def test_github_annotates_what_is_new_alone(report: Callable[[str], tuple[str, str]]) -> None:
    shown, annotations = report("github")
    assert "false success%3A new" in annotations
    assert "false success%3A old" not in annotations
    assert "`old` - known from the baseline" in shown


def test_the_table_and_its_last_line_tell_what_is_known(report: Callable[[str], tuple[str, str]]) -> None:
    lines = report("table")[0].splitlines()
    assert ["in the baseline" in line for line in lines[1:3]] == [True, False]
    assert "2 accused (1 of them in the baseline)" in lines[-1]


def test_sarif_tells_new_from_unchanged(report: Callable[[str], tuple[str, str]]) -> None:
    results = json.loads(report("sarif")[0])["runs"][0]["results"]
    assert [result["baselineState"] for result in results] == ["unchanged", "new"]
