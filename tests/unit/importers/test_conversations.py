"""What the object around a history of messages says of the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_claimcheck import load_traces

MESSAGES = [{"role": "user", "content": "Water the ferns."}, {"role": "assistant", "content": "The ferns are watered."}]


@pytest.mark.parametrize("header", [{"task_id": "ferns"}, {"metadata": {"task_id": "ferns"}}])
def test_a_chat_log_may_name_its_task(tmp_path: Path, header: dict[str, object]) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"id": "run-7", **header, "messages": MESSAGES}) + "\n", encoding="utf-8")
    (trace,) = load_traces(str(path))
    assert (trace.trace_id, trace.task.id) == ("run-7", "ferns")


def test_without_one_the_run_is_its_own_task(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"id": "run-7", "metadata": None, "messages": MESSAGES}) + "\n", encoding="utf-8")
    (trace,) = load_traces(str(path))
    assert trace.task.id == "run-7"


def test_runs_of_one_task_that_begin_alike_are_different_runs(tmp_path: Path) -> None:
    answers = ["The ferns are watered.", "The ferns have been watered twice.", "The ferns are watered."]
    for number, said in enumerate(answers):
        messages = [MESSAGES[0], {"role": "assistant", "content": said}]
        (tmp_path / f"{number}.json").write_text(json.dumps(messages), encoding="utf-8")
    traces = load_traces(str(tmp_path))
    assert [trace.final_claim.text for trace in traces] == answers[:2]
    # The same bytes once more are the same run once more.
    assert [problem.file.rpartition("/")[2] for problem in traces.problems] == ["2.json"]
