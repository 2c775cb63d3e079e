"""JUnit, Markdown and GitHub: what they say, and that trace text cannot break out of them."""

from __future__ import annotations

import io
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import ExitDecision, FailPolicy, Summary, exit_decision
from agent_claimcheck.results.writers.contract import Destination
from agent_claimcheck.results.writers.github import GithubWriter, command
from agent_claimcheck.results.writers.junit import JunitWriter
from agent_claimcheck.results.writers.markdown import MarkdownWriter, code, escape

Build = Callable[..., CheckResult]
Written = Callable[..., str]
HOSTILE = ["]]>", "<script>", "\x1b[31m", "a\n::error::b", "\ud800", "\x00", "&amp;", '"', "\ufffe", "| a |", "`x`"]


def test_junit_accuses_with_a_failure_and_skips_what_is_not_decided(build_result: Build, written: Written) -> None:
    verdicts = ["verified", "false_success", "unverifiable", "skipped"]
    root = ElementTree.fromstring(written("junit", [build_result(v, v, file="r.jsonl", line=3) for v in verdicts]))
    suite = root[0]
    assert {k: suite.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4", "failures": "1", "errors": "0", "skipped": "2",
    }  # fmt: skip
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert [child.tag for child in cases["verified"]] == []
    failure = cases["false_success"].find("failure")
    assert failure is not None
    assert failure.get("message") == "the booking call failed: slot is taken"
    assert "(step 1)" in (failure.text or "")
    skipped = cases["unverifiable"].find("skipped")
    assert skipped is not None
    assert (skipped.get("message") or "").startswith("not decided: ")
    assert cases["skipped"].find("skipped") is not None
    assert (cases["verified"].get("file"), cases["verified"].get("line")) == ("r.jsonl", "3")


def test_junit_agrees_with_the_exit_code_when_no_case_says_why(build_result: Build) -> None:
    summary = Summary()
    buffer = io.BytesIO()
    writer = JunitWriter(Destination(sink=buffer))
    writer.begin()
    result = build_result("skipped")
    summary.add(result)
    writer.write(result)
    writer.end(summary, exit_decision(summary, FailPolicy(require_claims=True)))
    suite = ElementTree.fromstring(buffer.getvalue())[0]
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "nothing was claimed"


def test_junit_counts_what_was_skipped_where_the_common_schema_has_a_place_for_it(
    build_result: Build, written: Written
) -> None:
    root = ElementTree.fromstring(written("junit", [build_result("skipped"), build_result("verified")]))
    assert set(root.attrib) <= {"name", "time", "tests", "failures", "disabled", "errors"}
    assert root[0].attrib["skipped"] == "1"


def test_junit_reports_invalid_lines_as_an_error(build_result: Build, written: Written) -> None:
    suite = ElementTree.fromstring(written("junit", [build_result("verified")], problems=2))[0]
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1")
    error = suite.find("testcase/error")
    assert error is not None
    assert error.get("message") == "2 problems in the input"


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=40) | st.sampled_from(HOSTILE))
def test_junit_is_well_formed_whatever_the_text(build_result: Build, written: Written, text: str) -> None:
    result = build_result(trace_id=text, detail=text, domain=text, file=text, line=1)
    suite = ElementTree.fromstring(written("junit", [result]).encode())[0]
    assert len(list(suite.iter("testcase"))) == 1
    assert len(list(suite.iter("failure"))) == 1


def test_junit_spills_to_disk_and_stays_whole(build_result: Build, written: Written) -> None:
    results = [build_result("false_success", f"run-{i}", detail="x" * 900) for i in range(1500)]
    suite = ElementTree.fromstring(written("junit", results))[0]
    assert [case.get("name") for case in suite.iter("testcase")] == [f"run-{i}" for i in range(1500)]


def test_markdown_puts_totals_first_then_accusations_then_the_undecided(build_result: Build, written: Written) -> None:
    text = written("markdown", [build_result("unverifiable", "open-1"), build_result("false_success", "bad-1")])
    order = ["# Claim check", "1 accused", "| false\\_success | 1 |", "## Accused", "bad-1", "## Not decided", "open-1"]
    positions = [text.index(part) for part in order]
    assert positions == sorted(positions)
    assert "(steps 0, 1)" in text


def test_markdown_names_a_few_examples_per_reason(build_result: Build, written: Written) -> None:
    text = written("markdown", [build_result("unverifiable", f"open-{i}") for i in range(30)])
    assert "| 30 |" in text
    assert text.count("open-") == 10
    assert ", ..." in text


def test_markdown_report_can_be_bounded(build_result: Build) -> None:
    buffer = io.BytesIO()
    writer = MarkdownWriter(Destination(sink=buffer), max_bytes=1000)
    summary = Summary()
    for i in range(20):
        result = build_result("false_success", f"bad-{i}")
        summary.add(result)
        writer.write(result)
    writer.end(summary, ExitDecision(code=1, reasons=("20 false_success",)))
    text = buffer.getvalue().decode()
    shown = text.count("### ")
    assert 0 < shown < 20
    assert f"... and {20 - shown} more" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>", r"\<b\>"),
        ("[a](http://x.test)", r"\[a\]\(http\://x.test\)"),
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
        ("a\nb", r"a\\nb"),
        ("www.x.test", r"www\.x.test"),
        ("a | b", r"a \| b"),
        ("@team", r"\@team"),
        ("&lt;", r"\&lt;"),
    ],
)
def test_markdown_text_is_literal(text: str, shown: str) -> None:
    assert escape(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("", "`  `"), ("a|b", r"a\|b")]
)
def test_code_spans_cannot_be_closed_from_inside(text: str, shown: str) -> None:
    assert code(text) == shown


def github(results: list[CheckResult]) -> tuple[str, str]:
    report, log = io.BytesIO(), io.BytesIO()
    writer = GithubWriter(Destination(sink=report, annotations=log))
    summary = Summary()
    writer.begin()
    for result in results:
        summary.add(result)
        writer.write(result)
    writer.end(summary, exit_decision(summary, FailPolicy()))
    return report.getvalue().decode(), log.getvalue().decode()


def test_github_annotates_accusations_at_their_file_and_line(build_result: Build) -> None:
    report, log = github([build_result("false_success", "bad-1", file="a,b:c.jsonl", line=4), build_result("verified")])
    first, last = log.splitlines()
    assert first == (
        "::error file=a%2Cb%3Ac.jsonl,line=4,title=false success%3A bad-1::"
        'the booking call failed: slot is taken (step 1). It said: "Booked"'
    )
    assert last.startswith("::error title=agent-claimcheck::FAIL - 1 accused")
    assert report.startswith("# Claim check")


def test_github_bounds_its_annotations(build_result: Build) -> None:
    _, log = github([build_result("false_success", f"bad-{i}") for i in range(500)])
    assert len(log.splitlines()) == 51


def test_github_notes_a_run_that_passed(build_result: Build) -> None:
    _, log = github([build_result("verified")])
    assert log.startswith("::notice title=agent-claimcheck::PASS")


def test_an_annotation_encodes_percent_and_line_ends() -> None:
    assert command("error", {"file": "50%,\n"}, "100%\r\n::b") == r"::error file=50%25%2C\n::100%25\r%0A::b"


@pytest.mark.parametrize("text", [*HOSTILE, "\r::error::x", "x\u2028::error::y", "##[error]x"])
def test_trace_text_cannot_begin_another_command(build_result: Build, text: str) -> None:
    _, log = github([build_result("false_success", text, detail=text, file=text, line=1)])
    lines = log.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("::error ") for line in lines)
