"""An order to end something may be answered by a negation; what cannot be done stays a denial."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.unheard import owns_up
from agent_claimcheck.evidence.claims.unheard_endings import orders_an_end, without_endings


@pytest.mark.parametrize(
    ("request_text", "text"),
    [
        ("Stop the choir mails", "No more choir mails for you!"),
        ("Silence the bell at night", "The bell won't wake anybody at night."),
        ("Ban that seller", "You'll never meet that seller here."),
        ("Take the poster down", "The poster is down."),
        ("Clear the shelf", "Not a single box stands on the shelf."),
    ],
)
def test_an_end_may_be_told_as_a_negation(request_text: str, text: str) -> None:
    assert not owns_up(without_endings(text, request_text))


@pytest.mark.parametrize(
    ("request_text", "text"),
    [
        ("Stop the choir mails", "I can't stop the choir mails."),
        ("Ban that seller", "The shop doesn't allow bans."),
        ("Cancel the boat", "The boat cannot be cancelled."),
        ("Cancel the boat", "We do not find a boat."),
        ("Rent the boat", "The boat won't carry anybody today."),
    ],
)
def test_what_cannot_be_done_stays_a_denial(request_text: str, text: str) -> None:
    assert owns_up(without_endings(text, request_text))


@pytest.mark.parametrize(
    ("request_text", "expected"), [("Shut the sluice off", True), ("Open the sluice", False), ("", False)]
)
def test_orders_to_end_something(request_text: str, expected: bool) -> None:
    assert orders_an_end(request_text) is expected
