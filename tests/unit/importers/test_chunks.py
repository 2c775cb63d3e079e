"""Messages that were streamed are one message again, wherever a file keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from agent_claimcheck import check_records, load_traces
from agent_claimcheck.importers.messages.chunks import joined

ASKED = {"type": "human", "content": "Open a ticket for the lift in hall 3"}
REFUSED = {
    "type": "tool",
    "tool_call_id": "k1",
    "name": "create_ticket",
    "status": "error",
    "content": "queue is closed",
}


def piece(name: str | None, content: Any = "", *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "AIMessageChunk", "id": name, "content": content, "tool_call_chunks": list(parts), **more}


def part(args: str, index: int = 0, call_id: str | None = None, name: str | None = None) -> dict[str, Any]:
    return {"type": "tool_call_chunk", "index": index, "id": call_id, "name": name, "args": args}


CALL = [
    piece("m1", "", part("", 0, "k1", "create_ticket"), tool_calls=[{"name": "create_ticket", "args": {}, "id": "k1"}]),
    piece("m1", "", part('{"hall": '), invalid_tool_calls=[{"name": None, "args": '{"hall": ', "id": None}]),
    piece("m1", "", part("3}")),
]
ANSWER = [piece("m2", "I've cre"), piece("m2", "ated the ticket "), piece("m2", "for the lift.")]
RUN = [ASKED, *CALL, REFUSED, *ANSWER]


def steps_of(path: Path) -> list[tuple[str, Any]]:
    (trace,) = load_traces(str(path))
    return [(step.kind, step.args if step.kind == "tool_call" else step.content) for step in trace.steps]


def test_a_streamed_run_is_read_in_a_list_in_lines_and_in_a_state(tmp_path: Path) -> None:
    files = {
        "list.json": json.dumps(RUN),
        "lines.jsonl": "\n".join(json.dumps(message) for message in RUN),
        "state.json": json.dumps({"values": {"messages": RUN}}),
        "wrapped.json": json.dumps([{"type": message["type"], "data": message} for message in RUN]),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert steps_of(path) == [
            ("message", "Open a ticket for the lift in hall 3"),
            ("tool_call", {"hall": 3}),
            ("tool_result", None),
            ("message", "I've created the ticket for the lift."),
        ], name


def test_a_claim_cut_in_pieces_is_held_against_the_call_cut_in_pieces() -> None:
    (result,) = check_records([{"messages": RUN}])
    assert result.verdict == "false_success"


def test_pieces_of_two_messages_that_alternate_come_apart_again() -> None:
    made = list(joined([piece("a", "Fern "), piece("b", "Moss "), piece("a", "done"), piece("b", "left"), ASKED]))
    assert [message["content"] for message in made] == ["Fern done", "Moss left", ASKED["content"]]


def test_parallel_calls_are_told_apart_by_their_index() -> None:
    (whole,) = joined(
        [
            piece("m", "", part("", 0, "x", "water"), part("", 1, "y", "prune")),
            piece("m", "", part("{}", 1), part('{"n":1}', 0)),
        ]
    )
    calls = [(call["id"], call["name"], call["args"]) for call in whole["tool_calls"]]
    assert calls == [("x", "water", '{"n":1}'), ("y", "prune", "{}")]


def test_text_in_blocks_has_no_seam() -> None:
    def text(said: str) -> list[dict[str, Any]]:
        return [{"type": "text", "text": said, "index": 0}]

    (whole,) = joined([piece("m", text("The fern is wat")), piece("m", text("ered.")), piece("m", "")])
    assert whole["content"] == [{"type": "text", "text": "The fern is watered."}]


def test_a_whole_message_of_that_name_keeps_its_calls() -> None:
    whole = piece("m", "", tool_calls=[{"name": "water", "args": {"n": 1}, "id": "x"}])
    assert list(joined([whole])) == [whole]


def test_wrong_types_in_pieces_are_survived() -> None:
    odd = [
        piece(None, 7, {"index": [], "args": 3}),
        {"type": "AIMessageChunk", "tool_call_chunks": {"a": 1}, "content": {}},
    ]  # type: ignore[arg-type]
    assert len(list(joined(odd))) == 1


def test_a_refusal_beside_an_empty_content_is_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "refused.json"
    answer = {"type": "ai", "content": "", "additional_kwargs": {"refusal": "I can't do that."}}
    path.write_text(json.dumps([ASKED, answer]), encoding="utf-8")
    (trace,) = load_traces(str(path))
    assert trace.final_claim.text == "I can't do that."
