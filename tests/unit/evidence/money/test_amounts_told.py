"""Which amounts of money a text tells, and which of them it says have moved."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.money.told import amounts_in, said_moved


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("$1,020.50 and **$7**", [1020.5, 7.0]),
        ("12.30 EUR, 5 euros, €4", [12.3, 5.0, 4.0]),
        ("USD 80 or -$9.05", [80.0, 9.05]),
        ("$5k, $3%, 7 items, $1.234.567", []),
    ],
)
def test_amounts_are_read_with_their_currency_alone(text: str, amounts: list[float]) -> None:
    assert amounts_in(text) == amounts


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("A refund of $12 has been issued.", [(12.0, True)]),
        ("Refund: $12\\n- Additional charge: $3", [(12.0, True), (3.0, False)]),
        ("Your card was charged $8", [(8.0, False)]),
        ("The $12 refund was charged to the shop.", []),
        ("A refund of $12 per person", []),
        ("You would be charged $12", []),
        ("A refund of $12, not $15", []),
        ("It costs $12", []),
    ],
)
def test_what_has_moved_is_said_of_one_amount_without_hedges(text: str, moved: list[tuple[float, bool]]) -> None:
    assert [(said.amount, said.is_back) for said in said_moved(text)] == moved
