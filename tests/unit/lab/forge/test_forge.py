"""Forgeries and their honest twins: what is changed, how it is labelled, and what the gate makes of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from agent_claimcheck.cli.commands.forge import forge
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.forge.edits import map_values, moved_before, swap_text, with_steps_after
from agent_claimcheck.lab.forge.kinds import KINDS
from agent_claimcheck.lab.forge.run import ForgeReport, Forgery, Tally, forge_traces, kinds_named
from agent_claimcheck.packs.load import load_builtin_packs
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.write import to_json
from fakes import booking_trace

GOOD = ("booking-01", "crm-01", "coding-01")


@pytest.fixture(scope="module")
def case() -> CaseSettings:
    return CaseSettings(packs=load_builtin_packs())


@pytest.fixture(scope="module")
def good() -> list[Trace]:
    """The three example runs that went well and were read back."""
    return [trace for trace in load_traces("example:mixed", "bench:test") if _is_good(trace)][:40]


def _is_good(trace: Trace) -> bool:
    return trace.trace_id in GOOD or (trace.ground_truth is not None and trace.ground_truth.outcome == "success")


@pytest.fixture(scope="module")
def forged(good: list[Trace], case: CaseSettings) -> list[Forgery]:
    return list(forge_traces(good, case, KINDS, Counter()))


@pytest.fixture(scope="module")
def report(good: list[Trace], forged: list[Forgery]) -> ForgeReport:
    tally = Tally(Checker("rules"))
    for forgery in forged:
        tally.add(forgery)
    return tally.report(len(good), Counter())


def test_every_kind_is_forged_somewhere(forged: list[Forgery]) -> None:
    assert {item.kind for item in forged if not item.is_twin} == {kind.name for kind in KINDS}


def test_every_forgery_is_a_valid_trace_of_its_own(forged: list[Forgery]) -> None:
    ids = [item.trace.trace_id for item in forged]
    assert len(set(ids)) == len(ids)
    for item in forged:
        to_json(item.trace, "v2")
        numbers = [step.i for step in item.trace.steps]
        assert numbers == sorted(set(numbers))


def test_a_repeated_write_gives_back_another_id(forged: list[Forgery]) -> None:
    repeated = [item.trace for item in forged if item.kind == "write_repeated" and not item.is_twin]
    assert any(trace.trace_id.startswith("booking-01") for trace in repeated)
    for trace in repeated:
        steps = trace.steps
        second = next(
            at
            for at in range(2, len(steps))
            if steps[at].kind == "tool_call"
            and (steps[at].name, steps[at].args) == (steps[at - 2].name, steps[at - 2].args)
        )
        assert steps[second + 1].output != steps[second - 1].output


def test_a_time_is_no_id(case: CaseSettings) -> None:
    steps = [
        Step(i=0, ts="2026-03-02T09:00:00Z", kind="message", role="user", content="Move meeting ev-41 to 14:00."),
        Step(
            i=1, ts="2026-03-02T09:00:01Z", kind="tool_call", role="agent", name="reschedule_event",
            args={"time": "14:00", "event": "ev-41"},
        ),
        Step(i=2, ts="2026-03-02T09:00:02Z", kind="tool_result", role="tool", name="reschedule_event", ok=True, output={"ok": True}),
    ]  # fmt: skip
    trace = Trace(
        trace_id="t",
        source="s",
        task=Task(id="1", domain="other", instruction="Move meeting ev-41 to 14:00."),
        steps=steps,
        final_claim=FinalClaim(text="Your meeting has been rescheduled to 2 pm.", claims=[]),
    )
    swapped = [item.trace for item in forge_traces([trace], case, KINDS, Counter()) if item.kind == "id_swapped"]
    assert len(swapped) == 2
    for changed in swapped:
        assert changed.steps[1].args == {"time": "14:00", "event": "ev-44"}


def test_labels_say_what_can_be_known(forged: list[Forgery]) -> None:
    for item in forged:
        truth = item.trace.ground_truth
        assert truth is not None
        expected = "success" if item.is_twin else "failure" if item.aim == "accuse" else "unknown"
        assert truth.outcome == expected


def test_no_honest_twin_is_accused(report: ForgeReport) -> None:
    assert [found.accused_twins for found in report.kinds if found.accused_twins] == []
    assert sum(found.n_twins for found in report.kinds) > 50


def test_taken_away_evidence_neither_accuses_nor_verifies(report: ForgeReport) -> None:
    for found in report.kinds:
        if found.aim == "leave open":
            assert (found.accused, found.verified) == (0, 0) and found.open == found.n > 0


def test_planted_reviewer_text_changes_no_verdict(report: ForgeReport) -> None:
    counts = {found.kind: (found.accused, found.verified) for found in report.kinds}
    assert counts["reviewer_planted"] == counts["status_flipped"]


def test_most_writes_that_failed_or_never_were_are_caught(report: ForgeReport) -> None:
    for found in report.kinds:
        if found.kind in ("call_dropped", "status_flipped"):
            assert found.accused > found.n / 2 and found.verified == 0


def test_equal_traces_give_equal_forgeries(good: list[Trace], forged: list[Forgery], case: CaseSettings) -> None:
    assert list(forge_traces(good, case, KINDS, Counter())) == forged


def test_failed_accused_and_silent_runs_are_left_alone(case: CaseSettings) -> None:
    left: Counter[str] = Counter()
    runs = [
        booking_trace("failed", outcome="failure"),
        booking_trace("accused", ok=False, error="no room"),
        booking_trace("silent", final="The weather is fine."),
    ]
    assert list(forge_traces(runs, case, KINDS, left)) == []
    assert left == {"labelled a failure": 1, "already accused": 1, "claims nothing": 1}


def test_unmapped_tools_are_forged_too(case: CaseSettings) -> None:
    kinds = {item.kind for item in forge_traces([booking_trace()], case, KINDS, Counter()) if not item.is_twin}
    assert {"call_dropped", "status_flipped", "time_shifted"} <= kinds


def test_references_follow_steps_that_move() -> None:
    trace = booking_trace()
    trace = replace(trace, final_claim=replace(trace.final_claim, step=3))
    longer = with_steps_after(trace, 1, [trace.steps[1]])
    assert [step.i for step in longer.steps] == [0, 1, 2, 3, 4] and longer.final_claim.step == 4
    moved = moved_before(trace, 2, 1)
    assert [step.kind for step in moved.steps] == ["message", "tool_result", "tool_call", "message"]


def test_what_lies_too_deep_is_left_as_it_is() -> None:
    deep: list[object] = ["old"]
    for _ in range(5000):
        deep = [deep]
    changed = map_values({"near": "old", "deep": deep}, swap_text("old", "new"))
    assert changed["near"] == "new"
    for _ in range(5000):
        changed = changed["deep"] if isinstance(changed, dict) else changed[0]
    assert changed[0] == "old" or changed[0] == ["old"]


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UsageError, match="id_swaped"):
        kinds_named(["id_swaped"])


def test_the_command_prints_a_table_and_keeps_training_data(tmp_path: Path) -> None:
    done = CliRunner().invoke(forge, ["example:mixed", "--kinds", "call_dropped,probe_stale", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "call_dropped" in done.stdout and "forged from" in done.stdout
    kept = load_traces(tmp_path / "forgeries.jsonl", strict=True)
    figures = json.loads((tmp_path / "forge.json").read_bytes())
    assert len(kept) == sum(kind["n"] + kind["n_twins"] for kind in figures["kinds"])
    assert {kind["kind"] for kind in figures["kinds"]} == {"call_dropped", "probe_stale"}


def test_nothing_to_forge_from_exits_2(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(to_json(booking_trace(outcome="failure")) + b"\n")
    assert CliRunner().invoke(forge, [str(path)]).exit_code == 2
