"""Google's Gemini format (``generateContent``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.providers.contract import (
    ModelRequest,
    ProviderReply,
    count,
    field,
    text_or_none,
    usage_or_none,
)


class GeminiContent:
    """``POST <base>/models/<model>:generateContent`` with ``x-goog-api-key``; the key is never part of the address."""

    name = "gemini"
    lists_prices = False
    lists_abilities = False

    def url(self, base_url: str, model: str) -> str:
        return f"{base_url.rstrip('/')}/models/{quote(model.removeprefix('models/'), safe='')}:generateContent"

    def headers(self, key: Secret | None) -> Mapping[str, str]:
        return {"x-goog-api-key": key.reveal()} if key else {}

    def body(self, request: ModelRequest) -> dict[str, Any]:
        config: dict[str, Any] = {"temperature": request.temperature, "maxOutputTokens": request.max_tokens}
        if request.json_mode:
            config["responseMimeType"] = "application/json"
        body: dict[str, Any] = {
            "contents": [{"role": "user", "parts": [{"text": request.text}]}],
            "generationConfig": config,
        }
        if request.system:
            body["systemInstruction"] = {"parts": [{"text": request.system}]}
        return body

    def read(self, payload: Any) -> ProviderReply:
        parts = field(payload, "candidates", 0, "content", "parts")
        texts = [
            part["text"]
            for part in (parts if isinstance(parts, list) else [])
            if isinstance(field(part, "text"), str) and field(part, "thought") is not True
        ]
        usage = usage_or_none(field(payload, "usageMetadata"))
        answered = count(field(usage, "candidatesTokenCount"))
        thought = count(field(usage, "thoughtsTokenCount"))
        return ProviderReply(
            text="".join(texts) if texts else None,
            tokens_in=count(field(usage, "promptTokenCount")),
            # Thinking is billed as output.
            tokens_out=None if answered is None and thought is None else (answered or 0) + (thought or 0),
            usage=usage,
            model=text_or_none(field(payload, "modelVersion")),
        )
