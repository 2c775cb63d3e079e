"""Content decides, never the name; what is unknown is said in one sentence."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.importers.catalog import IMPORTERS, load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions, ImportReport
from agent_claimcheck.importers.files import read_any
from agent_claimcheck.importers.sniff import describe_unknown, recognise
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.streams import decompress


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"{}", b"[]", b"[1, 2]", b'{"a": 1}', b"\x00\x01", b"[[[[", b'"x"', b"null"]
)
def test_nothing_is_recognised_where_nothing_is(data: bytes) -> None:
    assert recognise(data) is None
    assert describe_unknown(data)


def test_an_unknown_object_is_described_by_its_keys() -> None:
    assert "alpha, beta" in describe_unknown(b'{"beta": 1, "alpha": 2}')


def test_results_and_probes_are_told_from_runs() -> None:
    assert "results of `check`" in describe_unknown(b'{"schema": "claimcheck-result/v2", "trace_id": "a"}')
    assert "--probes" in describe_unknown(b'{"trace_id": "a", "name": "shop.get", "ok": true, "ts": "2026-01-01"}')


def test_an_unknown_file_is_one_problem_and_one_note() -> None:
    items = list(read_any(decompress(io.BytesIO(b'{"a": 1}')), file="x.json", options=ImportOptions()))
    assert str(items[0]).startswith("x.json: JSON of no known format (keys of the first object: a); ")
    assert "agent-claimcheck formats" in str(items[0])
    assert isinstance(items[1], ImportNote)


def test_a_named_format_overrides_recognition() -> None:
    data = json.dumps([{"role": "user", "content": "Hi"}]).encode()
    items = list(
        read_any(decompress(io.BytesIO(data)), file="x", options=ImportOptions(), format_name="anthropic-messages")
    )
    assert isinstance(items[0], Trace)
    assert items[0].source == "anthropic-messages"


def test_an_unknown_format_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="openai-chat"):
        load("nope")


def test_every_importer_says_what_it_is() -> None:
    for name in IMPORTERS:
        importer = load(name)
        assert importer.name == name
        assert importer.title
        assert importer.recognised_by


@pytest.mark.parametrize(
    ("data", "value"), [(b"null\n", "null"), (b"42", "a number"), (b'"x"', "a text"), (b"true", "true")]
)
def test_json_that_is_no_run_is_called_json(data: bytes, value: str) -> None:
    assert describe_unknown(data).startswith(f"JSON, but no run: it is {value}; ")
    assert describe_unknown(b"hello").startswith("not JSON, ")


def test_broken_json_is_named_with_the_line_on_which_it_begins() -> None:
    items = list(
        read_any(decompress(io.BytesIO(b'\n{"id": "x", "messages": [')), file="x.json", options=ImportOptions())
    )
    assert str(items[0]).startswith("x.json:2: is not JSON: it ends too early")


def test_a_file_of_the_right_shape_without_runs_says_so() -> None:
    items = list(load("codex").read(io.BytesIO(b""), file="x", options=ImportOptions()))
    assert str(items[0]) == "x: looks like Codex CLI rollouts and exec --json but holds no runs"


def test_the_report_names_what_cannot_be_decided() -> None:
    report = ImportReport(file="x", format="y", runs=1, calls=2, unpaired=2)
    assert report.line() == (
        "x: y: 1 run, 0 steps, 2 calls, 0 results; 2 calls without a result; "
        "undecidable: the file holds no tool results"
    )
    report.drop("noise", 3)
    report.warn("odd")
    assert "left behind: noise 3" in report.full()
    assert "note: odd" in report.full()


def test_compressed_files_are_read() -> None:
    import gzip

    data = gzip.compress(json.dumps([{"role": "user", "content": "Hi"}]).encode())
    items = list(read_any(decompress(io.BytesIO(data)), file="x", options=ImportOptions()))
    assert isinstance(items[0], Trace)


def test_damaged_compression_is_a_problem() -> None:
    import gzip

    lines = "".join(json.dumps({"messages": [{"role": "user", "content": str(n) * 50}]}) + "\n" for n in range(9000))
    data = gzip.compress(lines.encode())
    items = list(read_any(decompress(io.BytesIO(data[:-200])), file="x", options=ImportOptions()))
    assert any("cannot be read to its end" in str(item) for item in items)


def test_sub_agents_stay_in_the_parent_when_asked_for() -> None:
    lines = [
        {"type": "user", "sessionId": "s", "uuid": "1", "parentUuid": None, "message": {"content": "Go."}},
        {
            "type": "assistant", "sessionId": "s", "uuid": "2", "parentUuid": "1",
            "message": {"content": [{"type": "tool_use", "id": "t", "name": "Task", "input": {}}]},
        },
        {
            "type": "assistant", "sessionId": "s", "uuid": "3", "parentUuid": None, "isSidechain": True, "agentId": "z",
            "message": {"content": [{"type": "text", "text": "I did it."}]},
        },
    ]  # fmt: skip
    data = b"\n".join(json.dumps(line).encode() for line in lines)
    importer = load("claude-code")
    separate = [i for i in importer.read(io.BytesIO(data), file="x", options=ImportOptions()) if isinstance(i, Trace)]
    assert [trace.trace_id for trace in separate] == ["s", "s/agent-z"]
    assert separate[0].final_claim.text is None
    options = ImportOptions(subagents="inline")
    inline = [i for i in importer.read(io.BytesIO(data), file="x", options=options) if isinstance(i, Trace)]
    assert [step.role for step in inline[0].steps] == ["user", "agent", "other_agent"]
    assert inline[0].final_claim.text is None


def test_logged_requests_of_one_conversation_are_joined_when_asked_for() -> None:
    first = [{"role": "user", "content": "Pay."}]
    second = [*first, {"role": "assistant", "content": "Sure?"}, {"role": "user", "content": "Yes."}]
    rows = [{"session_id": "s", "id": str(number), "messages": m} for number, m in enumerate((first, second))]
    rows[1]["response"] = {"choices": [{"message": {"role": "assistant", "content": "Paid."}}]}
    data = "\n".join(json.dumps(row) for row in rows).encode()
    importer = load("openai-chat")
    apart = [i for i in importer.read(io.BytesIO(data), file="x", options=ImportOptions()) if isinstance(i, Trace)]
    assert [trace.trace_id for trace in apart] == ["0", "1"]
    options = ImportOptions(group_by_conversation=True)
    joined = [i for i in importer.read(io.BytesIO(data), file="x", options=options) if isinstance(i, Trace)]
    assert [[step.content for step in trace.steps] for trace in joined] == [["Pay.", "Sure?", "Yes.", "Paid."]]


def test_a_packed_file_that_breaks_off_at_once_is_called_damaged() -> None:
    stream = decompress(io.BytesIO(gzip.compress(bytes(range(256)) * 4)[:40]))
    problem, note = read_any(stream, file="runs.jsonl.gz", options=ImportOptions())
    assert isinstance(problem, TraceProblem)
    assert "compressed data is damaged" in problem.message
    assert isinstance(note, ImportNote)


@pytest.mark.parametrize(
    "row",
    [
        {"event": "on_chat_model_stream", "run_id": "r", "data": {"chunk": {}}},
        {"id": "c-1", "object": "chat.completion.chunk", "choices": [{"delta": {"content": "I "}}]},
        {"type": "run_item_stream_event", "name": "tool_called", "item": {}},
        {"gardener": {"messages": [{"type": "ai", "content": "Watered."}]}},
        [{"type": "AIMessageChunk", "content": "Wat"}, {"langgraph_node": "gardener"}],
    ],
)
def test_events_of_a_stream_are_answered_with_what_to_write(row: object) -> None:
    data = json.dumps(row).encode()
    said = describe_unknown(data + b"\n" + data + b"\n")
    assert "once it has ended" in said
    assert "Getting your runs into a file" in said


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"id": "x", "messages": [}', "is not JSON: a value is missing or misspelt (column 26"),
        (b'{"id": "x", "notes": ["fern", "mo', "is not JSON: it ends too early, a string is not closed (column 31)"),
        (b'[{"id": "x"}, {"id": ', "is not JSON: it ends too early"),
    ],
)
def test_a_broken_document_is_called_broken_and_not_unknown(data: bytes, fault: str) -> None:
    assert describe_unknown(data).startswith(fault)


def test_several_objects_in_a_row_are_not_called_broken() -> None:
    assert describe_unknown(b'{\n"fern": 1\n}\n{\n"moss": 2\n}').startswith(
        "JSON of no known format (keys of the first object: fern)"
    )
