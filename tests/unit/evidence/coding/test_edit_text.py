"""What counts as an edit that put nothing but comments into a file."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.coding.edit_text import adds_only_comments, leaves_work
from agent_claimcheck.trace.model import Step


def edit(**args: Any) -> Step:
    return Step(i=1, ts="2026-05-04T08:00:00Z", kind="tool_call", role="agent", name="edit", args=args)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "x = 1", "# the value is wrong\nx = 1"),
        ("a.py", "# old\nx = 1", "x = 1\n\n# new"),
        ("src/a.ts", "call();", "// TODO\ncall();"),
        ("a.sql", "select 1", "-- why\nselect 1"),
        ("etc/lint.cfg", "[names]\nmin = 2", "[names]\n; two letters are few\nmin = 2"),
    ],
)
def test_added_comments_are_only_comments(path: str, old: str, new: str) -> None:
    assert adds_only_comments(edit(old_string=old, new_string=new), path)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "x = 1", "# x = 1"),
        ("a.py", "x = 1", "x = 2  # fixed"),
        ("a.py", "x = 1", ""),
        ("a.c", "int x;", "#define X 1\nint x;"),
        ("a.md", "text", "# Title\ntext"),
        ("noending", "x", "# y\nx"),
        ("b.py", "x = 1", "# noqa: E501\nx = 1"),
        ("run.sh", "#!/bin/sh\nls", "#!/bin/bash\nls"),
        ("f.go", "package f", "//go:build linux\npackage f"),
        ("e.ts", "call()", "// eslint-disable-next-line\ncall()"),
    ],
)
def test_a_change_of_code_or_an_unknown_mark_is_more(path: str, old: str, new: str) -> None:
    assert not adds_only_comments(edit(old_string=old, new_string=new), path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("edit 7:7\n    # TODO: look into the empty string here\nend_of_edit", True),
        ("edit 7:9\n# TODO: handle the empty string in this place\nend_of_edit", True),
        ("edit 7:9\n# the three lines above are handled elsewhere\nend_of_edit", False),
        ("edit 7:7\n# value = parse(raw)\nend_of_edit", False),
        ("edit 7:7\nvalue = 1\nend_of_edit", False),
        ("edit 7:7\nend_of_edit", False),
        ("edit 7:7\n# no end of this edit is to be seen", False),
    ],
)
def test_a_line_editor_hides_what_it_replaced(command: str, expected: bool) -> None:
    assert adds_only_comments(edit(command=command), "a.py") is expected


@pytest.mark.parametrize("args", [{"old_string": 1, "new_string": ["#"]}, {"command": {"a": 1}}, {}])
def test_arguments_of_another_shape_say_nothing(args: dict[str, Any]) -> None:
    assert not adds_only_comments(edit(**args), "a.py")


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"old_string": "x", "new_string": "# TODO: later\nx"}, True),
        ({"command": "edit 7:7\n# FIXME: the empty string\nend_of_edit"}, True),
        ({"old_string": "x", "new_string": "# the reason\nx"}, False),
        ({}, False),
    ],
)
def test_a_comment_may_leave_the_work(args: dict[str, Any], expected: bool) -> None:
    assert leaves_work(edit(**args)) is expected
