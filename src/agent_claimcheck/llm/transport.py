"""Sending one request over HTTP and reading one JSON reply, with every fault turned into a fixed code.

A reader must not miss: redirects are not followed (a key goes to its own host only), replies have a size limit and a
deadline as a whole, and neither a body nor a key ever stands in a message.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.loopback import is_loopback_url

if TYPE_CHECKING:
    import httpx

FaultCode = Literal["http_429", "http_5xx", "http_4xx", "timeout", "network", "invalid_response"]

LARGEST_REPLY = 8 * 1024 * 1024
"""Bytes. An answer of a judge has a few hundred, a listing of models about two million."""


class Fault(Exception):
    """A request that gave no usable reply.

    ``may_be_billed`` is true when the request may have reached the model: its cost is then unknown, not zero.
    ``retry_after_s`` is what the server asked for, if it did; ``status`` is that of its HTTP answer, 0 where there was none.
    """

    def __init__(
        self, code: FaultCode, *, may_be_billed: bool, retry_after_s: float | None = None, status: int = 0
    ) -> None:
        super().__init__(code)
        self.code = code
        self.may_be_billed = may_be_billed
        self.retry_after_s = retry_after_s
        self.status = status


class Target(Struct, frozen=True, kw_only=True):
    """Where a request goes. ``headers`` may hold a key, so a target is never printed."""

    url: str
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Target(url={self.url!r})"


class Sender:
    """Sends JSON over HTTP. ``timeout_s`` bounds connecting, each wait for data, and the reply as a whole.

    ``transport`` replaces the network, ``clock`` is a monotonic clock in seconds. Safe to use from several threads.
    """

    def __init__(
        self,
        *,
        timeout_s: float,
        connections: int = 64,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeout_s = timeout_s
        self._connections = connections
        self._transport = transport
        self._clock = clock
        self._clients: dict[bool, httpx.Client] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def post(self, target: Target, body: bytes) -> Any:
        """Send ``body`` and return the reply's JSON value. Raises ``Fault``."""
        return self._exchange("POST", target, body)

    def get(self, target: Target) -> Any:
        """Fetch a JSON value. Raises ``Fault``."""
        return self._exchange("GET", target, None)

    def close(self) -> None:
        """Close all connections; requests under way fail with ``network``."""
        with self._lock:
            self._is_closed = True
            clients = list(self._clients.values())
        for client in clients:
            client.close()

    def _client(self, url: str) -> httpx.Client:
        """Return the client for ``url``, made when first needed. A server on this machine is never behind a proxy."""
        import httpx

        is_local = is_loopback_url(url)
        with self._lock:
            if self._is_closed:
                raise Fault("network", may_be_billed=False)
            client = self._clients.get(is_local)
            if client is None:
                client = self._clients[is_local] = httpx.Client(
                    timeout=self._timeout_s,
                    limits=httpx.Limits(max_connections=self._connections, max_keepalive_connections=self._connections),
                    transport=self._transport,
                    follow_redirects=False,
                    trust_env=not is_local,
                )
            return client

    def _exchange(self, method: str, target: Target, body: bytes | None) -> Any:
        import httpx

        deadline = self._clock() + self._timeout_s
        # Nothing packed is asked for: a small packed reply could be a huge one.
        headers = {"Accept-Encoding": "identity", **target.headers}
        if body is not None:
            headers["Content-Type"] = "application/json"
        client = self._client(target.url)
        try:
            with client.stream(method, target.url, content=body, headers=headers) as response:
                _refuse_status(response)
                data = self._read(response, deadline)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol) as error:
            code: FaultCode = "timeout" if isinstance(error, httpx.TimeoutException) else "network"
            raise Fault(code, may_be_billed=False) from None
        except httpx.TimeoutException:
            raise Fault("timeout", may_be_billed=True) from None
        except httpx.DecodingError:
            raise Fault("invalid_response", may_be_billed=True) from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, RuntimeError, OSError):
            # httpx reports a client that was closed meanwhile as RuntimeError.
            raise Fault("network", may_be_billed=True) from None
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise Fault("invalid_response", may_be_billed=True) from None

    def _read(self, response: httpx.Response, deadline: float) -> bytes:
        parts: list[bytes] = []
        size = 0
        for part in response.iter_bytes():
            size += len(part)
            if size > LARGEST_REPLY:
                raise Fault("invalid_response", may_be_billed=True)
            if self._clock() > deadline:
                raise Fault("timeout", may_be_billed=True)
            parts.append(part)
        return b"".join(parts)


def require_http_url(url: str) -> None:
    """Raise ``UsageError`` unless ``url`` is an absolute http or https address."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            "the judge's base URL is no http or https address", hint="for example https://api.openai.com/v1"
        )


def _refuse_status(response: httpx.Response) -> None:
    status = response.status_code
    if status == 200:
        return
    if status == 429:
        raise Fault("http_429", may_be_billed=False, retry_after_s=_asked_wait(response), status=status)
    if status >= 500:
        raise Fault("http_5xx", may_be_billed=False, retry_after_s=_asked_wait(response), status=status)
    if status >= 400:
        raise Fault("http_4xx", may_be_billed=False, status=status)
    raise Fault("invalid_response", may_be_billed=False)


def _asked_wait(response: httpx.Response) -> float | None:
    value = response.headers.get("Retry-After")
    if value is None or not value.strip().isascii() or not value.strip().isdigit() or len(value) > 9:
        return None
    return float(value)
