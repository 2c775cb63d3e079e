"""Plain words after a change may be a claim; courtesies, questions, failures and plans are none."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.unheard import may_tell_more, names_changes


@pytest.mark.parametrize(
    "text",
    [
        "Friday at eight, under the name Lund.",
        "Friday at eight, under the name Lund. Is there anything else?",
        "You're welcome! The lamp in the hall burns from six to nine.",
        '{"message": "The lamp in the hall burns from six to nine."}',
        "One kettle, right below the teapot. Shall I look for cups?",
    ],
)
def test_plain_statement_may_tell_more(text: str) -> None:
    assert may_tell_more(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "You're welcome! Have a nice evening.",
        "Which evening suits you?",
        "I will look at it tomorrow.",
        "The lamp in the hall could not be reached.",
        '{"message": "Please hold on."}',
        '"lamp_hall"',
        "`lamp.on()`",
        "The lamp burns from six to nine. " * 20 + "I'd suggest to look at the fuse next.",
        "The lamp burns from six to nine. " * 2_000,
    ],
)
def test_what_is_no_plain_statement_does_not(text: str) -> None:
    assert not may_tell_more(text)


@pytest.mark.parametrize(
    "text", ["Bob is no longer on the list.", "You can now log in again.", "You'll find it in the hall."]
)
def test_a_change_told_as_a_denial_or_a_plan_may_tell_more(text: str) -> None:
    assert may_tell_more(text)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("Friday at eight, under the name Lund.", True),
        ("Friday at eight, under the name Lund. Which table do you like?", False),
        ("The table was taken on Friday.", False),
        ("There are two tables on Friday.", False),
    ],
)
def test_after_a_lookup_only_what_no_lookup_tells_counts(text: str, may: bool) -> None:
    assert may_tell_more(text, may_be_lookup=True) is may


@pytest.mark.parametrize(
    "text",
    [
        "Here is the diff:\n```diff\n+ x\n```\n**Root cause:** the list cannot be empty.\n\n**Fix:** Return early if it is.",
        "The key is not found. The fix adds a guard before the look-up.",
        "**Changes made**:\n- a guard in `forms.py`",
        "Two changes:\n1. a guard\n2. a test",
    ],
)
def test_a_line_labelled_as_a_fix_names_changes(text: str) -> None:
    assert names_changes(text)
    assert may_tell_more(text)


@pytest.mark.parametrize(
    "text", ["", "A fix is not in sight.", "Next steps: fix the guard.", "The price changes: daily.", "x" * 50_000]
)
def test_other_lines_name_no_changes(text: str) -> None:
    assert not names_changes(text)
