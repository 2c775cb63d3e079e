"""Routes that decide: a review, its undoing, a lease, and the reviews file as a download."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from agent_claimcheck.core.text import printable
from agent_claimcheck.results.reviews import Decision
from agent_claimcheck.review.routes.answers import getting, json_response, posting, session_of
from agent_claimcheck.review.routes.traces import review_state
from agent_claimcheck.review.service import Service


class ReviewBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the page sends to decide."""

    trace_id: str
    decision: Literal["verified", "false_success"]
    note: str = ""
    failure_kind: str = ""
    reviewer: str = ""


class UndoBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the page sends to undo decision number ``seq``."""

    trace_id: str
    seq: int


class LeaseBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the page sends when a reviewer opens an item; without ``trace_id`` when none is open any more."""

    trace_id: str = ""
    reviewer: str = ""


def decision_routes(service: Service) -> list[Route]:
    """Return the routes."""
    desk = service.desk

    def review(request: Request, body: ReviewBody) -> Response:
        decision = Decision(
            trace_id=body.trace_id,
            decision=body.decision,
            note=body.note.strip(),
            failure_kind=body.failure_kind,
            reviewer=body.reviewer.strip(),
        )
        return json_response({"review": review_state(desk.decide(session_of(request), decision))})

    def undo(request: Request, body: UndoBody) -> Response:
        return json_response({"review": review_state(desk.undo(body.trace_id, body.seq))})

    def lease(request: Request, body: LeaseBody) -> Response:
        session = session_of(request)
        if not body.trace_id:
            desk.leases.release(session)
            return json_response({"held_by": None})
        standing = desk.leases.take(body.trace_id, session, body.reviewer.strip()[:80])
        return json_response({"held_by": (printable(standing.name) or "another reviewer") if standing else None})

    def reviews(request: Request) -> Response:
        path = desk.reviews.path
        headers = {"content-disposition": 'attachment; filename="claimcheck-reviews.jsonl"'}
        if not path.is_file():
            return Response(b"", media_type="application/x-ndjson", headers=headers)
        return FileResponse(path, media_type="application/x-ndjson", headers=headers)

    return [
        Route("/api/review", posting(ReviewBody, review), methods=["POST"]),
        Route("/api/undo", posting(UndoBody, undo), methods=["POST"]),
        Route("/api/lease", posting(LeaseBody, lease), methods=["POST"]),
        Route("/api/reviews", getting(reviews)),
    ]
