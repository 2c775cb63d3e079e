"""Who may talk to the server, and what a browser may do with its answers.

A reader must not miss: on a loopback address any browser of this machine may open the page, and the first load gives it a
session; on any other address nothing is served without the token that was printed. The checks of ``Host`` and ``Origin``
keep other web sites out, the content security policy keeps trace text from becoming anything but text.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections import OrderedDict
from urllib.parse import parse_qs

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 8192
"""Bytes of a request's body."""
_QUERY_LIMIT = 8192
_MOST_SESSIONS = 1000
_METHODS = ("GET", "HEAD", "POST")

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)
_OWN_SITES = ("", "same-origin", "none")


class Policy(Struct, frozen=True, kw_only=True):
    """Where the server listens. ``token`` is ``None`` on a loopback address."""

    host: str
    port: int
    token: str | None = None

    @property
    def cookie(self) -> str:
        """The name of the session cookie; cookies do not tell ports apart, so the name does."""
        return f"claimcheck_{self.port}"

    def allows_host(self, host: str) -> bool:
        """Return whether a ``Host`` header names this server. Behind a token any name may; the token proves more."""
        if self.token is not None:
            return bool(host)
        names = {f"127.0.0.1:{self.port}", f"localhost:{self.port}", f"[::1]:{self.port}", f"{self.host}:{self.port}"}
        return host.lower() in names


def policy_for(host: str, port: int) -> Policy:
    """Return the policy for listening at ``host``: a fresh token unless it is a loopback address."""
    return Policy(host=host, port=port, token=None if is_loopback(host) else secrets.token_urlsafe(24))


def is_loopback(host: str) -> bool:
    """Return whether ``host`` can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Sessions:
    """The sessions that were given out; the oldest go when there are too many."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def new(self) -> str:
        """Return a new session id."""
        session = secrets.token_urlsafe(24)
        self._known[session] = None
        if len(self._known) > _MOST_SESSIONS:
            self._known.popitem(last=False)
        return session

    def __contains__(self, session: object) -> bool:
        return session in self._known


class _Refusal(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Guard:
    """ASGI middleware that lets through what the policy allows. The session id lies in ``scope["session_id"]``."""

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        self._app = app
        self._policy = policy
        self._sessions = Sessions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        cookies: list[bytes] = []

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                added = [(name, value) for name, value in _HEADERS if name not in given]
                message["headers"] = [*message["headers"], *added, *((b"set-cookie", value) for value in cookies)]
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check_request(scope, headers)
            session = self._session_of(headers)
            if session is None:
                session = self._first_load(scope)
                cookies.append(f"{self._policy.cookie}={session}; Path=/; HttpOnly; SameSite=Strict".encode())
                if self._policy.token is not None:
                    await _redirect(send_safely)
                    return
            scope["session_id"] = session
        except _Refusal as refusal:
            await _refuse(refusal, send_safely)
            return
        await self._app(scope, receive, send_safely)

    def _check_request(self, scope: Scope, headers: dict[str, str]) -> None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = headers.get("host", "")
        if len(hosts) != 1 or not self._policy.allows_host(host):
            raise _Refusal(403, "host", "this server does not go by that name")
        if scope["method"] not in _METHODS:
            raise _Refusal(405, "method", "this method is not used here")
        if len(scope["query_string"]) > _QUERY_LIMIT:
            raise _Refusal(414, "too_long", "the address is too long")
        if "transfer-encoding" in headers:
            raise _Refusal(400, "transfer_encoding", "a body must come with its length")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise _Refusal(400, "invalid_length", "the length of the body is no number")
        if len(length) > 9 or int(length) > BODY_LIMIT:
            raise _Refusal(413, "too_large", f"a body may have {BODY_LIMIT} bytes")
        is_page = scope["path"] == "/"
        if not is_page and headers.get("sec-fetch-site", "") not in _OWN_SITES:
            raise _Refusal(403, "origin", "only the page itself may ask")
        if scope["method"] == "POST":
            if headers.get("origin") not in (f"http://{host}", f"https://{host}"):
                raise _Refusal(403, "origin", "only the page itself may ask")
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                raise _Refusal(415, "content_type", "a body must be application/json")

    def _session_of(self, headers: dict[str, str]) -> str | None:
        # Split here and not by ``http.cookies``, which takes seconds for a long value of backslashes. Session ids are
        # never quoted, and this comes before anybody has shown who they are.
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self._policy.cookie and value in self._sessions:
                return value
        return None

    def _first_load(self, scope: Scope) -> str:
        """Return a new session for a first load of the page; anything else without a session is refused."""
        if scope["path"] != "/" or scope["method"] == "POST":
            raise _Refusal(401, "no_session", "open the page first")
        token = self._policy.token
        if token is not None:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if not hmac.compare_digest(given.encode(), token.encode()):
                raise _Refusal(
                    403, "token", "open the address that was printed when the server started; it holds a token"
                )
        return self._sessions.new()


async def _refuse(refusal: _Refusal, send: Send) -> None:
    body = msgspec.json.encode({"error": refusal.code, "message": str(refusal)})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send) -> None:
    """Go to the page without the token, so that it stays out of the history and of links that are passed on."""
    await send(
        {"type": "http.response.start", "status": 303, "headers": [(b"location", b"/"), (b"content-length", b"0")]}
    )
    await send({"type": "http.response.body", "body": b""})
