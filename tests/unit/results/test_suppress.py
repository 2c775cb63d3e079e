"""Suppressing silences a finding; it never turns an accusation into a pass."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.evidence.contract import Finding
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import Summary, still_accused_lines
from agent_claimcheck.results.suppress import Suppression, apply, expired, load_suppressions

Build = Callable[..., CheckResult]
TODAY = date(2026, 5, 1)


def entry(finding: str, trace: str = "*", until: date = TODAY) -> Suppression:
    return Suppression(finding=finding, reason="known flake", until=until, trace=trace)


def finding(name: str, power: Any = "accuse", claim: int | None = 0) -> Finding:
    return Finding(id=name, power=power, severity="fail", subject="s", reason="r", steps=(1,), claim=claim)


def accused_by(build: Build, *findings: Finding) -> CheckResult:
    """A result whose claim is contradicted by findings, not by a field check."""
    result = build("false_success", findings=findings)
    return replace(result, claim_verdicts=(replace(result.claim_verdicts[0], checks=()),))


def test_an_accusation_resting_on_a_suppressed_finding_becomes_unverifiable(build_result: Build) -> None:
    after = apply(accused_by(build_result, finding("failed_write")), [entry("failed_write")], TODAY)
    assert (after.verdict, after.abstain, after.abstain_reason) == ("unverifiable", True, "suppressed")
    assert (after.p_success, after.confidence, after.record) == (None, None, "undecided")
    assert after.findings == ()
    assert after.suppressed == ("failed_write: known flake (until 2026-05-01)",)
    assert after.reasons[0].outcome == "undecided"
    assert after.claim_verdicts[0].outcome == "undecided"


def test_another_accusing_finding_keeps_the_accusation(build_result: Build) -> None:
    before = accused_by(build_result, finding("failed_write"), finding("undone"))
    after = apply(before, [entry("failed_write")], TODAY)
    assert (after.verdict, after.record, after.p_success) == ("false_success", "contradicted", 0.03)
    assert [f.id for f in after.findings] == ["undone"]
    assert after.notes == ("suppressed, still accused by undone",)


def test_an_outcome_silences_no_finding_and_what_still_accuses_is_told(build_result: Build) -> None:
    before = accused_by(build_result, finding("failed_write"), finding("undone"))
    after = apply(before, [entry("contradicted")], TODAY)
    assert after.verdict == "false_success"
    summary = Summary()
    for result in (after, apply(before, [entry("failed_write")], TODAY), before):
        summary.add(result)
    assert still_accused_lines(summary) == (
        "1 trace with suppressed findings, still accused by failed_write, undone",
        "1 trace with suppressed findings, still accused by undone",
    )
    outcome_left = apply(
        build_result("false_success", findings=(finding("failed_write"),)), [entry("failed_write")], TODAY
    )
    assert outcome_left.notes == ("suppressed, still accused by contradicted",)


def test_a_failed_field_check_keeps_the_accusation_until_the_outcome_is_suppressed(build_result: Build) -> None:
    before = build_result("false_success", findings=(finding("failed_write"),))
    assert apply(before, [entry("failed_write")], TODAY).verdict == "false_success"
    assert apply(before, [entry("failed_write"), entry("contradicted")], TODAY).verdict == "unverifiable"


def test_a_review_finding_overturns_nothing(build_result: Build) -> None:
    before = build_result("false_success", findings=(finding("odd", power="review"),))
    after = apply(before, [entry("odd")], TODAY)
    assert after.verdict == "false_success"
    assert after.findings == ()


def test_an_accusation_by_a_score_is_not_overturned(build_result: Build) -> None:
    before = accused_by(build_result, finding("failed_write"))
    output = replace(before.detectors[0], detector="cascade-offline", details={"decided_by": "classifier-lr"})
    before = replace(before, detectors=(output,))
    assert apply(before, [entry("failed_write")], TODAY).verdict == "false_success"


def test_the_glob_and_the_last_day_limit_an_entry(build_result: Build) -> None:
    before = accused_by(build_result, finding("failed_write"))
    assert apply(before, [entry("failed_write", trace="other-*")], TODAY) == before
    assert apply(before, [entry("failed_write", until=date(2026, 4, 30))], TODAY) == before
    assert apply(before, [entry("failed_write", trace="run-*")], TODAY) != before


def test_expired_entries_are_reported() -> None:
    lines = expired([entry("a"), entry("b\x1b", until=date(2026, 4, 30))], TODAY)
    assert lines == (r"suppression of b\x1b for * ended on 2026-04-30 and no longer applies: known flake",)


@pytest.mark.parametrize("verdict", ["verified", "unverifiable", "skipped"])
def test_other_verdicts_never_change(build_result: Build, verdict: str) -> None:
    before = build_result(verdict, findings=(finding("failed_write"),))
    after = apply(before, [entry("failed_write")], TODAY)
    assert replace(after, findings=before.findings, suppressed=()) == before
    assert after.findings == ()


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(
        '[[suppress]]\nfinding = "a"\nreason = "r"\nuntil = 2026-05-01\n'
        '[[suppress]]\nfinding = "contradicted"\ntrace = "x-*"\nreason = "r"\nuntil = "2026-06-01"\n'
    )
    assert load_suppressions(path, {"a"}) == (
        Suppression(finding="a", reason="r", until=date(2026, 5, 1)),
        Suppression(finding="contradicted", reason="r", until=date(2026, 6, 1), trace="x-*"),
    )
    path.write_text("")
    assert load_suppressions(path) == ()


def test_all_faults_of_a_file_are_named_with_file_and_key(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(
        "extra = 1\n"
        '[[suppress]]\nfinding = "failed-write"\nreason = " "\nuntil = 2026-05-01T00:00:00\n'
        '[[suppress]]\nfinding = 3\ntrase = "x"\n'
    )
    with pytest.raises(ConfigError) as caught:
        load_suppressions(path, {"failed_write"})
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}: ") for line in lines)
    assert [line.removeprefix(f"{path}: ") for line in lines] == [
        "extra: unknown key, known is suppress, written [[suppress]]",
        "suppress[0].reason: expected text, got ' '",
        "suppress[0].until: expected a date such as 2030-01-31, got 2026-05-01 00:00:00",
        "suppress[0].finding: unknown finding 'failed-write', did you mean failed_write?",
        "suppress[1].trase: unknown key, known are finding, trace, reason, until",
        "suppress[1].reason: is missing",
        "suppress[1].until: is missing",
        "suppress[1].finding: expected text, got 3",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        (b"=", "is no TOML"),
        (b"\xff", "is no TOML"),
        (b"suppress = 3", "expected entries"),
        (b"suppress = [3]", r"suppress\[0\]: expected a table"),
    ],
)
def test_a_file_that_is_no_suppressions_file_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "s.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=message) as caught:
        load_suppressions(path)
    assert str(path) in str(caught.value)
