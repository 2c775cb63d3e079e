"""Listens on a socket and serves the review page until it is stopped.

A reader must not miss: requests are not logged, since addresses hold the ids of traces and what people searched for.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.core.text import printable
from agent_claimcheck.review.app import review_app
from agent_claimcheck.review.overdue import TimedProtocol, protocol_with
from agent_claimcheck.review.scoring import ScoringPlan
from agent_claimcheck.review.security import Policy, policy_for
from agent_claimcheck.review.service import Service, open_service

_CONNECTIONS = 64
_IDLE_S = 30
_STOP_S = 3


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises ``UsageError`` when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or the event loop leaves small answers waiting for an acknowledgement (40 ms each).
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot listen on {printable(host)}:{port}: {reason}",
            hint="another --port, or 0 for any free one",
            slug="port",
        ) from None
    return listening


def _address_of(policy: Policy) -> str:
    """Return the address to open, with the token where one is needed."""
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(policy.host, policy.host)  # noqa: S104 - compared with, not bound to
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{policy.port}" + (f"/?token={policy.token}" if policy.token else "")


def server_for(service: Service, policy: Policy, *, request_s: float = TimedProtocol.request_s) -> uvicorn.Server:
    """Return the server that answers for ``service``; it is run on a listening socket.

    A request must have arrived ``request_s`` seconds after it began.
    """
    config = uvicorn.Config(
        review_app(service, policy),
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        lifespan="off",
        http=protocol_with(request_s),
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=_STOP_S,
    )
    return uvicorn.Server(config)


def serve(
    plan: ScoringPlan,
    *,
    host: str,
    port: int,
    store_file: Path,
    reviews_file: Path,
    reports: tuple[Path, ...] = (),
    on_ready: Callable[[str, Service], None],
) -> None:
    """Serve until interrupted. ``on_ready`` gets the address to open once it can be opened.

    Raises ``UsageError`` for an address that cannot be had, for ``results`` and ``reports`` that are none, ``InputError``
    where no trace can be read, and what ``open_service`` raises.
    """
    plan.need_results()
    for place in reports:
        if not place.exists():
            raise UsageError(
                f"--reports {printable(str(place))}: no such folder",
                hint="name one that `bench --out` or `train --out` wrote",
                slug="reports",
            )
    listening = listen(host, port)
    with listening:
        policy = policy_for(host, listening.getsockname()[1])
        with open_service(plan, store_file=store_file, reviews_file=reviews_file, reports=reports) as service:
            if not service.scoring.has_traces():
                raise InputError("no valid traces, so there is nothing to review")
            on_ready(_address_of(policy), service)
            # The server winds up on either signal and passes it on; both are the ordinary way to end it.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with suppress(KeyboardInterrupt):
                server_for(service, policy).run(sockets=[listening])
