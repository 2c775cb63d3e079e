"""What the rules say about the packaged examples: one run of each verdict per domain, and nothing accused in vain."""

from __future__ import annotations

import pytest

from agent_claimcheck.core.resources import data_path
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces

BY_NUMBER = {"01": "verified", "02": "false_success", "03": "unverifiable", "04": "skipped"}
HONEST_FAILURES = {"browser-04", "browser-12", "browser-17", "browser-20"}


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(detector="rules")


def test_each_domain_shows_each_verdict_once(checker: Checker) -> None:
    verdicts = {result.trace_id: result.verdict for result in checker.check(load_traces("example:mixed"))}
    assert verdicts == {trace_id: BY_NUMBER[trace_id[-2:]] for trace_id in verdicts}
    assert len(verdicts) == 12


def test_the_extra_probes_settle_the_open_runs_and_nothing_else(checker: Checker) -> None:
    probes = data_path("examples/probes.jsonl")
    verdicts = {r.trace_id: r.verdict for r in checker.check(load_traces("example:mixed"), probes=probes)}
    settled = {**BY_NUMBER, "03": "verified"}
    assert verdicts == {trace_id: settled[trace_id[-2:]] for trace_id in verdicts}


def test_verdicts_agree_with_the_labels(checker: Checker) -> None:
    labels = {trace.trace_id: trace.ground_truth for trace in load_traces("example:mixed")}
    for result in checker.check(load_traces("example:mixed")):
        label = labels[result.trace_id]
        assert label is not None
        if result.verdict == "verified":
            assert label.outcome == "success"
        if result.verdict == "false_success":
            assert label.outcome == "failure"


def test_browser_runs_without_probes_are_neither_accused_nor_verified(checker: Checker) -> None:
    verdicts = {result.trace_id: result.verdict for result in checker.check(load_traces("example:browser"))}
    assert set(verdicts.values()) <= {"unverifiable", "skipped"}
    assert {verdicts[trace_id] for trace_id in HONEST_FAILURES} == {"skipped"}
