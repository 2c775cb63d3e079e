"""Routes of one trace: what the inspector shows, the raw JSON, and the trace as a page of its own.

A reader must not miss: a label is sent only once a person has decided, and never as part of the trace.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.page.document import one_trace_page
from agent_claimcheck.results.page.present import present
from agent_claimcheck.results.page.shown import clean
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.review.routes.answers import getting, json_response, session_of
from agent_claimcheck.review.service import Service
from agent_claimcheck.review.store.store import Item
from agent_claimcheck.trace.write import to_builtins

_RAW_LIMIT = 3_000_000
"""Characters of raw JSON that are shown."""
_INDENTED_LIMIT = 1_000_000
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def trace_routes(service: Service) -> list[Route]:
    """Return the routes."""

    def trace(request: Request) -> Response:
        item = _item(service, request)
        page = present(item.result, item.trace)
        page["review"] = review_state(item)
        standing = service.desk.leases.in_the_way(item.result.trace_id, session_of(request))
        if standing is not None:
            page["held_by"] = printable(standing.name) or "another reviewer"
        return json_response(page)

    def raw(request: Request) -> Response:
        item = _item(service, request)
        shown: dict[str, Any] = {"result": msgspec.Raw(encode_v2(item.result))}
        if item.trace is not None:
            shown = {"trace": to_builtins(replace(item.trace, meta=None, ground_truth=None), "v2"), **shown}
        data = encode(shown)
        text = (msgspec.json.format(data, indent=2) if len(data) <= _INDENTED_LIMIT else data).decode("utf-8")
        return json_response({"text": clean(shorten(text, _RAW_LIMIT))})

    def report(request: Request) -> Response:
        item = _item(service, request)
        name = _UNSAFE.sub("-", item.result.trace_id).strip(".-")[:80] or "trace"
        headers = {"content-disposition": f'attachment; filename="{name}.html"'}
        return Response(one_trace_page(item.result, item.trace), media_type="text/html", headers=headers)

    return [
        Route("/api/trace", getting(trace)),
        Route("/api/raw", getting(raw)),
        Route("/api/report", getting(report)),
    ]


def review_state(item: Item) -> dict[str, Any]:
    """Return the decision that stands and its number, the earlier ones, and the label if there was a decision."""
    state: dict[str, Any] = {"status": item.status, "can_decide": item.trace is not None}
    if not item.decisions:
        return state
    seq, last = item.decisions[-1]
    state["seq"] = seq
    state["decision"] = {
        "decision": last.decision,
        "note": clean(last.note),
        "failure_kind": last.failure_kind,
        "reviewer": clean(last.reviewer),
        "reviewed_at": clean(last.reviewed_at),
    }
    state["earlier"] = len(item.decisions) - 1
    if item.status == "reviewed" and item.label is not None:
        state["label"] = {"outcome": item.label.outcome, "checked_by": item.label.checked_by}
    return state


def _item(service: Service, request: Request) -> Item:
    trace_id = request.query_params.get("id", "")
    if not trace_id:
        raise UsageError("no trace was named", slug="missing_id")
    item = service.store.item(trace_id)
    if item is None:
        raise UsageError("no such trace", slug="not_found")
    return item
