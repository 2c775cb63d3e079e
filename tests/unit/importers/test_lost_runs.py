"""A record that should be a run and cannot be read is a fault of the file; records of other kinds are none."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agent_claimcheck.cli.app import app
from agent_claimcheck.importers.contract import ImportNote, ImportOptions, ImportReport
from agent_claimcheck.importers.files import read_any
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.streams import decompress

MESSAGES = [{"role": "user", "content": "Water the ferns."}, {"role": "assistant", "content": "The ferns are watered."}]
RUN = {"id": "r", "messages": MESSAGES}


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def read(data: bytes, format_name: str | None = None) -> tuple[list[Trace], list[str], ImportReport]:
    items = list(read_any(decompress(io.BytesIO(data)), file="f", options=ImportOptions(), format_name=format_name))
    note = items.pop()
    assert isinstance(note, ImportNote)
    traces = [item for item in items if isinstance(item, Trace)]
    return traces, [str(item) for item in items if not isinstance(item, Trace)], note.report


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ({"id": "x", "messages": "hello"}, '$.messages: expected a list of the run\'s messages; got "hello"'),
        ({"id": "x", "messages": []}, "$.messages: expected a list of the run's messages; got an empty list"),
        ({"id": "x", "messages": [{"foo": 1}]}, "$.messages: expected a list of the run's messages; got a list of 1"),
        ({"type": "run", "messages": {"0": 1}}, "$.messages: expected a list of the run's messages; got an object"),
        ({"id": "x", "messages": None}, '$: expected an object with the messages of a run; got an object with "id"'),
        ({"foo": 1}, '$: expected an object with the messages of a run; got an object with "foo"'),
        ([], "$: expected an object with the messages of a run; got an empty list"),
        (42, "$: expected an object with a run or a message of one; got 42"),
        (None, "$: expected an object with a run or a message of one; got null"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_record_among_runs_that_is_none_is_a_fault_with_its_line(lost: Any, said: str, place: int) -> None:
    records: list[Any] = [RUN, {**RUN, "id": "s"}]
    records.insert(place, lost)
    traces, problems, report = read(lines(*records), "openai-chat")
    assert [trace.trace_id for trace in traces] == ["r", "s"]
    assert len(problems) == 1
    assert problems[0].startswith(f"f:{place + 1}: {said}")
    assert "correct the record or take it out" in problems[0]
    assert report.problems == 1


@pytest.mark.parametrize(
    "other",
    [
        {"type": "session_summary", "text": "All done."},
        {"object": "list", "data": []},
        {"id": "b-2", "response": None, "error": {"code": "batch_expired"}},
        {"messages": [], "error": "the agent crashed"},
        {"values": {"messages": []}, "next": ["agent"]},
        {"model": "m-embed", "input": "ferns"},
    ],
)
def test_a_record_of_another_kind_among_runs_is_counted_and_no_fault(other: dict[str, Any]) -> None:
    traces, problems, report = read(lines(RUN, other))
    assert (len(traces), problems, report.lost, report.lost_at) == (1, [], 1, 2)


def test_in_a_file_of_bare_messages_other_records_are_no_fault_but_a_number_is() -> None:
    traces, problems, report = read(lines(MESSAGES[0], {"type": "turn_ended"}, {"took_s": 3}, 42, MESSAGES[1]))
    assert [trace.final_claim.text for trace in traces] == ["The ferns are watered."]
    assert [problem.partition(": ")[0] for problem in problems] == ["f:4"]
    assert report.lost == 2


def test_messages_written_as_json_text_are_read() -> None:
    traces, problems, _ = read(lines(RUN, {"id": "s", "messages": json.dumps(MESSAGES)}))
    assert [trace.final_claim.text for trace in traces] == ["The ferns are watered."] * 2
    assert problems == []


def test_the_first_record_does_not_cost_the_others_their_format() -> None:
    traces, problems, _ = read(lines({"id": "x", "messages": "hello"}, RUN))
    assert (len(traces), len(problems)) == (1, 1)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"task": "Water", "steps": [], "final_answer": "Watered."}, {"task": "Prune"}),
        ({"task_id": 1, "reward": 1.0, "traj": MESSAGES}, {"task_id": 2, "reward": 0.0}),
        ({"suite_name": "s", "pipeline_name": "p", "messages": MESSAGES}, {"suite_name": "s", "messages": "gone"}),
        ({"object": "response", "model": "m", "output": [{"type": "message", "role": "assistant", "content": "Ok"}]}, {"id": 7}),
    ],
)  # fmt: skip
def test_other_formats_of_one_run_a_record_name_what_is_none(good: dict[str, Any], bad: dict[str, Any]) -> None:
    traces, problems, _ = read(lines(good, bad))
    assert len(traces) == 1
    assert [problem.partition(": ")[0] for problem in problems] == ["f:2"]


def test_a_lost_run_fails_the_gate(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(lines(RUN, {"id": "x", "messages": "Deployed!"}))
    for command in (["check", "--fail-on", "never"], ["validate"]):
        done = CliRunner().invoke(app, [*command, str(path)])
        assert done.exit_code == 2, command
        assert "2: $.messages: expected" in done.output
