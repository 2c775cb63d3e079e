"""Routes of the judge panel and of the reports view."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from agent_claimcheck.review.reports import read_reports
from agent_claimcheck.review.routes.answers import filter_of, getting, json_response, posting
from agent_claimcheck.review.service import Service
from agent_claimcheck.review.store.query import Filter

_EVERY_S = 0.25
_ENDED = ("idle", "done", "failed", "cancelled")


class RunBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the judge is asked about: the items of ``trace_ids``, or all that match ``filter``."""

    trace_ids: list[str] | None = None
    filter: Filter = Filter()


class CancelBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which run to stop."""

    run_id: str


def judge_routes(service: Service) -> list[Route]:
    """Return the routes."""
    judge = service.judge

    def ids_of(trace_ids: Sequence[str] | None) -> list[int] | None:
        return None if trace_ids is None else service.store.ids_of(trace_ids)

    def estimate(request: Request) -> Response:
        named = request.query_params.getlist("id")
        return json_response(judge.estimate(filter_of(request), ids_of(named or None)))

    def run(request: Request, body: RunBody) -> Response:
        return json_response({"run_id": judge.start(body.filter, ids_of(body.trace_ids))})

    def cancel(request: Request, body: CancelBody) -> Response:
        if judge.progress()["run_id"] == body.run_id:
            judge.cancel()
        return json_response(judge.progress())

    def status(request: Request) -> Response:
        return json_response({"unconfigured": judge.unconfigured(), "run": judge.progress()})

    async def events(request: Request) -> Response:
        return StreamingResponse(_events(service, request), media_type="text/event-stream")

    def reports(request: Request) -> Response:
        return json_response({"reports": read_reports(service.reports)})

    return [
        Route("/api/judge", getting(status)),
        Route("/api/judge/estimate", getting(estimate)),
        Route("/api/judge/run", posting(RunBody, run), methods=["POST"]),
        Route("/api/judge/cancel", posting(CancelBody, cancel), methods=["POST"]),
        Route("/api/judge/events", events),
        Route("/api/reports", getting(reports)),
    ]


async def _events(service: Service, request: Request) -> AsyncIterator[bytes]:
    """Yield the progress of the run the page follows whenever it changes, then how it ended."""
    run_id = request.query_params.get("run", "")
    before: object = None
    while not await request.is_disconnected():
        run = service.judge.progress()
        is_over = run["run_id"] != run_id or run["state"] in _ENDED
        if run != before or is_over:
            before = run
            yield b"event: %s\ndata: %s\n\n" % (b"end" if is_over else b"progress", msgspec.json.encode(run))
        if is_over:
            return
        await asyncio.sleep(_EVERY_S)
