"""Values are read out of the claiming clause as written."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.claims.finder import find_in_text


def subject(text: str) -> dict[str, Any]:
    (claim,) = find_in_text(text).claims
    return claim.subject


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("I've cancelled order #W2378156.", "id", ["#W2378156"]),
        ("I've cancelled booking QW7T2P.", "id", ["QW7T2P"]),
        ("I've booked seat HATHAT for you.", "id", ["HATHAT"]),
        ("I've sent it to a.b+c@mail.example.org.", "email", ["a.b+c@mail.example.org"]),
        ("I've moved it to 2031-05-04.", "date", ["2031-05-04"]),
        ("I've moved it to May 4th, 2031.", "date", ["May 4th, 2031"]),
        ("I've moved it to 4 May 2031.", "date", ["4 May 2031"]),
        ("I've moved it to Tuesday.", "date", ["Tuesday"]),
        ("I've booked it for 15:30.", "time", ["15:30"]),
        ("I've booked it for 3 PM.", "time", ["3 PM"]),
        ("I've refunded $1,285.12.", "money", ["$1,285.12"]),
        ("I've refunded 40 EUR.", "money", ["40 EUR"]),
        ("I've deleted /srv/data/old.csv.", "path", ["/srv/data/old.csv"]),
        ("I've updated src/app/main.py.", "path", ["src/app/main.py"]),
        ("I've posted it at https://example.org/a?b=1.", "url", ["https://example.org/a?b=1"]),
        ("I've invited Amara Obi to the call.", "name", ["Amara Obi"]),
        ('I\'ve created the folder "Taxes".', "name", ["Taxes"]),
    ],
)
def test_value_is_found(text: str, kind: str, expected: list[str]) -> None:
    assert subject(text)[kind] == expected


def test_count_is_a_number() -> None:
    assert subject("All 14 tests pass.")["count"] == 14
    assert subject("I've cancelled both orders.")["count"] == 2


def test_object_of_an_active_clause_follows_the_verb() -> None:
    assert subject("I've cancelled the gym membership for you.")["object"] == "gym membership"


def test_object_of_a_passive_clause_is_its_subject() -> None:
    assert subject("Your gym membership has been cancelled.")["object"] == "gym membership"


def test_values_of_a_neighbouring_clause_are_left_out() -> None:
    claim = find_in_text("I cancelled A-1001, but A-2002 could not be changed.").claims[0]
    assert claim.subject["id"] == ["A-1001"]


def test_other_languages_give_values_of_fixed_form_only() -> None:
    assert subject("Ich habe den Auftrag A-1001 storniert.") == {"id": ["A-1001"]}


def test_ids_and_names_beside_letters_of_an_unspaced_script_are_read() -> None:
    assert subject("EVT997696の585をvera@haulage.exampleに支払いました。") == {
        "id": ["EVT997696"],
        "email": ["vera@haulage.example"],
    }
    assert subject("我已创建Bright Gallery（2031-07-20）。") == {"name": ["Bright Gallery"], "date": ["2031-07-20"]}
