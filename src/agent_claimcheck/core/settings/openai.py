"""Where the run grader's model is found: ``OPENAI_API_KEY``, ``OPENAI_BASE_URL`` and their defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping

from msgspec import Struct

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.core.settings.values import ValueFault, check_url

KEY_VARIABLE = "OPENAI_API_KEY"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4o-mini"


class OpenAISettings(Struct, frozen=True, kw_only=True):
    """A model behind an OpenAI-compatible address. ``key`` is ``None`` when none was given or found."""

    model: str
    base_url: str
    key: Secret | None


def read_openai_settings(
    *,
    model: str | None = None,
    base_url: str | None = None,
    key: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> OpenAISettings:
    """Return what is given, else what ``environ`` (default: ``os.environ``) holds, else the defaults.

    Raises ``UsageError``, which repeats neither, for a key no header can carry and an address that is not plainly one.
    """
    variables = os.environ if environ is None else environ
    text = key or variables.get(KEY_VARIABLE, "").strip()
    secret = Secret(text) if text else None
    if secret is not None:
        secret.require_sendable("the key" if key else KEY_VARIABLE)
    address = base_url or variables.get(BASE_URL_VARIABLE, "").strip() or DEFAULT_BASE_URL
    try:
        check_url(address)
    except ValueFault as fault:
        raise UsageError(
            f"{'the base URL' if base_url else BASE_URL_VARIABLE} {fault}", hint=f"for example {DEFAULT_BASE_URL}"
        ) from None
    return OpenAISettings(model=model or DEFAULT_MODEL, base_url=address.rstrip("/"), key=secret)
