"""Where a price comes from, and what is set aside for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent_claimcheck.llm.prices import Listing, listed_before, packaged_price
from agent_claimcheck.llm.transport import Sender
from fakes import Clock

OPENROUTER = "https://openrouter.ai/api/v1"
ROW = {
    "id": "v/m",
    "pricing": {"prompt": "0.0000001", "completion": "0.0000003"},
    "supported_parameters": ["reasoning"],
}


def sender(answers: Callable[[str], Any], asked: list[httpx.Request]) -> Sender:
    def respond(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        found = answers(request.url.path)
        return httpx.Response(404) if found is None else httpx.Response(200, content=json.dumps(found))

    return Sender(timeout_s=1, transport=httpx.MockTransport(respond))


def test_listing_gives_the_list_price_and_the_dearest_endpoint(tmp_path: Path) -> None:
    asked: list[httpx.Request] = []
    pages = {
        "/api/v1/models": {"data": [{"id": "other"}, ROW]},
        "/api/v1/models/v/m/endpoints": {
            "data": {"endpoints": [{"pricing": {"prompt": "0.0000009", "completion": "0.0000002"}}, {}]}
        },
    }
    price = Listing(sender(pages.get, asked), OPENROUTER, {"X": "1"}, tmp_path).price("v/m")
    assert price is not None
    assert (price.in_per_m, price.out_per_m) == pytest.approx((0.1, 0.3))
    assert (price.max_in_per_m, price.max_out_per_m) == pytest.approx((0.9, 0.3))
    assert price.reasons
    assert [request.headers["X"] for request in asked] == ["1", "1"]


def test_listing_is_kept_for_a_day(tmp_path: Path) -> None:
    clock = Clock()
    asked: list[httpx.Request] = []
    listing = Listing(sender(lambda path: {"data": [ROW]}, asked), "https://a.test/v1", {}, tmp_path, clock)
    first = listing.price("v/m")
    assert first is not None
    assert listing.price("v/m") == first == listed_before(tmp_path, "https://a.test/v1/", "v/m", clock)
    assert len(asked) == 1
    clock.wait(25 * 3600)
    assert listed_before(tmp_path, "https://a.test/v1", "v/m", clock) is None
    listing.price("v/m")
    assert len(asked) == 2


def test_endpoint_prices_that_cannot_be_had_leave_the_price_unknown(tmp_path: Path) -> None:
    only_list = {"/api/v1/models": {"data": [ROW]}}
    assert Listing(sender(only_list.get, []), OPENROUTER, {}, tmp_path).price("v/m") is None


def row_with(prompt: Any, completion: Any) -> Any:
    return {"data": [{"id": "v/m", "pricing": {"prompt": prompt, "completion": completion}}]}


@pytest.mark.parametrize(
    "page",
    [
        None,
        [],
        "x",
        {"data": 3},
        {"data": [{"id": "v/m"}]},
        row_with("-1", "0"),
        row_with("nan", "0"),
        row_with(True, 0),
        row_with("1" * 5000, "0"),
    ],
)
def test_listing_of_another_form_has_no_price(tmp_path: Path, page: Any) -> None:
    assert Listing(sender(lambda path: page, []), "https://a.test/v1", {}, tmp_path).price("v/m") is None
    assert list(tmp_path.iterdir()) == []


def test_packaged_prices_are_dated_and_bound_to_their_host() -> None:
    price = packaged_price("https://api.openai.com/v1", "gpt-4o-mini")
    assert price is not None
    assert price.date is not None and len(price.date) == 10
    assert packaged_price("https://openai.example.test/v1", "gpt-4o-mini") is None
    assert packaged_price("https://api.openai.com/v1", "gpt-unheard-of") is None


def test_packaged_price_of_a_model_with_tiers_reserves_the_dearest() -> None:
    price = packaged_price("https://generativelanguage.googleapis.com/v1beta", "models/gemini-2.5-pro")
    assert price is not None
    assert price.max_in_per_m > price.in_per_m
