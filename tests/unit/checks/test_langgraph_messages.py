"""Messages in memory to a run, told apart by class name or dict keys alone."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.checks.langgraph_messages import from_langgraph_messages


class Message:
    def __init__(self, content: Any, **fields: Any) -> None:
        self.content = content
        self.__dict__.update(fields)


class SystemMessage(Message): ...


class HumanMessage(Message): ...


class AIMessage(Message): ...


class AIMessageChunk(Message): ...


class ToolMessage(Message): ...


def ask(name: str, call_id: str, **args: Any) -> AIMessage:
    return AIMessage(f"I call {name}", tool_calls=[{"name": name, "args": args, "id": call_id}])


def test_conversation_becomes_a_run() -> None:
    run = from_langgraph_messages(
        [
            SystemMessage("Be kind."),
            HumanMessage("Ship parcel 7"),
            ask("ship", "c1", parcel=7),
            ToolMessage("shipped", tool_call_id="c1", status="success"),
            AIMessage([{"type": "text", "text": "It is "}, {"type": "text", "text": "on its way."}], tool_calls=[]),
        ],
        allowed_tools=["ship"],
    )

    assert (run.task, run.system_prompt, run.allowed_tools) == ("Ship parcel 7", "Be kind.", ["ship"])
    assert run.final_answer == "It is \non its way."
    [step] = run.steps
    assert step.thought == "I call ship"
    assert step.tool_call is not None
    assert (step.tool_call.arguments, step.tool_call.output) == ({"parcel": 7}, "shipped")


@pytest.mark.parametrize(
    ("fields", "is_error"),
    [
        ({"status": "error"}, True),
        ({"status": "success"}, False),
        ({"status": "success", "model_fields_set": {"content"}}, None),
        ({"status": "success", "model_fields_set": {"content", "status"}}, False),
        ({"status": "error", "model_fields_set": {"content"}}, True),
        ({}, None),
    ],
)
def test_status_is_kept_unless_it_is_a_silent_default(fields: dict[str, Any], is_error: bool | None) -> None:
    run = from_langgraph_messages([ask("ship", "c1"), ToolMessage("x", tool_call_id="c1", **fields)])

    assert run.steps[0].tool_call is not None
    assert run.steps[0].tool_call.is_error is is_error


def test_parallel_calls_are_joined_by_id() -> None:
    both = AIMessage("", tool_calls=[{"name": "a", "args": {}, "id": "1"}, {"name": "a", "args": {}, "id": "2"}])

    run = from_langgraph_messages(
        [both, ToolMessage("second", tool_call_id="2"), ToolMessage("first", tool_call_id="1")]
    )

    assert [step.tool_call.output for step in run.steps if step.tool_call] == ["first", "second"]


def test_missing_tool_message_is_marked() -> None:
    assert from_langgraph_messages([ask("ship", "c1")]).steps[0].note == "no_result"


def test_dicts_and_chunks_are_read_too() -> None:
    run = from_langgraph_messages(
        [
            {"role": "user", "content": "Ship it"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "1", "type": "function", "function": {"name": "ship", "arguments": '{"p": 7}'}}],
            },
            {"type": "tool", "content": "shipped", "tool_call_id": "1", "status": "error"},
            AIMessageChunk("Shipped."),
        ]
    )

    assert (run.task, run.final_answer) == ("Ship it", "Shipped.")
    assert run.steps[0].tool_call is not None
    assert (run.steps[0].tool_call.arguments, run.steps[0].tool_call.is_error) == ({"p": 7}, True)


def test_image_output_is_not_an_empty_output() -> None:
    picture = ToolMessage([{"type": "image_url", "image_url": "https://x.example"}], tool_call_id="c1")

    run = from_langgraph_messages([ask("draw", "c1"), picture])

    assert run.steps[0].tool_call is not None
    assert run.steps[0].tool_call.output == "[image_url]"


def test_response_tool_hands_over_the_answer() -> None:
    run = from_langgraph_messages([ask("respond", "c1", text="All good")], response_tool="respond")

    assert run.steps == []
    assert run.final_answer == '{"text": "All good"}'


def test_given_values_win() -> None:
    run = from_langgraph_messages([HumanMessage("x")], task="t", final_answer="", system_prompt="p")

    assert (run.task, run.final_answer, run.system_prompt) == ("t", "", "p")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda kind, fields: {"type": kind, "data": fields},
        lambda kind, fields: {"lc": 1, "type": "constructor", "id": ["x", f"{kind.upper()}Message"], "kwargs": fields},
        lambda kind, fields: {"type": kind, **fields},
    ],
)
def test_written_forms(wrap: Any) -> None:
    run = from_langgraph_messages(
        [
            wrap("human", {"content": "Ship it"}),
            wrap("ai", {"content": "", "tool_calls": [{"name": "ship", "args": {}, "id": "1"}]}),
            wrap("tool", {"content": "Error: no van", "tool_call_id": "1", "status": "success"}),
            wrap("ai", {"content": "Done."}),
        ]
    )

    assert (run.task, run.final_answer) == ("Ship it", "Done.")
    assert run.steps[0].tool_call is not None
    assert (run.steps[0].tool_call.output, run.steps[0].tool_call.is_error) == ("Error: no van", None)
