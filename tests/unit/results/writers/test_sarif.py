"""SARIF: what a code scanning service needs of an accusation, and that trace text cannot break the log."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.results.model import CheckResult

Build = Callable[..., CheckResult]
Written = Callable[..., str]


def test_only_accusations_are_results_and_each_names_its_place(build_result: Build, written: Written) -> None:
    verdicts = ["verified", "false_success", "unverifiable", "skipped"]
    log = json.loads(written("sarif", [build_result(v, v, file="runs/a b.jsonl", line=3) for v in verdicts]))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (result,) = run["results"]
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert "the booking call failed: slot is taken (step 1)" in result["message"]["text"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "runs/a%20b.jsonl"},
        "region": {"startLine": 3},
    }
    assert "baselineState" not in result
    assert run["invocations"] == [
        {"executionSuccessful": True, "exitCode": 1, "exitCodeDescription": "1 false_success"}
    ]


def test_an_accusing_finding_is_the_rule(build_result: Build, written: Written) -> None:
    finding = Finding(id="failed_write", power="accuse", severity="fail", subject="s", reason="r")
    log = json.loads(written("sarif", [build_result("false_success", "a", findings=(finding,))]))
    assert log["runs"][0]["results"][0]["ruleId"] == "failed_write"


def test_the_fingerprint_stays_where_the_file_moves(build_result: Build, written: Written) -> None:
    prints = []
    for file, line in (("a.jsonl", 1), ("/elsewhere/b.jsonl", 9)):
        log = json.loads(written("sarif", [build_result("false_success", "a", file=file, line=line)]))
        prints.append(log["runs"][0]["results"][0]["partialFingerprints"])
    assert prints[0] == prints[1]


def test_a_run_without_accusations_is_a_valid_empty_log(written: Written) -> None:
    assert json.loads(written("sarif", []))["runs"][0]["results"] == []


@pytest.mark.parametrize("text", ['"},{"', "\ud800", "\x00", "\x1b[31m", "a\nb"])
def test_text_of_a_trace_stays_text(build_result: Build, written: Written, text: str) -> None:
    log = json.loads(written("sarif", [build_result("false_success", text, file=f"{text}.jsonl", line=1)]))
    assert len(log["runs"][0]["results"]) == 1


def test_a_run_from_a_pipe_has_no_place_in_a_file(build_result: Build, written: Written) -> None:
    log = json.loads(written("sarif", [build_result("false_success", "a", file="<stdin>", line=1)]))
    (location,) = log["runs"][0]["results"][0]["locations"]
    assert location == {"logicalLocations": [{"name": "a", "kind": "resource"}]}


def test_each_rule_has_the_texts_that_code_scanning_asks_for(build_result: Build, written: Written) -> None:
    finding = Finding(id="failed_write", power="accuse", severity="fail", subject="s", reason="r")
    unknown = Finding(id="from_elsewhere", power="accuse", severity="fail", subject="s", reason="r")
    results = [
        build_result("false_success", f"t{i}", findings=found) for i, found in enumerate(((), (finding,), (unknown,)))
    ]
    (run,) = json.loads(written("sarif", results))["runs"]
    driver = run["tool"]["driver"]
    assert len(driver["rules"]) == 3
    for rule in driver["rules"]:
        assert all(rule[part]["text"] for part in ("shortDescription", "fullDescription", "help"))


def test_text_of_a_trace_makes_no_link(build_result: Build, written: Written) -> None:
    log = json.loads(written("sarif", [build_result("false_success", "[here](https://elsewhere.example)")]))
    assert "](" not in log["runs"][0]["results"][0]["message"]["text"]
