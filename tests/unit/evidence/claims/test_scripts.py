"""Languages are told apart, and what nobody can read is said to be unread."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.finder import find_in_text
from agent_claimcheck.evidence.claims.frame_language import frames
from agent_claimcheck.evidence.claims.language_files import function_words, other_languages
from agent_claimcheck.evidence.claims.vocabulary import Phrase, english


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I have the details of your order here.", "en"),
        ("Ich habe die Unterlagen noch nicht gesehen.", "de"),
        ("Je ne vois pas votre dossier dans la liste.", "fr"),
        ("No veo su pedido en la lista de hoy.", "es"),
        ("Não vejo o seu pedido na lista de hoje.", "pt"),
        ("Non vedo il suo ordine nella lista.", "it"),
        ("Ik zie uw bestelling niet in de lijst.", "nl"),
        ("Nie widzę Twojego zamówienia na liście.", "pl"),
        ("Bu sipariş için bir kayıt yok.", "tr"),
        ("Я не вижу ваш заказ в списке.", "ru"),
        ("ご注文が見つかりません。", "ja"),
        ("我没有找到您的订单。", "zh"),
        ("주문을 찾을 수 없습니다.", "ko"),
    ],
)
def test_language_is_identified(text: str, code: str) -> None:
    reading = find_in_text(text)
    assert (reading.language, reading.is_readable) == (code, True)


@pytest.mark.parametrize(
    "text",
    ["تم حجز الاجتماع", "Η κράτηση έγινε.", "ההזמנה בוטלה", "Pöytä on varattu perjantaiksi.", "Зустріч заброньовано."],
)
def test_language_without_data_is_unread(text: str) -> None:
    assert not find_in_text(text).is_readable


@pytest.mark.parametrize("text", ["42", "[-1]", "FINISH([97.0])", "...", "👍", "OK", "NOV083, JFK, 15:00"])
def test_text_that_says_nothing_in_words_is_readable(text: str) -> None:
    assert find_in_text(text).is_readable


@pytest.mark.parametrize("phrase", english().phrases, ids=lambda phrase: phrase.source[:40])
def test_every_english_phrase_says_which_words_are_the_claim(phrase: Phrase) -> None:
    assert "v" in phrase.pattern.groupindex
    assert phrase.triggers


@pytest.mark.parametrize("code", other_languages())
def test_every_language_file_is_complete(code: str) -> None:
    language = frames(code)
    assert language.code == code
    assert language.frames
    assert code in function_words()[language.script]
    assert all("v" in frame.pattern.groupindex and 0 < frame.confidence <= 1 for frame in language.frames)
    assert language.denials.pattern != "(?!)"
    assert language.blockers.pattern != "(?!)"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("He cancelado h-42ee-9281.", "es"),
        ("394 sono stati versati a vera.long@haulage-works.example.test per trp_db350b.", "it"),
        ("ORD125966已发送至vera.long@haulage-works.example.test。", "zh"),
        ("Я отправил MRN-2171 на адрес vera.long@haulage-works.example.test.", "ru"),
    ],
)
def test_ids_and_addresses_count_for_no_language(text: str, code: str) -> None:
    assert find_in_text(text).language == code


@pytest.mark.parametrize(
    "text", ["He cancelled nothing.", "Marc edits the report.", "Import, export, cancel: your choice."]
)
def test_short_english_is_taken_for_no_other_language(text: str) -> None:
    reading = find_in_text(text)
    assert reading.claims == () and reading.language in ("en", None)
