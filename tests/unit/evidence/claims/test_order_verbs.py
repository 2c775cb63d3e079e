"""A request that begins with a known verb orders a deed; what words of a reply can do is none."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.order_verbs import orders_a_deed, orders_in


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
        ("xx", "Reserva", False),
    ],
)
def test_orders_in_other_languages(language: str, request_text: str, expected: bool) -> None:
    assert orders_in(request_text, language) is expected


def test_at_a_shell_every_known_verb_orders_a_deed() -> None:
    assert not orders_a_deed("Fix typo in title")
    assert orders_a_deed("Fix typo in title", of_files=True)
    assert not orders_a_deed("Where is the typo?", of_files=True)
