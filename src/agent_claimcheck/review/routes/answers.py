"""How routes read requests and answer: JSON in, JSON out, and an error code for everything that goes wrong.

A reader must not miss: an unexpected error is answered with its kind only and logged without its text, since the text of
an error may hold the text of a trace.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from agent_claimcheck.core.errors import ClaimcheckError, OutputError, UsageError
from agent_claimcheck.core.text import printable
from agent_claimcheck.review.store.query import SEVERAL, SINGLE, Filter

B = TypeVar("B")
Endpoint = Callable[[Request], Awaitable[Response]]

_LOG = logging.getLogger("agent_claimcheck.review")
_STATUS = {"not_found": 404, "leased": 409, "already_running": 409, "superseded": 409, "no_trace": 409}


def session_of(request: Request) -> str:
    """Return the session the guard found."""
    session: str = request.scope["session_id"]
    return session


def json_response(value: Any, status: int = 200) -> Response:
    """Return ``value`` as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def error_response(status: int, code: str, message: str) -> Response:
    """Return an error with a stable code and words for a person."""
    return json_response({"error": code, "message": message}, status)


def getting(answer: Callable[[Request], Response]) -> Endpoint:
    """Return an endpoint that runs ``answer`` in a thread."""

    async def endpoint(request: Request) -> Response:
        return await _guarded(lambda: answer(request))

    return endpoint


def posting(body_type: type[B], answer: Callable[[Request, B], Response]) -> Endpoint:
    """Return an endpoint that reads a JSON body and runs ``answer`` in a thread."""
    decoder = msgspec.json.Decoder(body_type)

    async def endpoint(request: Request) -> Response:
        try:
            body = decoder.decode(await request.body())
        except msgspec.ValidationError as error:
            return error_response(400, "invalid_body", printable(str(error)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return error_response(400, "invalid_json", "the body is not JSON")
        except ClientDisconnect:
            return Response(status_code=400)
        return await _guarded(lambda: answer(request, body))

    return endpoint


def filter_of(request: Request) -> Filter:
    """Read a filter from the address. Raises ``UsageError`` for a view or sort that does not exist."""
    query = request.query_params
    given: dict[str, Any] = {name: query[name] for name in ("view", "sort", "q") if query.get(name)}
    for name in (*SINGLE, *SEVERAL):
        values = tuple(value for value in query.getlist(name) if value)
        if values:
            given[name] = values
    try:
        return msgspec.convert(given, Filter)
    except msgspec.ValidationError as error:
        raise UsageError(printable(str(error)), slug="invalid_filter") from None


async def _guarded(answer: Callable[[], Response]) -> Response:
    try:
        return await run_in_threadpool(answer)
    except UsageError as error:
        return error_response(_STATUS.get(error.slug, 400), error.slug, printable(str(error)))
    except OutputError as error:
        return error_response(507, error.slug, printable(str(error)))
    except ClaimcheckError as error:
        return error_response(422, error.slug, printable(str(error)))
    except Exception as error:  # noqa: BLE001 - the HTTP route: the server must go on, and the text stays out of the log
        place = traceback.extract_tb(error.__traceback__)[-1]
        _LOG.error("%s in %s, line %s", type(error).__name__, place.name, place.lineno)
        return error_response(500, "internal", f"{type(error).__name__} in the server")
