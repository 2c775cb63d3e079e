"""Plain words after a change may be a claim; courtesies, questions, failures and plans are none."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.unheard import (
    may_tell_more,
    names_changes,
    owns_up,
    states_beside_denial,
    tells_news,
)


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
    "text",
    [
        "The bell will ring at seven.",
        "You'll sit in the front row on Monday.",
        "Noor can sign in from today.",
        "Both teachers will get the plan by post from now on.",
        "Marit covers the desk next week.",
        "draft.txt is back in the shared folder.",
        "The courtyard is open on May 21st.",
        "Your ticket runs until May 3rd.",
        "You no longer follow that page.",
        "No more post from shop@kiln.example will reach you.",
        "You are on the family plan.",
    ],
)
def test_what_comes_of_a_deed_may_tell_more(text: str) -> None:
    assert may_tell_more(text)


@pytest.mark.parametrize(
    "text",
    [
        "I will ring the bell at seven.",
        "A colleague will write to you.",
        "You will need to sign the form.",
        "The boat can no longer be rented.",
        "Hold on a moment.",
        "I plan to open the courtyard.",
        "Our team will look into it next week.",
    ],
)
def test_plans_and_what_others_are_to_do_tell_nothing(text: str) -> None:
    assert not may_tell_more(text)


@pytest.mark.parametrize(
    ("text", "has_worked", "may"),
    [
        ("Your bid is in the book. It hasn't been matched yet.", True, True),
        ("Your bid is in the book. It hasn't been matched yet.", False, False),
        ("Your bid is in the book. I haven't changed anything else.", True, True),
        ("The form is open. I haven't handed in anything.", True, False),
    ],
)
def test_after_a_change_that_worked_a_denial_of_it_is_of_what_comes_next(
    text: str, has_worked: bool, may: bool
) -> None:
    assert states_beside_denial(text, {"place", "bid"}, has_worked=has_worked) is may


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


@pytest.mark.parametrize(
    "text",
    [
        "I'm happy to tell you that the boat is yours.",
        "Sorry for the long delay! The boat is yours.",
        "The boat lies in the harbour instead of the yard.",
        "The engine ran for an hour without a single failure.",
        "Neither oar is in the boat any longer.",
        "The boat can be seen at harbour.example/7.",
        "The crew knows that no boat sails today.",
        "The key should be in your letter box on Monday.",
        "Nobody but you can start the engine.",
        "The round trip repeats every week, no end date.",
    ],
)
def test_courtesies_consequences_and_asides_own_up_to_nothing(text: str) -> None:
    assert not owns_up(text)
    assert may_tell_more(text, nothing_worked=True)


@pytest.mark.parametrize(
    "text",
    [
        "No boat is left.",
        "Sorry, the harbour is closed.",
        "The boat can no longer be rented.",
        "The deal fell through.",
        "The boat is only for members.",
    ],
)
def test_trouble_in_plain_words_owns_up(text: str) -> None:
    assert owns_up(text)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("Your fare is flexible: you can change it until noon.", True),
        ("The boat is yours. If it rains, please use the cover.", True),
        ("You can rent it at the desk.", False),
        ("Once the rain stops I can rent it.", False),
        ("The boat is yours if the owner agrees.", False),
    ],
)
def test_advice_beside_a_statement_is_no_doubt_where_nothing_worked(text: str, may: bool) -> None:
    assert may_tell_more(text, nothing_worked=True) is may


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quote now totals 40.", True),
        ("There's now one key.", True),
        ("As of today the gate opens at six.", True),
        ("The gate opens at six.", False),
    ],
)
def test_a_new_state_is_news(text: str, expected: bool) -> None:
    assert tells_news(text) is expected
