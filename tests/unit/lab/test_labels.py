"""A reviews file in which somebody changed their mind is read the same way by all that learns from labels or measures by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_claimcheck.cli.app import main
from agent_claimcheck.lab.labels import one_label_each
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.trace.model import FinalClaim, GroundTruth, Trace, TraceProblem
from agent_claimcheck.trace.write import to_json


def reviewed(trace: Trace, decision: str, at: int) -> Trace:
    outcome = {"verified": "success", "false_success": "failure", "undone": "unknown"}[decision]
    details = {"decision": decision, "failure_kind": "phantom_action", "reviewed_at": f"2026-03-02T09:00:{at:02d}Z"}
    truth = GroundTruth(outcome=outcome, checked_by="none" if decision == "undone" else "human", details=details)  # type: ignore[arg-type]
    return replace(trace, ground_truth=truth)


@pytest.fixture(scope="module")
def runs() -> list[Trace]:
    return [trace for trace in load_traces("example:mixed") if not trace.trace_id.endswith("-04")]


def test_the_newest_review_counts_and_an_undone_one_gives_the_first_label_back(runs: list[Trace]) -> None:
    first, second, third = runs[:3]
    items = [
        reviewed(first, "verified", 1),
        second,
        reviewed(first, "false_success", 2),
        reviewed(second, "false_success", 3),
        reviewed(second, "undone", 4),
        replace(third, ground_truth=None),
    ]
    settled = [item for item in one_label_each(items) if isinstance(item, Trace)]
    assert [trace.trace_id for trace in settled] == [trace.trace_id for trace in runs[:3]]
    assert [trace.ground_truth and trace.ground_truth.outcome for trace in settled] == [
        "failure", second.ground_truth.outcome if second.ground_truth else None, None,
    ]  # fmt: skip


def test_another_run_under_the_same_id_is_a_problem(runs: list[Trace]) -> None:
    other = replace(runs[0], final_claim=FinalClaim(text="Something else has been booked."))
    items = list(one_label_each([runs[0], other]))
    assert [type(item) for item in items] == [TraceProblem, Trace]
    assert "was used before, by another run" in str(items[0])


def test_judge_export_takes_the_last_decision(
    runs: list[Trace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [reviewed(trace, "verified", n) for n, trace in enumerate(runs)]
    lines += [reviewed(trace, "false_success", 30 + n) for n, trace in enumerate(runs)]
    Path("reviews.jsonl").write_bytes(b"\n".join(to_json(trace, "v1") for trace in lines))
    with pytest.raises(SystemExit) as left:
        main(["judge", "export", "reviews.jsonl", "--out", "examples", "--valid-share", "0"])
    assert left.value.code == 0
    assert f"{len(runs)} examples to train" in capsys.readouterr().err
    assert '\\"failure_kind\\":null' not in Path("examples/train.jsonl").read_text("utf-8").replace(" ", "")
