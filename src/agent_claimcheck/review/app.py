"""The review server as one ASGI application.

A reader must not miss: files are served from a fixed list of names, so no path of a request ever reaches the disk.
"""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from agent_claimcheck.review.routes.answers import error_response
from agent_claimcheck.review.routes.decisions import decision_routes
from agent_claimcheck.review.routes.judging import judge_routes
from agent_claimcheck.review.routes.lists import list_routes
from agent_claimcheck.review.routes.traces import trace_routes
from agent_claimcheck.review.security import Guard, Policy
from agent_claimcheck.review.service import Service

STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def review_app(service: Service, policy: Policy) -> ASGIApp:
    """Return the application that serves ``service`` under ``policy``."""
    files = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in _TYPES}
    index = (STATIC / "index.html").read_bytes()

    async def page(request: Request) -> Response:
        return Response(index, media_type="text/html")

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        body = files.get(name)
        if body is None:
            return error_response(404, "not_found", "no such file")
        return Response(body, media_type=_TYPES[Path(name).suffix], headers={"cache-control": "no-cache"})

    async def missing(request: Request, error: Exception) -> Response:
        return error_response(404, "not_found", "no such address")

    async def wrong_method(request: Request, error: Exception) -> Response:
        return error_response(405, "method", "this method is not used here")

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name}", static),
            *list_routes(service),
            *trace_routes(service),
            *decision_routes(service),
            *judge_routes(service),
        ],
        exception_handlers={404: missing, 405: wrong_method},
    )
    return Guard(app, policy)
