"""Anthropic's messages format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.providers.contract import (
    ModelRequest,
    ProviderReply,
    count,
    field,
    text_or_none,
    usage_or_none,
)

_VERSION = "2023-06-01"


class AnthropicMessages:
    """``POST <base>/messages`` with ``x-api-key``. It has no JSON mode; the prompt asks for JSON."""

    name = "anthropic"
    lists_prices = False
    lists_abilities = False

    def url(self, base_url: str, model: str) -> str:
        return f"{base_url.rstrip('/')}/messages"

    def headers(self, key: Secret | None) -> Mapping[str, str]:
        version = {"anthropic-version": _VERSION}
        return {**version, "x-api-key": key.reveal()} if key else version

    def body(self, request: ModelRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "temperature": min(request.temperature, 1.0),
            "messages": [{"role": "user", "content": request.text}],
        }
        if request.system:
            body["system"] = request.system
        return body

    def read(self, payload: Any) -> ProviderReply:
        blocks = field(payload, "content")
        texts = [
            block["text"]
            for block in (blocks if isinstance(blocks, list) else [])
            if field(block, "type") == "text" and isinstance(field(block, "text"), str)
        ]
        usage = usage_or_none(field(payload, "usage"))
        # Tokens read from or written to the provider's cache are input tokens too, counted apart.
        parts = [
            count(field(usage, name))
            for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        ]
        return ProviderReply(
            text="".join(texts) if texts else None,
            tokens_in=None if parts[0] is None else sum(part or 0 for part in parts),
            tokens_out=count(field(usage, "output_tokens")),
            usage=usage,
            model=text_or_none(field(payload, "model")),
        )
