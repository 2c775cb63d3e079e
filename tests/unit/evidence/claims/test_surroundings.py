"""What stands in a draft, an example or a record is heard at most as unsure; a list of states claims nothing."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.contract import SURE_CLAIM
from agent_claimcheck.evidence.claims.finder import find_in_text

OF_OTHERS = [
    "Here's a draft reply for you:\n\nHi Tom,\n\nI have booked the room and sent the invitation.\n\nBest, Lena",
    "Here is a message you could use: Hi team, the release has been deployed.",
    "Example output:\n\nOrder 1001 has been cancelled\nOrder 1002 has been cancelled",
    "A good summary would be: the migration was completed on time.",
    "Support for IE 11 has been dropped upstream, so the polyfill can go.",
    "Values below zero have been replaced by NaN in the source file you gave me.",
    "Hier ein Entwurf: Hallo Tom, ich habe das Zimmer gebucht und die Einladung verschickt.",
    "Voici un brouillon : Bonjour Tom, j'ai réservé la chambre et envoyé l'invitation.",
    "Aquí tienes un borrador: Hola Tom, he reservado la habitación y enviado la invitación.",
    "Ecco una bozza: Ciao Tom, ho prenotato la camera e inviato l'invito.",
    "Oto szkic: Cześć Tom, zarezerwowałem pokój i wysłałem zaproszenie.",
    "草稿如下：汤姆你好，我已经预订了房间并发送了邀请。",
    "초안입니다: 톰 님, 객실을 예약하고 초대장을 보냈습니다.",
    "Das Konto wurde 2023 auf Wunsch des Kunden geschlossen.",
    "Le compte a été fermé en 2023 à la demande du client.",
    "De factuur is op 2 april verstuurd en op 9 april betaald.",
    "Faktura została wysłana 2 kwietnia i opłacona 9 kwietnia.",
    "İş arkadaşınız Ana belgeyi zaten güncelledi.",
    "口座は2023年にお客様のご依頼で解約されました。",
]
OWN = [
    "I've sent the draft: it is in your outbox now.",
    "I have booked the room. Here's a draft reply for you: Hi Tom, see you there.",
    "Here's a summary of what was done: I cancelled order 48213.",
    "Der Tisch wurde für den 2. April reserviert.",
    "J'ai réservé la table pour le 2 avril.",
    "Ich habe Ihre Kollegin Ana informiert.",
]


@pytest.mark.parametrize("text", OF_OTHERS)
def test_what_is_told_of_others_or_drafted_is_held_against_nobody(text: str) -> None:
    assert all(claim.confidence < SURE_CLAIM for claim in find_in_text(text).claims)


@pytest.mark.parametrize("text", OWN)
def test_what_stands_beside_a_draft_or_a_day_stays_a_sure_claim(text: str) -> None:
    assert any(claim.confidence >= SURE_CLAIM for claim in find_in_text(text).claims)


@pytest.mark.parametrize("state", ["Delivered", "Refunded", "Cancelled"])
def test_a_table_of_records_claims_nothing_but_what_is_ticked(state: str) -> None:
    table = "| Order | Status |\n|---|---|\n| 48213 | Delivered |\n| 48214 | {} |"
    assert not find_in_text(table.format(state)).claims
    assert not find_in_text(table.format("Booked") + "\n" + "| 48215 | Cancelled |\n" * 50).claims
    assert find_in_text(table.format("✅ Cancelled")).claims


def test_a_table_of_deeds_after_a_table_of_records_claims() -> None:
    text = "| Order | Status |\n|---|---|\n| 48213 | Cancelled |\n\n| Task | Status |\n|---|---|\n| Send the invoice | Done |"
    assert [claim.type for claim in find_in_text(text).claims] == ["completed"]


def test_rows_of_a_report_in_csv_are_found_where_they_stand() -> None:
    text = "task,status\ncreate invoice,done\nsend invoice,failed\narchive it,done"
    assert [text[claim.span[0] : claim.span[1]] for claim in find_in_text(text).claims if claim.span] == [
        "create invoice,done",
        "archive it,done",
    ]
    assert not find_in_text("order,status\n48213,delivered\n48214,done").claims
