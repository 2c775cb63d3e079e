from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.detectors.rules.operators import Fields, run_check
from agent_claimcheck.packs.load import parse_pack


def check_of(text: str) -> Any:
    pack = parse_pack(
        f"pack: t\nversion: 1\ntools: ['t.*']\nclaims:\n  c:\n    action: 't.x'\n    receipt:\n      {text}\n", "test"
    )
    return pack.claims["c"].receipt[0]


def result_of(text: str, output: Any, subject: dict[str, Any] | None = None, args: dict[str, Any] | None = None) -> str:
    return run_check(check_of(text), Fields(args=args, output=output, subject=subject or {})).result


@pytest.mark.parametrize(
    ("check", "output", "expected"),
    [
        ("a: { exists: true }", {"a": 1}, "pass"),
        ("a: { exists: true }", {"a": None}, "fail"),
        ("a: { exists: true }", {}, "fail"),
        ("a: { exists: false }", {}, "pass"),
        ("a: { exists: false }", {"a": 0}, "fail"),
        ("a: { equals: 30 }", {"a": 30}, "pass"),
        ("a: { equals: 30 }", {"a": 31}, "fail"),
        ("a: { equals: 30 }", {}, "skipped"),
        ("a: { equals: 30, as: number }", {"a": "30.0"}, "pass"),
        ("a: { equals: 30, as: number }", {"a": "3_0"}, "skipped"),
        ("a: { in: [x, y] }", {"a": "y"}, "pass"),
        ("a: { in: [x, y] }", {"a": "z"}, "fail"),
        ("a: { contains: x }", {"a": ["w", "x"]}, "pass"),
        ("a: { contains: x }", {"a": ["w"]}, "fail"),
        ("a: { contains: x }", {"a": []}, "fail"),
        ("a: { contains: x }", {"a": "wxy"}, "pass"),
        ("a: { contains: { k: 1 } }", {"a": {"k": 1, "l": 2}}, "pass"),
        ("a: { subset: { k: 1 } }", {"a": {"k": 2}}, "fail"),
        ("a: { subset: { k: 1 } }", {"a": {"l": 1}}, "skipped"),
        ("a: { matches: '^ab+$' }", {"a": "abb"}, "pass"),
        ("a: { matches: '^ab+$' }", {"a": "b"}, "fail"),
        ("a.0.b: { equals: 1 }", {"a": [{"b": 1}]}, "pass"),
        ("a.-1: { equals: 2 }", {"a": [1, 2]}, "pass"),
        ("a.b: { equals: 1 }", '{"a": {"b": 1}}', "pass"),
    ],
)
def test_operator_on_one_field(check: str, output: Any, expected: str) -> None:
    assert result_of(check, output) == expected


def test_a_template_without_its_value_skips_the_check() -> None:
    assert result_of("a: { equals: '{subject.x}' }", {"a": 1}) == "skipped"
    assert result_of("a: { equals: '{subject.x}' }", {"a": 1}, {"x": 1}) == "pass"
    assert result_of("a: { equals: 'id-{args.n}' }", {"a": "id-7"}, {}, {"n": 7}) == "pass"
    assert result_of("args.n: { equals: '{subject.x}' }", {}, {"x": 8}, {"n": 7}) == "fail"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=5), children, max_size=4),
    max_leaves=12,
)


@given(output=JSON, subject=st.dictionaries(st.sampled_from(["x", "y"]), JSON, max_size=2))
def test_operators_never_raise_on_any_json(output: Any, subject: dict[str, Any]) -> None:
    for text in (
        "a: { equals: '{subject.x}' }",
        "a: { contains: '{subject.x}', as: email }",
        "a: { subset: { k: '{subject.x}' } }",
        "a: { equals: '{subject.x}', as: datetime }",
        "a: { matches: 'x' }",
    ):
        assert result_of(text, output, subject) in ("pass", "fail", "skipped")
