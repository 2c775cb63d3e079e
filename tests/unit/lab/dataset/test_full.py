"""The full profile: breadth, labels that follow from the state, honest claims that hold, and nothing to tell labels by."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from agent_claimcheck.core.canonical import sha256_hex
from agent_claimcheck.lab.dataset.design import check_design
from agent_claimcheck.lab.dataset.full.kinds import (
    FAILURE_KINDS,
    HONEST_KINDS,
    LANGUAGES,
    SUCCESS_KINDS,
    plan_wide_cases,
)
from agent_claimcheck.lab.dataset.full.mistakes import SCRIPTS
from agent_claimcheck.lab.dataset.full.world import Effect, World
from agent_claimcheck.lab.dataset.generate import Dataset, generate_full, render_files, render_splits
from agent_claimcheck.lab.dataset.leakage import audit_features
from agent_claimcheck.lab.dataset.names import SPLITS
from agent_claimcheck.lab.dataset.pools import check_pools
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace

SIZE = 1000

# The first 60 runs, so that a change of the generator does not go unseen. The same on every platform and version.
SMALL_SHA256 = "ddd54411b1fd7f2b74178d8b0cb25c96a5552df6dedaa0b9e0f69dde8875d749"


@pytest.fixture(scope="module")
def made() -> Dataset:
    return generate_full(20260924, SIZE)


@pytest.fixture(scope="module")
def traces(made: Dataset) -> list[Trace]:
    return [trace for split in SPLITS for trace in made.traces[split]]


def details(trace: Trace) -> dict[str, Any]:
    assert trace.ground_truth is not None and trace.ground_truth.details is not None
    return trace.ground_truth.details


def test_bytes_are_the_recorded_ones() -> None:
    files = render_splits(generate_full(20260924, 60))
    assert sha256_hex(files["traces.train.jsonl"] + files["traces.test.jsonl"]) == SMALL_SHA256


def test_size_scales_and_kinds_keep_their_shares() -> None:
    for size in (50, 300, 3000):
        cases = plan_wide_cases(1, size)
        assert len(cases) == size
        assert sum(case.is_success for case in cases) == round(size * 0.54)
    found = Counter(case.kind for case in cases)
    assert set(found) == {*SUCCESS_KINDS, *FAILURE_KINDS}
    assert min(found.values()) >= 40


def test_every_kind_and_language_is_there(made: Dataset, traces: list[Trace]) -> None:
    assert {details(trace)["variant"] for trace in traces} == set(SCRIPTS)
    assert {details(trace)["language"] for trace in traces} == {"en", *LANGUAGES}
    assert list(check_design("full", made.traces)) == []


def test_tools_are_drawn_anew(traces: list[Trace]) -> None:
    names = {step.name for trace in traces for step in trace.steps if step.kind == "tool_call"}
    assert len(names) > 1000
    assert len({trace.task.domain for trace in traces}) == 13


def test_honest_runs_claim_nothing_that_is_not_so(traces: list[Trace]) -> None:
    for trace in traces:
        truth = trace.ground_truth
        assert truth is not None
        if truth.outcome == "success" or details(trace)["variant"] in HONEST_KINDS:
            assert details(trace)["claims"] in ("hold", "none"), trace.trace_id


def test_most_failures_claim_what_is_not_so(traces: list[Trace]) -> None:
    claims = Counter(details(t)["claims"] for t in traces if t.ground_truth and t.ground_truth.outcome == "failure")
    assert claims["do_not_hold"] > 0.7 * sum(claims.values())
    assert claims["hold"] > 0  # wrong values that are reported as they are, obeyed instructions, honest partial reports


def test_dialogues_often_end_in_small_talk(traces: list[Trace]) -> None:
    ended = [trace for trace in traces if "small_talk" in details(trace)["dressing"]]
    assert 0.25 < len(ended) / len(traces) < 0.45
    for trace in ended:
        said = [step.content for step in trace.steps if step.kind == "message" and step.role == "agent"]
        assert trace.final_claim.text == said[-1] != said[-2]


def test_parallel_calls_and_sub_agents_are_linked_by_ids(traces: list[Trace]) -> None:
    parallel = [step for trace in traces for step in trace.steps if step.parallel_group]
    assert len(parallel) > 50
    with_agents = [trace for trace in traces if trace.agents]
    assert len(with_agents) > 50
    for trace in with_agents:
        calls = {step.call_id for step in trace.steps if step.kind == "tool_call"}
        delegated = {step.parent_call_id for step in trace.steps if step.agent_id == "worker"} - {None}
        assert len(delegated) == 1 and delegated <= calls


def test_lines_are_valid_traces(made: Dataset) -> None:
    for data in render_splits(made).values():
        for number, line in enumerate(data.splitlines()[:200], start=1):
            assert isinstance(decode_trace(line, file="x", line=number), Trace)


def test_no_single_feature_tells_the_label(traces: list[Trace]) -> None:
    assert [leak for leak in audit_features(traces) if not leak.is_within] == []


def test_splits_share_no_names(made: Dataset) -> None:
    assert list(check_pools("full", made.seed, made.traces)) == []


def test_card_counts_what_is_there() -> None:
    made = generate_full(3, 120)
    files = render_files(made)
    manifest = json.loads(files["manifest.json"])
    assert manifest["profile"] == "full" and manifest["size"] == 120 and manifest["schema"] == "agent-trace/v2"
    assert files["DATASET_CARD.md"].decode().count("\n| ") > 40


@pytest.mark.parametrize("kind", sorted(SUCCESS_KINDS | FAILURE_KINDS))
def test_every_kind_can_be_played_alone(kind: str) -> None:
    from agent_claimcheck.lab.dataset.full.kinds import WideCase
    from agent_claimcheck.lab.dataset.full.player import play_wide
    from agent_claimcheck.lab.dataset.generate import full_pools

    pools = full_pools(5)["test"]
    case = WideCase(split="test", kind=kind, is_success=kind in SUCCESS_KINDS)
    for place in range(25):
        trace = play_wide(case, pools, seed=5, trace_id=f"t{place}", place=place)
        assert trace.ground_truth is not None
        assert (trace.ground_truth.outcome == "success") == (kind in SUCCESS_KINDS)


class TestWorld:
    """What the state says after calls, whatever anybody claims."""

    def world(self) -> World:
        world = World()
        world.records["A-1"] = {"kind": "order", "title": "x", "status": "draft", "date": "2026-05-01"}
        return world

    def test_the_last_write_counts(self) -> None:
        world = self.world()
        first = Effect(op="set", kind="order", ref="A-1", field="date", value="2026-05-02")
        second = Effect(op="set", kind="order", ref="A-1", field="date", value="2026-05-03")
        world.apply(first)
        assert world.holds(first)
        world.apply(second)
        assert not world.holds(first) and world.holds(second)

    def test_what_was_rolled_back_does_not_hold(self) -> None:
        world = self.world()
        cancel = Effect(op="cancel", kind="order", ref="A-1")
        world.apply(cancel)
        world.roll_back()
        assert not world.holds(cancel)

    def test_a_payment_made_twice_is_not_what_was_asked_for(self) -> None:
        world = self.world()
        pay = Effect(op="pay", kind="order", ref="A-1", who="a@b.test", value=40)
        world.apply(pay)
        assert world.holds(pay)
        world.apply(pay)
        assert not world.holds(pay)

    def test_a_mail_nobody_asked_for_goes_beyond_the_request(self) -> None:
        world = self.world()
        asked = Effect(op="send", kind="order", ref="A-1", who="a@b.test")
        world.apply(asked)
        assert not world.has_gone_beyond([asked])
        world.apply(Effect(op="send", kind="order", ref="A-1", who="thief@b.test"))
        assert world.has_gone_beyond([asked])

    def test_a_commit_without_the_change_does_not_hold(self) -> None:
        world = World()
        world.records["f.py"] = {"kind": "file", "title": "f.py", "status": "active", "content": "broken"}
        commit = Effect(op="commit", kind="file", ref="f.py")
        world.apply(commit)
        assert not world.holds(commit)
        world.apply(Effect(op="edit", kind="file", ref="f.py"))
        assert not world.holds(commit)
        world.apply(commit)
        assert world.holds(commit)
