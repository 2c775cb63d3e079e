"""The models of a provider: asked of its own address with its key, a shortlist where that gives nothing."""

from __future__ import annotations

import httpx
import pytest

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.pipeline.model_list import PROVIDERS, list_models

KEY = "k-123"


def answered_by(status: int, payload: object, asked: list[httpx.Request]) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(status, json=payload)

    return httpx.MockTransport(answer)


@pytest.mark.parametrize(
    ("provider", "payload"),
    [
        ("openai", {"data": [{"id": "m-2"}, {"id": "m-1"}, {"id": 7}, "x"]}),
        ("anthropic", {"data": [{"id": "m-1"}, {"id": "m-2"}]}),
        ("gemini", {"models": [{"name": "models/m-1"}, {"name": "models/m-2"}]}),
    ],
)
def test_models_are_listed_live_with_the_key_in_the_providers_header(provider: str, payload: object) -> None:
    known, asked = PROVIDERS[provider], list[httpx.Request]()
    environ = {known.keys[0]: f" {KEY}\n"}
    found = list_models(provider, environ=environ, transport=answered_by(200, payload, asked))
    assert (found.names, found.is_live, found.note) == (["m-1", "m-2"], True, "")
    assert str(asked[0].url) == known.url
    assert asked[0].headers[known.header] == known.prefix + KEY


@pytest.mark.parametrize(
    ("status", "payload", "note"),
    [(401, {"error": "no"}, "HTTP 401"), (200, {"data": {}}, "no models"), (200, ["m"], "no models")],
)
def test_an_answer_without_models_gives_the_shortlist_and_why(status: int, payload: object, note: str) -> None:
    found = list_models("openai", environ={"OPENAI_API_KEY": KEY}, transport=answered_by(status, payload, []))
    assert (found.names, found.is_live) == (list(PROVIDERS["openai"].shortlist), False)
    assert note in found.note


def test_a_failing_request_tells_no_key() -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"no route for {request.headers['Authorization']}")

    found = list_models("openai", environ={"OPENAI_API_KEY": KEY}, transport=httpx.MockTransport(fail))
    assert not found.is_live
    assert KEY not in found.note
    assert "ConnectError" in found.note


def test_without_a_key_nothing_is_asked() -> None:
    asked: list[httpx.Request] = []
    found = list_models("gemini", environ={}, transport=answered_by(200, {}, asked))
    assert (found.is_live, found.note, asked) == (False, "GEMINI_API_KEY or GOOGLE_API_KEY is not set", [])


def test_an_unknown_provider_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="openai"):
        list_models("opnai", environ={})
