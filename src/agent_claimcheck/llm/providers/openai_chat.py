"""OpenAI-compatible chat completions: OpenAI, OpenRouter, and the local servers that copied the format.

A reader must not miss: OpenRouter's extra fields are sent to its own host only; other servers refuse unknown fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from agent_claimcheck.core.settings.secrets import FALLBACK_HOST, Secret
from agent_claimcheck.llm.providers.contract import (
    ModelRequest,
    ProviderReply,
    amount,
    count,
    field,
    text_or_none,
    usage_or_none,
)

# OpenAI's reasoning models take no temperature and call the limit by another name.
_REASONING_MODEL = re.compile(r"(?:o\d|gpt-5)")
_OPENAI_HOST = "api.openai.com"


class OpenAIChat:
    """``POST <base>/chat/completions`` with a bearer key. ``reasons`` says that the model is listed as able to reason."""

    name = "openai"
    lists_prices = True

    def __init__(self, base_url: str, *, reasons: bool = False) -> None:
        parts = urlsplit(base_url)
        self._is_openrouter = self.lists_abilities = parts.hostname == FALLBACK_HOST
        self._is_openai = parts.hostname == _OPENAI_HOST
        self._reasons = reasons

    def url(self, base_url: str, model: str) -> str:
        return f"{base_url.rstrip('/')}/chat/completions"

    def headers(self, key: Secret | None) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key.reveal()}"} if key else {}

    def body(self, request: ModelRequest) -> dict[str, Any]:
        system = [{"role": "system", "content": request.system}] if request.system else []
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [*system, {"role": "user", "content": request.text}],
        }
        if self._is_openai and _REASONING_MODEL.match(request.model):
            body["max_completion_tokens"] = request.max_tokens
        else:
            body["temperature"] = request.temperature
            body["max_tokens"] = request.max_tokens
        if request.json_mode:
            body["response_format"] = {"type": "json_object"}
        if self._is_openrouter:
            body["provider"] = {"require_parameters": True}
            if self._reasons:
                body["reasoning"] = {"enabled": False}
        return body

    def read(self, payload: Any) -> ProviderReply:
        usage = usage_or_none(field(payload, "usage"))
        return ProviderReply(
            text=text_or_none(field(payload, "choices", 0, "message", "content")),
            tokens_in=count(field(usage, "prompt_tokens")),
            tokens_out=count(field(usage, "completion_tokens")),
            cost_usd=amount(field(usage, "cost")),
            usage=usage,
            model=text_or_none(field(payload, "model")),
        )
