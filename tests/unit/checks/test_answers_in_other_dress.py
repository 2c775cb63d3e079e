"""An answer in JSON, in markup or in colours is held to the evidence like a plain one."""

from __future__ import annotations

import json

import pytest

from agent_claimcheck.checks.run import Run, RunStep, ToolCall
from agent_claimcheck.evidence.claims.prose import prose_of
from attest import Attest

TOLD = "I have cancelled order A-3."


def graded(answer: str) -> str:
    call = ToolCall(
        name="cancel_order", arguments={"order_id": "A-3"}, output='{"success": false, "error": "already shipped"}'
    )
    run = Run(task="Cancel order A-3.", final_answer=answer, steps=[RunStep(tool_call=call, number=1)])
    return Attest().faithfulness(run).verdict


@pytest.mark.parametrize(
    "answer",
    [
        TOLD,
        json.dumps({"response": TOLD}),
        json.dumps({"status": "success", "message": TOLD, "order": "A-3"}),
        json.dumps({"answer": {"text": TOLD, "lang": "en"}}),
        "<p>I have <b>cancelled</b> order A-3.</p>",
        f"```\n{TOLD}\n```",
        f"\x1b[32m{TOLD}\x1b[0m",
    ],
)
def test_false_answer_fails_in_any_dress(answer: str) -> None:
    assert graded(answer) == "fail"


@pytest.mark.parametrize(
    "answer", [json.dumps({"message": 'Said "no".\nOr not', "id": "A-3"}), "<p>Done</p>", "{}", "", "[1]"]
)
def test_words_keep_their_places(answer: str) -> None:
    assert len(prose_of(answer)) == len(answer)
