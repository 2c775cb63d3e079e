"""JSON that a tool printed in other marks is read; what tells of a failure, or is no JSON, stays a text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.evidence.values.dressed_json import bared
from agent_claimcheck.evidence.values.opened import opened_args, opened_output


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ('```json\n{"van": 12}\n```', {"van": 12}),
        ('Result: {"van": 12}', {"van": 12}),
        ("OK\n[1, 2]", [1, 2]),
        ('Response (200): {"van": 12}', {"van": 12}),
        (
            "{'van': 12, 'free': True, 'note': None, 'who': \"Ada's\"}",
            {"van": 12, "free": True, "note": None, "who": "Ada's"},
        ),
        ("[('a', 1), ('b', 2,)]", [["a", 1], ["b", 2]]),
        ('\x1b[31m{"van": 12}\x1b[0m', {"van": 12}),
        ("{&quot;van&quot;: 12}", {"van": 12}),
        ("b'{\"van\": 12}'", {"van": 12}),
        ("Booking(van=12, free=False, who='Ada, at=7')", {"van": 12, "free": False, "who": "Ada, at=7"}),
        ("Success: {'text': 'one\\ntwo, \\'three\\''}", {"text": "one\ntwo, 'three'"}),
    ],
)
def test_what_a_text_shows_is_read(text: str, held: Any) -> None:
    assert bared(text) == held


@pytest.mark.parametrize(
    "text",
    [
        'Error: {"van": 12}',
        "{'at': datetime.datetime(2026, 5, 1)}",
        "{'van': 12",
        "[INFO] it's done",
        "The result is {12}",
        "{van}",
        "Booking(12)",
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert bared(text) is text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(json_values, min_size=1, max_size=3))
def test_python_literal_says_the_same(value: list[Any]) -> None:
    assert bared(repr(value)) in (value, repr(value))


@given(st.text(alphabet="{}[]()'\",:\\ aNone1\n", max_size=40))
def test_any_text_is_read_or_stays(text: str) -> None:
    assert bared(text) is text or isinstance(bared(text), dict | list)


def test_arguments_in_one_object_are_opened() -> None:
    inner = {"date": "2026-05-01"}
    assert opened_args({"params": inner}) is inner
    assert opened_args({"input": '{"date": "2026-05-01"}'}) == inner
    for args in ({"date": inner}, {"params": inner, "id": 1}, {"input": "ls"}, {}):
        assert opened_args(args) is args


def test_object_that_a_pack_names_stays_closed() -> None:
    args = {"params": {"date": "2026-05-01"}}
    assert opened_args(args, frozenset({"params"})) is args


def test_output_in_one_object_is_opened() -> None:
    inner = {"id": 7}
    assert opened_output({"data": inner}) is inner
    for output in (
        {"data": inner, "ok": True},
        {"data": [inner]},
        {"data": {}},
        {"van": inner},
        {"data": "text"},
        [inner],
    ):
        assert opened_output(output) is output
    output = {"result": inner}
    assert opened_output(output, frozenset({"result"})) is output
