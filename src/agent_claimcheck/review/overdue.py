"""Connections whose request does not come to its end in time are closed.

A reader must not miss: the server takes a few dozen connections at once, and a request that is half sent holds one. The
web server beneath bounds the rest between two requests only, so a handful of stuck clients would shut everybody out.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedProtocol(H11Protocol):
    """HTTP/1.1 that gives every request ``request_s`` seconds to arrive, head and body."""

    request_s: float = 15.0
    """A body has a few kilobytes at most, so any client that is alive is much faster."""

    _overdue: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait_or_not()

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request; the first piece of a further one begins to wait anew."""
        super().data_received(data)
        self._wait_or_not()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._forget()
        super().connection_lost(exc)

    def _wait_or_not(self) -> None:
        is_whole = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if is_whole or self.transport.is_closing():
            self._forget()
        elif self._overdue is None:
            self._overdue = self.loop.call_later(self.request_s, self.transport.close)

    def _forget(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None


def protocol_with(request_s: float) -> type[TimedProtocol]:
    """Return the protocol with another limit, in seconds."""
    return type("TimedProtocol", (TimedProtocol,), {"request_s": request_s})
