"""A minimal client for any OpenAI-compatible chat address.

A reader must not miss: the key goes to the configured address only. Redirects are not followed, replies have a size
limit, and the key is taken out of every error text before anyone sees it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agent_claimcheck.core.errors import ClaimcheckError, UsageError
from agent_claimcheck.core.loopback import is_loopback_url
from agent_claimcheck.core.settings.secrets import Secret
from agent_claimcheck.llm.transport import LARGEST_REPLY

if TYPE_CHECKING:
    import httpx

_SHOWN = 300  # characters of a server's error body that a message repeats


class ModelCallError(ClaimcheckError):
    """A model call failed: no connection, an HTTP error, or an answer of an unknown form."""

    slug = "model_call"


class OpenAICompatibleClient:
    """Asks one chat completion a question, at temperature 0.

    ``base_url`` is the address up to and including ``/v1``. ``timeout_s`` bounds each phase of a call, in seconds.
    ``transport`` replaces the network. Safe to use from several threads.
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        key: Secret | None = None,
        timeout_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("the base URL is no http or https address", hint="for example https://api.openai.com/v1")
        self._model = model
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._key = key
        self._timeout_s = timeout_s
        self._transport = transport
        self._http: httpx.Client | None = None

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        """Return the model's answer text. Raises ``ModelCallError`` with a reason that holds no key."""
        import httpx

        if self._http is None:
            self._http = httpx.Client(timeout=self._timeout_s, transport=self._transport, follow_redirects=False)
        # Nothing packed is asked for: a small packed reply could be a huge one.
        headers = {"Accept-Encoding": "identity"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        instructions = f"{system}\n\nThe answer must fit this JSON Schema:\n{json.dumps(schema)}"
        body = {
            "model": self._model,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": user}],
        }
        try:
            with self._http.stream("POST", self._url, json=body, headers=headers) as response:
                status, reply = response.status_code, _bounded(response)
        except httpx.HTTPError as error:
            raise ModelCallError(self._without_key(f"{type(error).__name__}: {error}")) from None
        if status != 200:
            detail = self._without_key(reply.decode(errors="replace")[:_SHOWN])
            raise ModelCallError(f"the model server answered HTTP {status}: {detail}")
        return _message_of(reply)

    def close(self) -> None:
        """Close the connections that were kept open."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _without_key(self, text: str) -> str:
        return text.replace(self._key.reveal(), "***") if self._key else text


def _bounded(response: httpx.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST_REPLY:
            raise ModelCallError(f"the model server's answer is larger than {LARGEST_REPLY} bytes")
    return b"".join(parts)


def _message_of(reply: bytes) -> str:
    try:
        content = json.loads(reply)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        content = None
    if not isinstance(content, str):
        raise ModelCallError("the model server's answer holds no message text")
    return content


def needs_key(base_url: str) -> bool:
    """Return false for an address on this machine, where servers ask for no key.

    >>> needs_key("http://127.0.0.1:8080/v1"), needs_key("https://api.openai.com/v1")
    (False, True)
    """
    return not is_loopback_url(base_url)
