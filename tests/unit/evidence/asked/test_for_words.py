"""Which requests are met by words in the reply."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.asked.for_words import asks_for_words


@pytest.mark.parametrize(
    "request_text",
    ["Add 12 and 30.", "Please add 17 to 4", "Convert 5 miles into km", "Convert $20 to euros.", "Multiply 3 by 4"],
)
def test_numbers_are_reckoned_in_the_reply(request_text: str) -> None:
    assert asks_for_words(request_text)


@pytest.mark.parametrize(
    "request_text",
    [
        "Add 12 and 30 to the ledger",
        "Add 20 EUR to my account",
        "Convert 20 EUR to USD in my wallet",
        "Convert the file to PDF",
        "Divide 10 by 4 and send it to Bo",
    ],
)
def test_what_is_kept_elsewhere_is_not(request_text: str) -> None:
    assert not asks_for_words(request_text)
