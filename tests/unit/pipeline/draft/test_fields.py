"""Which fields say how a record stands."""

from __future__ import annotations

import pytest

from agent_claimcheck.pipeline.draft.fields import is_status


@pytest.mark.parametrize(
    "path", ["status", "state", "lease.state", "paymentStatus", "address.status", "order.payment_state"]
)
def test_a_state_of_the_record(path: str) -> None:
    assert is_status(path)


@pytest.mark.parametrize(
    "path", ["address.state", "shipping_address.state", "lease.location.state", "home_state", "statement"]
)
def test_a_part_of_a_country_is_none(path: str) -> None:
    assert not is_status(path)
