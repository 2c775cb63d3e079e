"""Values of a trace are typed, bounded and matched as a whole, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.patterns import compile_user_pattern
from agent_claimcheck.pipeline.probes_run.definition import Param
from agent_claimcheck.pipeline.probes_run.parameters import ValueRefused, inside_root, relative_path, typed_value


def param(type_: Any = "string", pattern: str | None = None, **more: Any) -> Param:
    compiled = compile_user_pattern(f"^(?:{pattern})$") if pattern is not None else None
    return Param(name="x", sources=(), type=type_, pattern=compiled, **more)


@pytest.mark.parametrize(
    ("type_", "raw", "value"),
    [
        ("string", "P-1", "P-1"),
        ("string", 17, "17"),
        ("integer", 17, 17),
        ("integer", "17", 17),
        ("integer", "-17", -17),
        ("email", "ada.lind@mail.example", "ada.lind@mail.example"),
        ("date", "2026-02-28", "2026-02-28"),
        ("path", "src/./a.py", "src/a.py"),
        ("path", "a b/ü.txt", "a b/ü.txt"),
    ],
)
def test_good_values_become_their_type(type_: str, raw: Any, value: Any) -> None:
    assert typed_value(param(type_, is_unicode_allowed=True), raw) == value


@pytest.mark.parametrize(
    ("type_", "raw"),
    [
        ("string", ""), ("string", " \t"), ("string", None), ("string", True), ("string", 1.5), ("string", ["P-1"]),
        ("string", {"id": "P-1"}), ("string", "a\nb"), ("string", "a\x00b"), ("string", "a\x1b[2J"), ("string", "a\u202eb"),
        ("string", "a\u200bb"), ("string", "a\ud800b"), ("string", "x" * 201), ("string", "x" * 1_000_000),
        ("string", "Р-1"), ("string", "Ｐ-1"), ("integer", "1e3"), ("integer", "٣"),
        ("integer", "0x10"), ("integer", 10**18), ("integer", "1; DROP TABLE x"), ("integer", "01"),
        ("email", "ada@mail"), ("email", "ada@mail.example\n"), ("email", "a@b.example; id"), ("email", '"a"@b.example'),
        ("date", "2026-02-30"), ("date", "20260228"), ("date", "2026-02-28T10:00:00Z"), ("date", "2026-W09-1"),
        ("path", "/etc/passwd"), ("path", "../../etc/passwd"), ("path", "a/../../b"), ("path", "a/.."),
        ("path", "..\\..\\x"), ("path", "C:/x"), ("path", "~root/.ssh"), ("path", "./~root"), ("path", "//host/share"),
    ],
)  # fmt: skip
def test_bad_values_are_refused(type_: str, raw: Any) -> None:
    with pytest.raises(ValueRefused):
        typed_value(param(type_), raw)


def test_an_integer_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(ValueRefused):
        typed_value(param("integer"), 10**5000)


@pytest.mark.parametrize("raw", ["P-1 ", " P-1", "P-1;id", "P-1\n", "xP-1", "P-", "P-1' OR 1=1 --", "P-1 P-2"])
def test_a_pattern_matches_the_whole_value(raw: str) -> None:
    with pytest.raises(ValueRefused):
        typed_value(param(pattern="P-[0-9]+"), raw)


def test_alternatives_of_a_pattern_stay_inside_the_whole() -> None:
    assert typed_value(param(pattern="a|b"), "b") == "b"
    with pytest.raises(ValueRefused):
        typed_value(param(pattern="a|b"), "b; id")


def test_digits_of_other_scripts_need_permission() -> None:
    with pytest.raises(ValueRefused):
        typed_value(param(pattern=r"\d+"), "٣٤")
    assert typed_value(param(pattern=r"\d+", is_unicode_allowed=True), "٣٤") == "٣٤"


@pytest.mark.parametrize("raw", ["--upload-pack=touch x", "-x", "-1"])
def test_a_leading_dash_is_refused_for_arguments_only(raw: str) -> None:
    with pytest.raises(ValueRefused, match="dash"):
        typed_value(param(), raw, is_argument=True)
    assert typed_value(param(), raw) == raw
    assert typed_value(param(is_dash_allowed=True), raw, is_argument=True) == raw


def test_a_path_may_lose_the_agents_own_directory() -> None:
    where = param("path", strip="/workspace/")
    assert typed_value(where, "/workspace/src/a.py") == "src/a.py"
    for raw in ("/workspace/../etc/passwd", "/workspaces/x", "/etc/passwd"):
        with pytest.raises(ValueRefused):
            typed_value(where, raw)
    assert typed_value(where, "/workspace//etc/passwd") == "etc/passwd"


def test_links_out_of_a_root_are_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "root-secret"
    (root / "deep").mkdir(parents=True)
    outside.mkdir()
    (root / "out").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    (root / "in").symlink_to(root / "deep")
    assert inside_root(root, "in/x.txt") == root / "deep" / "x.txt"
    for path in ("out/x.txt", "out", "../root-secret", "/etc/passwd"):
        with pytest.raises(ValueRefused):
            inside_root(root, path)
    assert inside_root(root, "loop").is_relative_to(root)


@given(st.text(max_size=60))
def test_no_text_leads_a_path_out_of_its_root(text: str) -> None:
    try:
        value = typed_value(param("path", is_unicode_allowed=True), text)
    except ValueRefused:
        return
    root = Path("/nowhere/root")
    assert inside_root(root, str(value)).is_relative_to(root)
    assert relative_path(str(value)) == value
