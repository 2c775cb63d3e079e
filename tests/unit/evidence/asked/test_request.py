from __future__ import annotations

import pytest

from agent_claimcheck.evidence.asked.request import PlainValues, asks_only_to_know, read_request


@pytest.mark.parametrize(
    ("text", "email"),
    [
        ("Invite Ann.Lee@x.example.test.", "ann.lee@x.example.test"),
        ("Mail ann@x.test and ANN@x.test", "ann@x.test"),
        ("Mail ann@x.test and bo@x.test", None),
        ("I'm ann@x.test, book a room", None),
        ("a@b.test@c.test", "a@b.test"),
        ("@x.test", None),
        ("Send it to ann@x.test", "ann@x.test"),
        ("This is: ann@x.test", None),
        ("ann@localhost", None),
        (f"{'n' * 70}@x.test", f"{'n' * 64}@x.test"),
    ],
)
def test_only_address_of_somebody_else(text: str, email: str | None) -> None:
    assert PlainValues(text).email == email


@pytest.mark.parametrize(
    ("text", "wall_time"),
    [
        ("Book 2026-05-03 at 9:30", "2026-05-03T09:30"),
        ("Book 2026-05-03, 10:30-11:30", None),
        ("2026-05-03 or 2026-05-04 at 10:30", None),
        ("Move it from 2026-05-03 10:30", None),
        ("RESCHEDULED for 2026-05-03 10:30", None),
        ("Order the form for removal, 2026-05-03 10:30", "2026-05-03T10:30"),
        ("Büro 2026-05-03 10:30, if free", None),
        ("2026-05-03T10:30:00Z", None),
        ("order 12026-05-03 at 10:30", None),
    ],
)
def test_only_time_and_only_where_the_words_leave_no_choice(text: str, wall_time: str | None) -> None:
    assert PlainValues(text).wall_time == wall_time


@pytest.mark.parametrize(
    ("text", "minutes"), [("for 60 minutes", 60), ("a 45-min call", 45), ("30 min or 60 min", None), ("1234 min", None)]
)
def test_only_duration(text: str, minutes: int | None) -> None:
    assert PlainValues(text).minutes == minutes


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("fix src/app.py please", "src/app.py"),
        ("a/b.py and c/d.py", None),
        ("and/or", None),
        ("and/or ./src/a-b/app.py.", "./src/a-b/app.py"),
        ("/etc/app.conf", None),
        ("x@y/app.py", None),
        (f"{'n' * 81}/app.py", None),
        ("a/b/ src/über.py", "src/über.py"),
    ],
)
def test_only_file(text: str, path: str | None) -> None:
    assert PlainValues(text).path == path


def test_a_second_turn_may_have_changed_everything() -> None:
    assert read_request("Invite ann@x.test", ["Invite ann@x.test"]).email == "ann@x.test"
    assert read_request("Invite ann@x.test", ["Invite ann@x.test", "no, bo@x.test"]).email is None


def test_very_long_texts_are_not_read() -> None:
    assert PlainValues("ann@x.test " + "x" * 30_000).email is None


@pytest.mark.parametrize(
    ("request_text", "only_to_know"),
    [
        ("Tell me where my parcel is", True),
        ("Tell #ops the deploy is finished", False),
        ("Tell Bob I am late", False),
        ("Check the stock of item 4", True),
        ("Check me in for flight 9", False),
        ("Check out the cart", False),
        ("List the free desks", True),
        ("List my bike for sale", False),
        ("Show the open tickets", True),
    ],
)
def test_a_message_to_another_or_a_check_in_is_a_deed(request_text: str, only_to_know: bool) -> None:
    assert asks_only_to_know(request_text, ()) is only_to_know


@pytest.mark.parametrize(
    ("text", "named_time"),
    [
        ("Book 'Big move' on 2026-05-03 at 10:30", "2026-05-03T10:30"),
        ("If it's free, don't move 2026-05-03 10:30", None),
        ("Move 'Big talk' from 2026-05-03 10:30", None),
    ],
)
def test_a_quoted_title_offers_no_choice(text: str, named_time: str | None) -> None:
    assert PlainValues(text).named_time == named_time
    assert PlainValues(text).wall_time is None
