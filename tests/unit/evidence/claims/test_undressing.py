"""What stands around the agent's words is taken off, and each word keeps its place or nearly so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.evidence.claims.undressing import undressed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\x1b[1m\x1b[32mThe van is booked.\x1b[0m", "The van is booked."),
        ("The van&#39;s booked &amp; paid.", "The van's booked & paid."),
        ("The van&nbsp;is &quot;booked&quot;.", 'The van is "booked".'),
        ("The van is [booked](https://vans.example/b_1).", "The van is booked (https://vans.example/b_1)."),
        ("_The van my_van is booked._", "The van my_van is booked."),
        ("Booked.\\n\\n- Van: 12\\n- Day: Friday", "Booked. - Van: 12 - Day: Friday"),
        ("Assistant: The van is booked.", "The van is booked."),
        ("**[Agent]** The van is booked.", "The van is booked."),
        ("> The van is booked.\n>\n> See you.", "The van is booked. See you."),
        ("```\nThe van is booked for you.\n```", "The van is booked for you."),
        ('{"response": "The van is \\"booked\\".\\nGr\\u00fc\\u00dfe"}', 'The van is "booked". Grüße'),
        ('```json\n{"message": "The van is booked."}\n```', "The van is booked."),
    ],
)
def test_dress_is_taken_off(text: str, words: str) -> None:
    assert undressed(text).split() == words.split()


@pytest.mark.parametrize(
    "text",
    [
        "The van is booked.",
        "See C:\\new\\notes for it.",
        '{"status": "done", "message": "The van is booked."}',
        "The user wrote:\n> book it\nI did.",
        "Note: agent_7 took __init__ and _private over.",
        "AT&T; R&D is told.",
        "Logged in\nTests pass",
        "Done and checked:\n- the van\n- the key",
        "Done:\nstatus: ok\nday: Friday",
        "```python\nfor van in vans:\n    book(van)\n```",
    ],
)
def test_what_is_no_dress_stays(text: str) -> None:
    assert undressed(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "The van and the key were handed\nout on Friday.",
        "I have booked the\n'Harbour' van.",
        "I have booked the van for Friday at ten o'clock and\nGreta Lund was told that she has to be at the\nHarbour gate.",
    ],
)
def test_lines_of_a_set_width_are_one_line(text: str) -> None:
    assert undressed(text) == text.replace("\n", " ")


@given(st.text(alphabet="aB1 .\n\\n_>&;#39[](){}\"':`\x1b[m-*", max_size=60))
def test_nothing_moves_by_more_than_its_word(text: str) -> None:
    plain = undressed(text)
    assert len(plain) == len(text)


@given(st.text(max_size=40))
def test_a_reply_that_is_one_text_says_that_text(told: str) -> None:
    reply = json.dumps({"message": told})
    assert len(undressed(reply)) == len(reply)
