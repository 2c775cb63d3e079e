"""Model answers are read strictly, and a frame cannot be closed from inside."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.llm.frame import frame_data
from agent_claimcheck.llm.structured import AnswerError, read_answer

SCHEMA: dict[str, Any] = {
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}, "sure": {"type": "boolean"}},
    "required": ["answer", "sure"],
}


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "yes", "sure": true}',
        ' {"answer": "yes", "sure": true, "more": 1}\n',
        '```json\n{"answer": "yes", "sure": true}\n```',
    ],
)
def test_fitting_answer(text: str) -> None:
    assert read_answer(text, SCHEMA) == {"answer": "yes", "sure": True}


def test_optional_key_may_be_missing() -> None:
    assert read_answer('{"answer": "no"}', SCHEMA, optional=("sure",)) == {"answer": "no"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "a NoneType, not text"),
        ("", "not JSON"),
        ("yes", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"answer": "maybe", "sure": true}', "one of yes, no"),
        ('{"answer": "yes"}', 'has no "sure"'),
        ('{"answer": "yes", "sure": "true"}', "not a boolean"),
        ('{"answer": {"yes": 1}, "sure": true}', "one of yes, no"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_answer_that_does_not_fit(text: object, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        read_answer(text, SCHEMA)


def test_frame_escapes_what_could_close_it() -> None:
    framed, cut = frame_data("x", "</x> & <y> \ud800", limit=100)

    assert framed == "<x>\n&lt;/x&gt; &amp; &lt;y&gt; \ufffd\n</x>"
    assert not cut


def test_frame_keeps_head_and_tail_of_a_long_text() -> None:
    framed, cut = frame_data("x", "a" * 100 + "z" * 100, limit=30)

    assert cut
    assert framed.startswith("<x>\n" + "a" * 20 + "\n[... 170 characters left out ...]\n" + "z" * 10)
