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
        ("I've cancelled order #K5310482.", "id", ["#K5310482"]),
        ("I've cancelled booking QW7T2P.", "id", ["QW7T2P"]),
        ("I've booked seat LUMLUM for you.", "id", ["LUMLUM"]),
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


def subjects(text: str) -> list[dict[str, Any]]:
    return [claim.subject for claim in find_in_text(text).claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I refunded $1,122.22 to the gift card.", "$1,122.22"),
        ("Fixed NumPy 1.22 incompatibility with SciPy.", "numpy 1.22 incompatibility"),
        ("I created the file report.csv for you.", "file report.csv"),
        ("I updated version 2.3.1 to 2.4.0.", "version 2.3.1"),
        ('The order status is now "changed", and a refund of $7.98 has been processed.', "refund of $7.98"),
    ],
)
def test_object_is_cut_at_no_mark_within_a_word_and_at_the_statement_before(text: str, expected: str) -> None:
    assert subject(text)["object"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "I replaced the 1000-piece puzzle with the bigger one.",
        "I booked the meeting as a 1-hour call.",
        "I exchanged the tablet for the 64GB one.",
        "I created the entry with the SNOMED code.",
    ],
)
def test_a_measure_and_a_standard_are_no_ids(text: str) -> None:
    assert "id" not in subject(text)


def test_the_offset_of_a_time_zone_is_no_time() -> None:
    assert subject("I saved the reading of 2023-11-13T10:15:00+00:00.")["time"] == ["10:15:00"]


def test_an_amount_counts_nothing_and_a_part_is_the_number_claimed() -> None:
    assert "count" not in subject("The fee of $17 per bag has been credited back.")
    assert subject("I deleted 4 of the 7 files.")["count"] == 4


def test_a_time_of_day_ends_no_sentence() -> None:
    assert subject("I sent the plan to Bo at 5 p.m. on 3/4/2026.")["date"] == ["3/4/2026"]


def test_verbs_of_one_clause_have_their_own_values_where_all_have_some() -> None:
    first, second = subjects("I cancelled booking ZFA04Y and booked AB12CD instead.")
    assert (first["id"], second["id"]) == (["ZFA04Y"], ["AB12CD"])
    first, second = subjects("Created and sent the invoice INV-1 to Bo.")
    assert first["id"] == second["id"] == ["INV-1"]


def test_statements_joined_by_and_have_a_subject_each() -> None:
    first, second = subjects("A refill has been created and a blood test has been scheduled for 2023-11-14.")
    assert (first["object"], first.get("date")) == ("refill", None)
    assert (second["object"], second["date"]) == ("blood test", ["2023-11-14"])


def test_two_things_made_in_one_clause_are_two_claims() -> None:
    first, second = subjects("I created the branch login-fix and opened PR #77.")
    assert (first["object"], second["object"]) == ("branch login-fix", "pr #77")


def test_the_verb_that_opens_a_line_is_no_part_of_a_name() -> None:
    assert [values["name"] for values in subjects("Invited Greta to Trello and sent her feedback.")][-1] == [
        "Greta",
        "Trello",
    ]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("I booked seat 14A and upgraded you to the 4K screen.", ["14A"]),
        ("I ordered NDC 40032-917-01 for you.", ["40032-917-01"]),
        ("I exchanged it for the 1.5L, 10x zoom, 24MP camera with an i7.", None),
        ("I documented it in the README and deployed v2.14.1.", None),
        ("YOUR TICKET HAS BEEN BOOKED", None),
        ("Sua consulta está marcada para quinta-feira às 10h15.", None),
        ("I cancelled booking QVLTRM.", ["QVLTRM"]),
    ],
)
def test_features_versions_and_plain_capitals_are_no_ids(text: str, ids: list[str] | None) -> None:
    assert find_in_text(text).claims[0].subject.get("id") == ids


def test_two_hours_count_nothing() -> None:
    (claim,) = find_in_text("The court was cancelled more than two hours before the match.").claims
    assert "count" not in claim.subject
