"""Asks one HTTP API for one record: GET, one host, declared headers.

A reader must not miss: only the origin of ``base_url`` is ever asked; a redirect elsewhere ends the reading. Values are
percent-encoded, so they cannot add a path segment or a query parameter. Proxy settings and ``.netrc`` are not used.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from agent_claimcheck.evidence.values.payload import ABSENT
from agent_claimcheck.pipeline.probes_run.definition import HttpRead, Limits
from agent_claimcheck.pipeline.probes_run.parameters import TypedValue
from agent_claimcheck.pipeline.probes_run.reading import NotFound, Reading, Unavailable, found, json_or_none, taken

if TYPE_CHECKING:
    import httpx

_MISSING = (404, 410)
_MOST_REDIRECTS = 3


class HttpReader:
    """Sends the request of one probe. ``headers`` are complete, secrets included. Safe to use from several threads."""

    def __init__(self, action: HttpRead, headers: Mapping[str, str], limits: Limits) -> None:
        import httpx

        self._action = action
        self._limits = limits
        asked = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "agent-claimcheck",
            **headers,
        }
        self._client = httpx.Client(headers=asked, timeout=limits.timeout_s, follow_redirects=False, trust_env=False)

    def read(self, values: Mapping[str, TypedValue]) -> Reading:
        """Return what the server answered. Raises ``NotFound`` or ``Unavailable``."""
        import httpx

        try:
            status, body = self._get(request_url(self._action, values), request_query(self._action, values))
        except httpx.TimeoutException:
            raise Unavailable(f"timed out after {self._limits.timeout_s:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise Unavailable("no connection to the server", f"{type(error).__name__}: {error}") from None
        if status in _MISSING:
            raise NotFound(f"HTTP {status}")
        if not 200 <= status < 300:
            raise Unavailable(f"the server answered HTTP {status}", body.decode("utf-8", "replace"))
        value = json_or_none(body)
        if value is ABSENT:
            if self._action.take:
                raise Unavailable("the answer is no JSON that can be read")
            return found({"status": status, "text": body.decode("utf-8", "replace")})
        value = taken(value, self._action.take)
        if value in (None, {}, []):
            raise NotFound("the answer is empty")
        return found(value)

    def close(self) -> None:
        """Close the connections that were kept open."""
        self._client.close()

    def _get(self, url: str, query: Sequence[tuple[str, str]]) -> tuple[int, bytes]:
        deadline = time.monotonic() + self._limits.timeout_s
        request: httpx.Request | None = self._client.build_request("GET", url, params=tuple(query) or None)
        for _ in range(_MOST_REDIRECTS + 1):
            assert request is not None
            response = self._client.send(request, stream=True)
            try:
                request = response.next_request
                if request is None:
                    return response.status_code, self._body(response, deadline)
            finally:
                response.close()
            if origin(str(request.url)) != origin(self._action.base_url):
                raise Unavailable("the server redirected to another host")
        raise Unavailable("the server redirected too often")

    def _body(self, response: httpx.Response, deadline: float) -> bytes:
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise Unavailable("the server compressed its answer although it was asked not to")
        body = bytearray()
        for piece in response.iter_raw():
            body += piece
            if len(body) > self._limits.max_output_bytes:
                raise Unavailable(f"the answer is larger than {self._limits.max_output_bytes} bytes")
            if time.monotonic() > deadline:
                raise Unavailable(f"timed out after {self._limits.timeout_s:g} s")
        return bytes(body)


def origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of ``url``."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def request_url(action: HttpRead, values: Mapping[str, TypedValue]) -> str:
    """Return the URL without its query. Raises ``Unavailable`` when a value would climb out of the path."""
    written = {}
    for name in action.path.params:
        text = str(values[name])
        if ".." in text.replace("\\", "/").split("/"):
            raise Unavailable("a value would climb out of the path")
        written[name] = quote(text, safe="")
    path = action.path.fill(written)
    if any(segment in (".", "..") for segment in path.split("/")):
        raise Unavailable("a value would climb out of the path")
    return action.base_url.rstrip("/") + "/" + path.lstrip("/")


def request_query(action: HttpRead, values: Mapping[str, TypedValue]) -> list[tuple[str, str]]:
    """Return the query parameters."""
    texts = {name: str(value) for name, value in values.items()}
    return [(name, slotted.fill(texts)) for name, slotted in action.query]
