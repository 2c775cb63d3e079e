"""A message in which no claim was found, and may stand, is quoted: whoever reads the result need not look it up."""

from __future__ import annotations

import pytest

from agent_claimcheck import Checker
from fakes import booking_trace


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("The deposit was declined.", 'in words that are not known: "The deposit was declined."'),
        ("කාමරය වෙන් කර ඇත", 'in a language or form that is not read here: "කාමරය වෙන් කර ඇත"'),
    ],
)
def test_the_words_that_may_be_a_claim_are_quoted(said: str, reason: str) -> None:
    result = Checker("rules").check_one(booking_trace("t", final=said))
    assert result.record == "unread"
    assert result.reasons[0].detail == f"a claim may stand {reason}"


def test_a_long_message_is_cut() -> None:
    result = Checker("rules").check_one(booking_trace("t", final="කාමරය වෙන් කර ඇත " * 1000))
    assert len(result.reasons[0].detail) < 200
