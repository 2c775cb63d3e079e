"""A run closes with its last message that is no mere courtesy; a report that begins with a kind word is none."""

from __future__ import annotations

import json

import pytest

from agent_claimcheck.evidence.claims.courtesies import asks_nothing, is_courtesy, without_courtesies
from agent_claimcheck.evidence.claims.hearing import hear


@pytest.mark.parametrize(
    "text",
    [
        "You're welcome! Have a great day.",
        "You’re very welcome! Enjoy your new headphones, and don’t hesitate to contact us again.",
        "You're welcome, Mia! Safe travels, and enjoy the concert.",
        "If you have any other questions in the future, feel free to reach out.",
        "Glad I could help! 😊",
        "No problem, bye!",
        "Thank you for calling the ferry office. Goodbye!",
        "👍",
        "<p>You're welcome!</p>",
        "<result>\n</result>",
        "Gern\u00a0geschehen!",
        "Gern geschehen! Schönen Tag noch.",
        "De nada, ¡que tengas un buen día!",
        "Avec plaisir, bonne soirée !",
        "不客气！",
        "どういたしまして。",
        "Nie ma za co!",
    ],
)
def test_courtesy_tells_nothing(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    [
        "Great, the fix is in and all tests pass.",
        "Perfect, your order has been cancelled.",
        "Sure, I have pushed the commit.",
        "<thinking>I have pushed the commit.</thinking>",
        "OK, done.",
        "Sure, lint clean",
        "Great, lamp on",
        "Thanks for waiting, the refund was issued.",
        "Thanks to the index the query is fast",
        "Good evening, your table is booked",
        "I hope you like it, the table is booked.",
        "Glad it works now: 14 of 14.",
        "If you look now, the page is live",
        "Unfortunately I could not help.",
        "You can now log in.",
        "Gern geschehen, der Termin steht.",
        "Danke, ich habe den Termin storniert.",
        "Merci, c'est réservé.",
        "谢谢，已取消",
        "Enjoy the window seat I got you!",
        "If a page is missing I could not find it",
        "Anything else was left alone",
        "You're welcome to the refund",
        "Have a seat in row four",
        "See you on Monday at the new time",
        "Glad I could mend it",
        "Let me know when to send the rest",
        "As always it went through",
        "You're welcome! " * 40,
    ],
)
def test_report_with_a_kind_word_is_none(text: str) -> None:
    assert not is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hi!",
        "Yes",
        "Thanks, that's all!",
        "No, that is it. Bye!",
        "Great job",
        "Nein, das ist alles.",
        "Thank you for all your help, Mia!",
        "I really appreciate your patience.",
        "Vielen Dank für die Hilfe!",
        "Muchas gracias por todo",
        "谢谢你的帮助",
    ],
)
def test_user_who_only_greets_agrees_or_thanks_asks_nothing(text: str) -> None:
    assert asks_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, and cancel the other one",
        "Yes, book it",
        "No, I meant Friday",
        "Danke, und der Bus?",
        "Ok, Anna",
        "Yes, Both",
        "No, Keep",
        "Is there anything cheaper? Is there anything else you can offer?",
        "Let me know the price",
        "Feel free to delete the others",
        "Have a look at the other file",
        "Please don't hesitate to renew it",
        "Merci d'annuler la commande",
        "谢谢帮我取消订单",
        "Teşekkürler iptal et",
        "Спасибо отмените заказ",
    ],
)
def test_user_who_asks_for_more_does(text: str) -> None:
    assert not asks_nothing(text)


def test_courtesies_are_left_out_of_what_is_told_and_nothing_moves() -> None:
    text = "Hi! The van is due at 10:30. Let me know if you need any changes. Enjoy your 10:30 start!"
    told = without_courtesies(text)
    assert told.split(".")[0].strip(" !") == "The van is due at 10:30"
    assert "changes" not in told
    assert len(told) == len(text)


@pytest.mark.parametrize(
    "text", ["Glad that your refund went through!", "Happy that the suite passes.", "Glad it runs now."]
)
def test_a_claim_that_begins_like_a_courtesy_is_told(text: str) -> None:
    assert without_courtesies(f"The van is loaded. {text}").rstrip().endswith(text)


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "summary": "The van was booked.",\n  "vans": [\n    "V-12"\n  ],\n  "note": "Thanks for waiting!"\n}',
        "Thanks for waiting!\n\n```\nmake: ok\n```\n\n---\n",
    ],
)
def test_brackets_and_fences_beside_courtesies_stay(text: str) -> None:
    marks = [mark for mark in text if mark in "{}[]`-"]
    assert [mark for mark in without_courtesies(text) if mark in "{}[]`-"] == marks


def test_claim_in_a_json_reply_that_ends_politely_is_heard() -> None:
    reply = json.dumps(
        {
            "message": "I have cancelled the van V-12.",
            "is_final": True,
            "next": ["Let me know if you need anything else."],
        },
        indent=2,
    )
    assert [said.claim.verb_class for said in hear(without_courtesies(reply)).said if said.claim] == ["cancelled"]
