"""Of other languages only the common ways of claiming are known: a plain statement there may claim something all the same."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.frames import denies
from agent_claimcheck.evidence.claims.unheard import states_plainly


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Die Pumpe läuft bis acht Uhr."),
        ("de", "Den Eintrag gibt es nicht mehr."),
        ("fr", "Zoé n'est plus sur la liste."),
        ("es", "Tu hermana ya no está en el grupo."),
        ("zh", "水泵现在是3档。"),
        ("pl", "Furtka jest otwarta. Czy coś jeszcze?"),
        ("de", "Der Ausweis kann nicht mehr benutzt werden."),
        ("fr", "Le badge ne peut plus être utilisé."),
        ("it", "Il badge non può più essere usato."),
        ("nl", "De pas kan niet meer gebruikt worden."),
    ],
)
def test_a_plain_statement_may_claim(language: str, text: str) -> None:
    assert states_plainly(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Leider antwortet die Pumpe heute."),
        ("de", "Das ist nicht mehr möglich."),
        ("de", "Bitte rufen Sie die Werkstatt an."),
        ("fr", "La vanne ne répond pas."),
        ("de", "Der Kurs kann nicht mehr storniert werden."),
        ("fr", "Le cours ne peut plus être annulé."),
        ("es", "¿Quieres otra hora?"),
        ("zh", "很抱歉，水泵离线。"),
        ("xx", "Pumpa jede."),
        ("de", "Die Pumpe läuft. " * 2_000),
    ],
)
def test_a_denial_a_regret_or_a_question_claims_nothing(language: str, text: str) -> None:
    assert not states_plainly(text, language)


def test_a_negation_of_a_reason_is_none_of_the_deed() -> None:
    german = frames("de")
    assert not denies("gelöscht, weil sie nicht mehr passt", german, 0)
    assert denies("weil sie nicht gelöscht wurde", german, 15)
    assert denies("nicht ohne gebühren gelöscht", german, 20)
