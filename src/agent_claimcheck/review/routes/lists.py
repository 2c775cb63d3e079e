"""Routes of the lists: the state of the server, one page of a list, the results as a download."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from agent_claimcheck.core.text import printable
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.review.routes.answers import filter_of, getting, json_response, session_of
from agent_claimcheck.review.service import Service
from agent_claimcheck.review.store.query import PAGE, Filter

_SHOWN_INPUTS = 20


def list_routes(service: Service) -> list[Route]:
    """Return the routes."""

    def state(request: Request) -> Response:
        service.desk.refresh()
        counters = service.store.counters()
        statuses = counters.pop("status", {})
        return json_response(
            {
                "inputs": [printable(name) for name in service.plan.inputs[:_SHOWN_INPUTS]],
                "total": sum(statuses.values()),
                "queue": statuses.get("open", 0),
                "reviewed": statuses.get("reviewed", 0),
                "overview": _overview(counters.pop("overview", {})),
                "counters": counters,
                "scoring": service.scoring.progress(),
                "detector": service.plan.spec.detector,
                "thresholds": {
                    "verified": service.plan.spec.thresholds.verified,
                    "false_success": service.plan.spec.thresholds.false_success,
                },
                "judge_configured": not service.judge.unconfigured(),
                "judge": service.judge.progress(),
                "reviews_file": printable(str(service.desk.reviews.path)),
                "has_reports": bool(service.reports),
            }
        )

    def queue(request: Request) -> Response:
        wanted = filter_of(request)
        limit = _limit(request)
        found = service.store.page(wanted, request.query_params.get("after"), limit)
        held = service.desk.leases.held_by_others(session_of(request))
        for row in found.rows:
            if row["trace_id"] in held:
                row["held_by"] = printable(held[row["trace_id"]]) or "another reviewer"
        total = service.store.count(wanted) if "after" not in request.query_params else None
        return json_response({"items": found.rows, "after": found.after, "total": total})

    def results(request: Request) -> Response:
        headers = {"content-disposition": 'attachment; filename="claimcheck-results.jsonl"'}
        lines = _lines(service, filter_of(request))
        return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)

    return [
        Route("/api/state", getting(state)),
        Route("/api/queue", getting(queue)),
        Route("/api/results", getting(results)),
    ]


def _limit(request: Request) -> int:
    given = request.query_params.get("limit", "")
    return min(200, max(1, int(given))) if given.isascii() and given.isdigit() and len(given) < 5 else PAGE


def _lines(service: Service, wanted: Filter) -> Iterator[bytes]:
    for _, result in service.store.each(wanted):
        yield encode_v2(result) + b"\n"


def _overview(counts: dict[str, int]) -> dict[str, Any]:
    """Return verdict -> domain -> number."""
    table: dict[str, dict[str, int]] = {}
    for key, number in counts.items():
        verdict, _, domain = key.partition(" ")
        table.setdefault(verdict, {})[domain] = number
    return table
