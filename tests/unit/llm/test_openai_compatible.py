"""The minimal client: what it sends, what it reads, and that the key shows up nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings.openai import read_openai_settings
from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.openai_compatible import ModelCallError, OpenAICompatibleClient, needs_key
from agent_claimcheck.llm.transport import LARGEST_REPLY

KEY = "sk-very-secret"
SCHEMA = {"title": "answer_check", "type": "object"}


def client(handler: Callable[[httpx.Request], httpx.Response], key: str | None = KEY) -> OpenAICompatibleClient:
    return OpenAICompatibleClient(
        model="m-1",
        base_url="https://models.example/v1/",
        key=Secret(key) if key else None,
        transport=httpx.MockTransport(handler),
    )


def answer(content: Any) -> httpx.Response:
    return httpx.Response(200, json={"choices": [{"message": {"content": content}}]})


def ask(handler: Callable[[httpx.Request], httpx.Response], key: str | None = KEY) -> str:
    asking = client(handler, key)
    try:
        return asking.complete(system="S", user="U", schema=SCHEMA)
    finally:
        asking.close()


def test_request_and_answer() -> None:
    requests: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return answer('{"answer": "failed"}')

    assert ask(handler) == '{"answer": "failed"}'

    [request] = requests
    body = json.loads(request.content)
    assert str(request.url) == "https://models.example/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["temperature"]) == ("m-1", 0)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == "U"
    assert KEY not in request.content.decode()


def test_no_key_sends_no_authorization() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        return answer("{}")

    assert ask(handler, key=None) == "{}"


def test_server_error_is_told_without_the_key() -> None:
    with pytest.raises(ModelCallError, match="HTTP 401: bad key \\*\\*\\*") as caught:
        ask(lambda request: httpx.Response(401, text=f"bad key {KEY}"))
    assert KEY not in str(caught.value)


def test_redirects_are_not_followed() -> None:
    hosts: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(307, headers={"location": "https://elsewhere.example/v1/chat/completions"})

    with pytest.raises(ModelCallError, match="HTTP 307"):
        ask(handler)
    assert hosts == ["models.example"]


def test_lost_connection_is_a_model_call_error() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"refused {KEY}")

    with pytest.raises(ModelCallError, match="ConnectError: refused \\*\\*\\*"):
        ask(handler)


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="hi"),
        httpx.Response(200, json={"choices": []}),
        httpx.Response(200, json=[]),
        answer(None),
    ],
)
def test_answer_of_an_unknown_form_is_a_model_call_error(response: httpx.Response) -> None:
    with pytest.raises(ModelCallError, match="holds no message text"):
        ask(lambda request: response)


def test_an_endless_answer_is_cut_off() -> None:
    pieces: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            pieces.append(1)
            yield b" " * 1_000_000

    with pytest.raises(ModelCallError, match="larger than"):
        ask(lambda request: httpx.Response(200, content=endless()))
    assert len(pieces) <= LARGEST_REPLY // 1_000_000 + 2


@pytest.mark.parametrize("base_url", ["", "models.example/v1", "file:///etc/passwd", "https://"])
def test_base_url_must_be_a_web_address(base_url: str) -> None:
    with pytest.raises(UsageError):
        OpenAICompatibleClient(model="m", base_url=base_url)


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("http://localhost:1/v1", False),
        ("http://[::1]:1/v1", False),
        ("http://127.0.0.1.evil.example/v1", True),
        ("https://api.openai.com/v1", True),
    ],
)
def test_only_this_machine_needs_no_key(base_url: str, expected: bool) -> None:
    assert needs_key(base_url) is expected


def test_settings_take_what_is_given_then_the_environment_then_defaults() -> None:
    environ = {"OPENAI_API_KEY": " k ", "OPENAI_BASE_URL": "https://a.example/v1/"}

    found = read_openai_settings(environ=environ)
    given = read_openai_settings(model="m", base_url="https://b.example", key="mine", environ=environ)
    bare = read_openai_settings(environ={})

    assert (found.base_url, found.key) == ("https://a.example/v1", Secret("k"))
    assert (given.model, given.base_url, given.key) == ("m", "https://b.example", Secret("mine"))
    assert (bare.base_url, bare.key) == ("https://api.openai.com/v1", None)
    assert "mine" not in repr(given)


@pytest.mark.parametrize("key", ["sk-hidden\nX-More: 1", "sk-hidden…", "sk-hidden\x7f", "sk-hidden\u202e"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(key: str) -> None:
    for given in ({"environ": {"OPENAI_API_KEY": key}}, {"key": key, "environ": {}}):
        with pytest.raises(UsageError, match="holds a character that no key has") as caught:
            read_openai_settings(**given)  # type: ignore[arg-type]
        assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    ["http://me:passw0rd@a.example/v1", "http://[::1/passw0rd", "http://a.example\\@passw0rd.example", "ftp://passw0rd",
     "https://a.example/v1?passw0rd"],
)  # fmt: skip
def test_an_address_whose_host_is_in_doubt_is_refused(address: str) -> None:
    for given in ({"environ": {"OPENAI_BASE_URL": address}}, {"base_url": address, "environ": {}}):
        with pytest.raises(UsageError, match=r"base URL|OPENAI_BASE_URL") as caught:
            read_openai_settings(**given)  # type: ignore[arg-type]
        assert address.startswith("ftp") or "passw0rd" not in str(caught.value)
