"""The three wire formats: requests, headers, and replies of any shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.providers.contract import ModelRequest
from agent_claimcheck.llm.providers.select import wire_format

REQUEST = ModelRequest(model="v/m", text="Hi", temperature=0.0, max_tokens=9)
OPENROUTER = "https://openrouter.ai/api/v1"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "usage", "text", "candidates", "parts", "usageMetadata"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def test_openrouter_extras_go_to_its_own_host_only() -> None:
    body = wire_format(OPENROUTER, reasons=True).body(REQUEST)
    assert body["provider"] == {"require_parameters": True}
    assert body["reasoning"] == {"enabled": False}
    assert "reasoning" not in wire_format(OPENROUTER).body(REQUEST)
    for base_url in ("https://openrouter.ai.example.test/v1", "https://api.openai.com/v1", "http://localhost:1/v1"):
        assert set(wire_format(base_url, reasons=True).body(REQUEST)) == {
            "model", "messages", "temperature", "max_tokens", "response_format",
        }  # fmt: skip


def test_json_mode_can_be_left_out() -> None:
    plain = ModelRequest(model="m", text="Hi", temperature=0.5, max_tokens=9, json_mode=False)
    assert "response_format" not in wire_format("http://localhost/v1").body(plain)


def test_reasoning_models_of_openai_take_no_temperature() -> None:
    request = ModelRequest(model="gpt-5-mini", text="Hi", temperature=0.0, max_tokens=9)
    body = wire_format("https://api.openai.com/v1").body(request)
    assert "temperature" not in body and body["max_completion_tokens"] == 9


@pytest.mark.parametrize(
    ("base_url", "name", "url", "header"),
    [
        (OPENROUTER, "openai", f"{OPENROUTER}/chat/completions", "Authorization"),
        ("https://api.anthropic.com/v1/", "anthropic", "https://api.anthropic.com/v1/messages", "x-api-key"),
        (
            "https://generativelanguage.googleapis.com/v1beta", "gemini",
            "https://generativelanguage.googleapis.com/v1beta/models/v%2Fm:generateContent", "x-goog-api-key",
        ),
    ],
)  # fmt: skip
def test_each_host_has_its_format(base_url: str, name: str, url: str, header: str) -> None:
    wire = wire_format(base_url)
    assert (wire.name, wire.url(base_url, "v/m")) == (name, url)
    assert "sk-1" in wire.headers(Secret("sk-1"))[header]
    assert header not in wire.headers(None)


def test_format_can_be_named() -> None:
    assert wire_format("http://localhost:1/v1", "anthropic").name == "anthropic"


def test_anthropic_reply_counts_cached_tokens() -> None:
    reply = wire_format("http://x", "anthropic").read(
        {
            "model": "claude-x",
            "content": [
                {"type": "thinking", "thinking": "no"},
                {"type": "text", "text": "{"},
                {"type": "text", "text": "}"},
            ],
            "usage": {"input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 3},
        }
    )
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.model) == ("{}", 12, 3, "claude-x")


def test_gemini_reply_leaves_thoughts_out_and_counts_them() -> None:
    reply = wire_format("http://x", "gemini").read(
        {
            "modelVersion": "gemini-x",
            "candidates": [{"content": {"parts": [{"text": "hm", "thought": True}, {"text": "{}"}]}}],
            "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 4},
        }
    )
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("{}", 5, 6)


@given(JSON)
def test_reply_of_any_shape_is_read(payload: Any) -> None:
    for api in ("openai", "anthropic", "gemini"):
        reply = wire_format("http://x", api).read(payload)  # type: ignore[arg-type]
        assert reply.text is None or isinstance(reply.text, str)
