"""A polite order asks for what a plain one does."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.asked.deeds import first_words
from agent_claimcheck.evidence.asked.polite_orders import as_plain_orders


@pytest.mark.parametrize(
    ("request_text", "first"),
    [
        ("Could you please unlock the gate?", "unlock"),
        ("I'd like to rent the boat", "rent"),
        ("I need you to seal box 4", "seal"),
        ("Would you mind closing the sluice?", "close"),
        ("The rota is stale, refresh it", "refresh"),
        ("We were robbed; please block my badge", "block"),
    ],
)
def test_the_verb_of_a_polite_order_begins_a_line(request_text: str, first: str) -> None:
    plain = as_plain_orders(request_text)
    assert first in list(first_words(plain))
    assert "?" not in plain


@pytest.mark.parametrize("request_text", ["", "Is the gate open?", "Seal box 4.", "Which boats are free?"])
def test_anything_else_stays_as_it_is(request_text: str) -> None:
    assert as_plain_orders(request_text) == request_text
