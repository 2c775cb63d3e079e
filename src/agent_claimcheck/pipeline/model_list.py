"""Which models a provider offers: asked live when its key is set, else a shortlist.

A reader must not miss: the key goes to the provider's own address only, and a failed request falls back to the
shortlist with the reason.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.core.suggest import did_you_mean
from agent_claimcheck.llm.providers.contract import field

if TYPE_CHECKING:
    import httpx

_TIMEOUT_S = 20.0
_MOST = 500


class Provider(Struct, frozen=True, kw_only=True):
    """Where a provider lists its models, under which key, and what to name without one."""

    url: str
    keys: tuple[str, ...]
    shortlist: tuple[str, ...]
    header: str = "Authorization"
    prefix: str = "Bearer "
    more_headers: tuple[tuple[str, str], ...] = ()
    list_field: str = "data"
    name_field: str = "id"


PROVIDERS: dict[str, Provider] = {
    "anthropic": Provider(
        url="https://api.anthropic.com/v1/models",
        keys=("ANTHROPIC_API_KEY",),
        shortlist=("claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-1"),
        header="x-api-key",
        prefix="",
        more_headers=(("anthropic-version", "2023-06-01"),),
    ),
    "gemini": Provider(
        url="https://generativelanguage.googleapis.com/v1beta/models",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        shortlist=("gemini-2.0-flash", "gemini-2.5-flash", "gemini-2.5-pro"),
        header="x-goog-api-key",
        prefix="",
        list_field="models",
        name_field="name",
    ),
    "openai": Provider(
        url="https://api.openai.com/v1/models",
        keys=("OPENAI_API_KEY",),
        shortlist=("gpt-4o-mini", "gpt-4o", "gpt-4.1-mini", "gpt-4.1"),
    ),
}


class ModelList(Struct, frozen=True, kw_only=True):
    """A provider's models. ``is_live`` says that the provider was asked, ``note`` why it was not or what went wrong."""

    names: list[str]
    is_live: bool
    note: str = ""


def list_models(
    provider: str, *, environ: Mapping[str, str] | None = None, transport: httpx.BaseTransport | None = None
) -> ModelList:
    """Return the models of ``provider``. Raises ``UsageError`` for an unknown one; the network never raises."""
    known = PROVIDERS.get(provider)
    if known is None:
        hint = f"known: {', '.join(sorted(PROVIDERS))}"
        raise UsageError(
            f"unknown provider {provider!r}{did_you_mean(provider, PROVIDERS)}", hint=hint, slug="provider"
        )
    variables = os.environ if environ is None else environ
    name, key = next(((name, text) for name in known.keys if (text := variables.get(name, "").strip())), ("", ""))
    if not key:
        return ModelList(names=list(known.shortlist), is_live=False, note=f"{' or '.join(known.keys)} is not set")
    try:
        Secret(key).require_sendable(name)
    except UsageError as error:
        return ModelList(names=list(known.shortlist), is_live=False, note=str(error))
    import httpx

    headers = {known.header: f"{known.prefix}{key}", **dict(known.more_headers)}
    try:
        with httpx.Client(timeout=_TIMEOUT_S, transport=transport, follow_redirects=False) as http:
            response = http.get(known.url, headers=headers)
        payload: Any = response.json() if response.status_code == 200 else None
        note = "" if response.status_code == 200 else f"the server answered HTTP {response.status_code}"
    except (httpx.HTTPError, ValueError) as error:
        payload, note = None, f"{type(error).__name__}: {error}".replace(key, "***")
    listed = field(payload, known.list_field)
    names = [name.removeprefix("models/") for row in listed[:_MOST] if isinstance(name := field(row, known.name_field), str)] if (
        isinstance(listed, list)
    ) else []  # fmt: skip
    if not names:
        return ModelList(names=list(known.shortlist), is_live=False, note=note or "the answer holds no models")
    return ModelList(names=sorted(names), is_live=True)
