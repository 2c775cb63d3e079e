"""Values compared by meaning, and values found in text."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.evidence.values.moments import ZoneContext, zones_in
from agent_claimcheck.evidence.values.value_text import extract_values, walk_values

BERLIN = ZoneContext(("Europe/Berlin",))
TWO = ZoneContext(("Europe/Berlin", "America/New_York"))


@pytest.mark.parametrize(
    ("a", "b", "context", "answer"),
    [
        ("2026-05-04T15:00:00+02:00", "2026-05-04T13:00:00Z", None, "equal"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T15:00:00", BERLIN, "equal"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T16:00:00", BERLIN, "different"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T15:00:00", None, "incomparable"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T15:07:00", None, "different"),
        ("2026-05-04T15:00:00+02:00", "2026-05-07T15:00:00", None, "different"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T15:00:00", TWO, "incomparable"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T15:00:00+01:00", None, "incomparable"),
        ("2026-05-04T15:00:00+02:00", "2026-05-04T15:00:00+05:00", None, "different"),
        ("2026-05-04T15:00:00", "2026-05-04 15:00", None, "equal"),
        ("2026-05-04T15:00:00", "2026-05-04 15:30", None, "different"),
        ("2026-05-04", "2026-05-04T15:00", None, "incomparable"),
        ("2026-05-05", "2026-05-04T15:00", None, "different"),
        ("2026-05-05", "2026-05-04T23:00Z", None, "incomparable"),
        ("May 4 2026 3pm", "2026-05-04T15:00:00+02:00", BERLIN, "equal"),
        ("4 May 2026 at 3:00 PM CEST", "2026-05-04T13:00:00Z", None, "equal"),
        ("04.05.2026 15:00", "2026-05-04T15:00", None, "equal"),
        ("04/05/2026", "2026-04-05", None, "equal"),
        ("04/05/2026", "2026-05-04", None, "equal"),
        ("04/05/2026", "2026-06-04", None, "different"),
        ("May 4", "2026-05-04", None, "equal"),
        ("May 5", "2026-05-04", None, "different"),
        ("4. Mai 2026", "2026-05-04", None, "equal"),
        ("15:00", "2026-05-04T15:00:00+02:00", None, "equal"),
        ("16:00", "2026-05-04T15:00:00", None, "different"),
        ("16:00", "2026-05-04T15:00:00+02:00", None, "incomparable"),
        ("16:00", "2026-05-04T15:00:00+02:00", BERLIN, "different"),
        ("9:00", "2026-05-04T21:00:00", None, "equal"),
        (1777899600, "2026-05-04T13:00:00Z", None, "equal"),
        (1777899600000, "2026-05-04T13:00:00Z", None, "equal"),
        ({"dateTime": "2026-05-04T15:00:00", "timeZone": "Europe/Berlin"}, "2026-05-04T13:00:00Z", None, "equal"),
        ("tomorrow", "2026-05-04", None, "incomparable"),
        ("2026-13-45", "2026-05-04", None, "incomparable"),
        ("2026-03-29T02:30:00", "2026-03-29T02:30:00", BERLIN, "equal"),
        ("9999-12-31T23:59:59.9", "2026-05-04T15:00", None, "different"),
        ("9999-12-31T23:59:59.9", "9999-12-31T23:59:59.8-12:00", None, "incomparable"),
        ("0001-01-01T00:00:00+02:00", "2026-05-04T15:00:00Z", BERLIN, "different"),
    ],
)
def test_times(a: Any, b: Any, context: ZoneContext | None, answer: str) -> None:
    assert compare(a, b, "datetime", context) == answer
    assert compare(b, a, "datetime", context) == answer


@pytest.mark.parametrize(
    ("a", "b", "as_", "answer"),
    [
        ("josé@x.test", "jose\u0301@X.test", "email", "equal"),
        ("Ann <a@x.test>", "a@x.test", "email", "equal"),
        ("A@X.TEST ", "a@x.test", "email", "equal"),
        ("mailto:a@x.test", "a@x.test", "email", "equal"),
        ("b@x.test", "a@x.test", "email", "different"),
        ({"email": "a@x.test"}, "a@x.test", "email", "equal"),
        ("Ann", "a@x.test", "email", "incomparable"),
        (30, "30", "number", "equal"),
        (30, "3_0", "number", "incomparable"),
        ("inf", 1, "number", "incomparable"),
        ("nan", "nan", "number", "incomparable"),
        (True, 1, "number", "incomparable"),
        ("$1,200.00", 1200, "number", "equal"),
        ("1e3", 1000, "number", "equal"),
        ("1.200,50 €", "1200.50 EUR", "number", "equal"),
        ("30 minutes", 30, "number", "equal"),
        ("0.1", 0.1, "number", "equal"),
        (" Straße ", "STRASSE", "string", "equal"),
        (5, "5", "string", "equal"),
        ("a", "b", "string", "different"),
        ({}, "b", "string", "incomparable"),
    ],
)
def test_normalisers(a: Any, b: Any, as_: Any, answer: str) -> None:
    assert compare(a, b, as_) == answer
    assert compare(b, a, as_) == answer


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (None, None, "equal"),
        (None, "x", "incomparable"),
        (1, True, "different"),
        (True, True, "equal"),
        ("true", True, "equal"),
        (1, 1.0, "equal"),
        (2**70, 2**70 + 1, "different"),
        (1200, "$1,200.00", "equal"),
        ("1200 USD", "$1,200.00", "equal"),
        ("1200 EUR", "$1,200.00", "different"),
        ("50%", 0.5, "equal"),
        ("50%", 50, "equal"),
        ("PT30M", "30 min", "equal"),
        ("PT30M", 30, "equal"),
        ("1h 30m", "90 minutes", "equal"),
        ("2 kg", "2 rooms", "incomparable"),
        ("007", "7", "different"),
        ("#W12", "w12", "equal"),
        ("./a/b.py", "a/b.py", "equal"),
        ("/repo/a/b.py", "a/b.py", "incomparable"),
        ("src/A.py", "src/a.py", "different"),
        ("https://www.x.test/a/", "http://x.test/a", "equal"),
        ("0f0f0f1", "0f0f0f1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "equal"),
        ("0f0f0f", "0f0f0f1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "different"),
        ("1234567", "12345678", "different"),
        ("\ufb01le", "file", "equal"),
        ("Desk  14", "desk 14", "equal"),
        ("Desk 14", "Desk 41", "different"),
        ("2026-05-04 15:00", "2026-05-04T15:00:00", "equal"),
        ("Ann <a@x.test>", "a@x.test", "equal"),
        ([1, "b"], ["B", 1], "equal"),
        ([1, 2], [1, 3], "different"),
        ([1], [1, 2], "different"),
        ({"a": 1}, {"a": "1"}, "equal"),
        ({"a": 1}, {"b": 1}, "different"),
        ({"a": None}, {"a": 1}, "incomparable"),
        ([1], 1, "incomparable"),
        ("x" * 100_000, "x" * 100_000 + "y", "different"),
        (10**500, "3", "different"),
        (float("inf"), 1, "incomparable"),
    ],
)
def test_kinds_are_taken_from_the_values(a: Any, b: Any, answer: str) -> None:
    assert compare(a, b) == answer
    assert compare(b, a) == answer


def test_zones() -> None:
    assert zones_in("at 15:00 Europe/Berlin, or 9am EST") == ["Europe/Berlin", "America/New_York"]
    assert zones_in("c'est fini, the rest of Asia/Nowhere") == []
    assert zones_in("3pm Pacific Time") == ["America/Los_Angeles"]
    assert ZoneContext.of(None, "UTC", "15:00 UTC") == ZoneContext(("UTC",))


def found(text: str) -> list[tuple[str, str]]:
    values = extract_values(text)
    for value in values:
        start, end = value.span
        assert text[start:end] == value.raw
    return [(value.kind, value.value) for value in values]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("mail Jo.Li@X.test now", "email", "jo.li@x.test"),
        ("on 2026-05-04 it", "date", "2026-05-04"),
        ("on May 4, 2026.", "date", "2026-05-04"),
        ("on May 4th we", "date", "--05-04"),
        ("at 3 pm sharp", "time", "15:00"),
        ("from 15:30 on", "time", "15:30"),
        ("at 2026-05-04T15:00:00+02:00.", "datetime", "2026-05-04T15:00+02:00"),
        ("May 4, 2026 at 3:00 PM", "datetime", "2026-05-04T15:00"),
        ("costs $1,234.50 only", "money", "1234.50 USD"),
        ("costs 40 EUR only", "money", "40.00 EUR"),
        ("all 14 tests", "count", "14"),
        ("all 9 lamps", "count", "9"),
        ("release v1.2.3 is out", "version", "1.2.3"),
        ("edited ./src/a.py today", "path", "src/a.py"),
        ("wrote notes.txt", "path", "notes.txt"),
        ("see https://www.x.test/a?b=1.", "url", "x.test/a?b=1"),
        ("order #W123 is", "id", "w123"),
        ("flight NOV136 is", "id", "nov136"),
        ("number 00123456", "id", "00123456"),
        ("commit 0f0f0f1a", "id", "0f0f0f1a"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id", "123e4567-e89b-12d3-a456-426614174000"),
        ("call `get_user()` twice", "identifier", "get_user()"),
        ("the max_retries flag", "identifier", "max_retries"),
        ('titled "Team sync" there', "name", "Team sync"),
        ("for Jane van Dorn today", "name", "Jane van Dorn"),
    ],
)
def test_values_in_text(text: str, kind: str, value: str) -> None:
    assert (kind, value) in found(text)


def test_plain_words_are_no_values() -> None:
    assert found("The booking is done and everything looks fine") == []
    assert ("id", "3rd") not in found("the 3rd try")


def test_leaves_of_json_are_walked_without_the_call_stack() -> None:
    assert list(walk_values({"a": [1, {"b": "x"}], "c": None})) == [("c", None), ("a.0", 1), ("a.1.b", "x")]
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert list(walk_values(deep)) == []
    assert len(list(walk_values(list(range(100_000))))) == 20_000


def test_values_nested_past_the_call_stack_are_incomparable() -> None:
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert compare({"a": deep}, {"a": [deep]}) == "incomparable"
