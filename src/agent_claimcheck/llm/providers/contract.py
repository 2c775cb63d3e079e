"""What a provider's wire format is: how a question becomes a request, and how a reply is read.

A reader must not miss: a format never sends anything. ``body`` depends on the question alone, so that equal questions
have equal hashes on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from agent_claimcheck.core.settings.secrets import Secret


class ModelRequest(Struct, frozen=True, kw_only=True):
    """One question to a model: a user message, perhaps a system message, and how it is to be answered."""

    model: str
    text: str
    temperature: float
    max_tokens: int
    json_mode: bool = True
    system: str = ""


class ProviderReply(Struct, frozen=True, kw_only=True):
    """What a reply holds. ``text`` is ``None`` when it holds no answer; ``cost_usd`` only when the provider says it.

    ``usage`` is the provider's own record, ``model`` the model that answered.
    """

    text: str | None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    usage: dict[str, Any] | None = None
    model: str | None = None


class WireFormat(Protocol):
    """How one family of servers is spoken to.

    ``lists_prices`` says that ``GET <base>/models`` may hold prices, ``lists_abilities`` that the request depends on
    what else stands there.
    """

    name: str
    lists_prices: bool
    lists_abilities: bool

    def url(self, base_url: str, model: str) -> str:
        """Return the address questions go to."""
        ...

    def headers(self, key: Secret | None) -> Mapping[str, str]:
        """Return the headers that carry the key."""
        ...

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the request as a JSON object."""
        ...

    def read(self, payload: Any) -> ProviderReply:
        """Read a reply of any shape. Never raises."""
        ...


def field(value: Any, *path: str | int) -> Any:
    """Return what lies under ``path`` in a JSON value, ``None`` where anything on the way is missing."""
    for part in path:
        if isinstance(part, str) and isinstance(value, dict):
            value = value.get(part)
        elif isinstance(part, int) and isinstance(value, list) and -len(value) <= part < len(value):
            value = value[part]
        else:
            return None
    return value


def count(value: Any) -> int | None:
    """Return a number of tokens, ``None`` for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**12:
        return None
    return value


def amount(value: Any) -> float | None:
    """Return an amount of dollars, ``None`` for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        return None
    return float(value)


def text_or_none(value: Any) -> str | None:
    """Return ``value`` when it is a text."""
    return value if isinstance(value, str) else None


def usage_or_none(value: Any) -> dict[str, Any] | None:
    """Return ``value`` when it is an object."""
    return value if isinstance(value, dict) else None
