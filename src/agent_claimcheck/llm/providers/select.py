"""Which wire format an address speaks."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from agent_claimcheck.llm.providers.anthropic import AnthropicMessages
from agent_claimcheck.llm.providers.contract import WireFormat
from agent_claimcheck.llm.providers.gemini import GeminiContent
from agent_claimcheck.llm.providers.openai_chat import OpenAIChat

Api = Literal["auto", "openai", "anthropic", "gemini"]

_ANTHROPIC_HOST = "api.anthropic.com"
_GEMINI_HOST = "generativelanguage.googleapis.com"


def wire_format(base_url: str, api: Api = "auto", *, reasons: bool = False) -> WireFormat:
    """Return the format of ``base_url``; ``api`` other than ``auto`` names it outright.

    >>> wire_format("https://api.anthropic.com/v1").name, wire_format("http://localhost:8000/v1").name
    ('anthropic', 'openai')
    >>> wire_format("https://generativelanguage.googleapis.com/v1beta/openai").name
    'openai'
    """
    parts = urlsplit(base_url)
    if api == "auto" and parts.hostname == _ANTHROPIC_HOST:
        api = "anthropic"
    elif api == "auto" and parts.hostname == _GEMINI_HOST and not parts.path.rstrip("/").endswith("/openai"):
        api = "gemini"
    if api == "anthropic":
        return AnthropicMessages()
    if api == "gemini":
        return GeminiContent()
    return OpenAIChat(base_url, reasons=reasons)
