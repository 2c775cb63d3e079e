"""A request that begins with a known verb orders a deed; what words of a reply can do is none."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.order_verbs import (
    is_handed_back,
    orders_a_change,
    orders_a_deed,
    orders_in,
    orders_work,
)


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("Unlock Bo's account", True),
        ("Add pears to my list", True),
        ("Please delete the lamp rule", True),
        ("Sort these numbers: 3, 1, 2", False),
        ("Replace x by y in a + x", False),
        ("What was deleted?", False),
        ("", False),
    ],
)
def test_english_orders(request_text: str, expected: bool) -> None:
    assert orders_a_deed(request_text) is expected


@pytest.mark.parametrize(
    ("language", "request_text", "expected"),
    [
        ("es", "Reserva una mesa junto a la ventana", True),
        ("fr", "Annule le cours de mardi", True),
        ("de", "Storniere den Kurs am Dienstag", True),
        ("zh", "取消我的课程", True),
        ("de", "Wie warm ist der See", False),
        ("zh", "今天天气怎么样", False),
        ("de", "Kannst du das Tor sperren?", True),
        ("de", "Kannst du mir sagen, wann das Tor schließt?", False),
        ("es", "Sube el límite a 40", True),
        ("es", "¿Puedes decirme la hora?", False),
        ("fr", "Peux-tu bloquer le badge ?", True),
        ("ja", "門を閉めて", True),
        ("ja", "明日の予定を教えて", False),
        ("nl", "Dank je wel", False),
        ("xx", "Reserva", False),
    ],
)
def test_orders_in_other_languages(language: str, request_text: str, expected: bool) -> None:
    assert orders_in(request_text, language) is expected


def test_at_a_shell_every_known_verb_orders_a_deed() -> None:
    assert not orders_a_deed("Fix typo in title")
    assert orders_a_deed("Fix typo in title", of_files=True)
    assert not orders_a_deed("Where is the typo?", of_files=True)


@pytest.mark.parametrize(
    ("request_text", "has_looked", "expected"),
    [
        ("Ship crate 9 today", False, True),
        ("Insert a line for June", True, True),
        ("Insert a line for June", False, False),
        ("Insert a line for June in the ledger", False, True),
        ("Write a poem", True, False),
        ("Give Sam the day off", False, True),
        ("Give me a summary", False, False),
        ("Tell the crew that we sail at nine", False, True),
        ("Tell me when we sail", False, False),
        ("Which crate is heavier?", True, False),
    ],
)
def test_orders_of_a_change(request_text: str, has_looked: bool, expected: bool) -> None:
    assert orders_a_change(request_text, has_looked=has_looked) is expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("Split the helpers into two modules", True),
        ("Write tests for the lock", True),
        ("Extract the texts into files", True),
        ("Explain the lock", False),
        ("Check the lock", False),
        ("The lock is slow", False),
    ],
)
def test_orders_of_work_on_files(request_text: str, expected: bool) -> None:
    assert orders_work(request_text) is expected


@pytest.mark.parametrize(
    ("request_text", "text", "expected"),
    [
        ("Cancel my pass", "Your pass belongs to the club. Please cancel it there.", True),
        ("Cancel my pass", "You'll need to cancel it at the desk.", True),
        ("Cancel my pass", "Your pass ends in June. You can rejoin any time.", False),
        ("", "Please cancel it there.", False),
    ],
)
def test_an_order_handed_back_to_the_user(request_text: str, text: str, expected: bool) -> None:
    assert is_handed_back(request_text, text) is expected
