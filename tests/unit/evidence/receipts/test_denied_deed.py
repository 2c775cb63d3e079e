from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.receipts.denied_deed import denied_deed, told_deed


@pytest.mark.parametrize(
    ("words", "body", "key"),
    [
        (("merge", "pr"), {"merged": False, "message": "conflict"}, "merged"),
        (("cancel", "order"), {"canceled": False}, "canceled"),
        (("cancel", "order"), {"cancelled": False}, "cancelled"),
        (("send", "sms"), {"sent": False, "to": "Bo"}, "sent"),
        (("delete", "row"), {"isDeleted": False}, "isDeleted"),
        (("gallery", "delete", "photo"), {"was_deleted": False}, "was_deleted"),
        (("merge", "pr"), {"merged": True}, None),
        (("merge", "pr"), {"merged": None}, None),
        (("merge", "pr"), {"draft": False}, None),
        (("send", "mail"), {"sent": False, "queued": True}, None),
        (("cancel", "plan"), {"cancelled": False, "cancel_at": "2026-06-01"}, None),
        (("publish", "post"), {"published": False, "scheduled_for": "2026-06-01"}, None),
        (("delete", "row"), {"deleted": False, "job": "j-7"}, None),
        (("delete", "row"), {"deleted": False, "deleteAt": None}, "deleted"),
        (("send", "mail"), {"sent": False, "draft_id": "d-1"}, None),
        (("merge", "pr"), {"merged": False, "auto_merge": {"by": "me"}}, None),
        (("cancel", "order"), {"cancelled": False, "order_id": 7, "reason": "shipped"}, "cancelled"),
        (("create", "user"), {"created": False, "id": 5}, None),
        (("update", "user"), {"updated": False}, None),
        (("get", "pr"), {"merged": False}, None),
        (("merge", "pr"), {}, None),
        ((), {"merged": False}, None),
    ],
)
def test_the_deed_that_a_tool_is_named_after(words: tuple[str, ...], body: dict[str, Any], key: str | None) -> None:
    assert denied_deed(body, words) == key


@pytest.mark.parametrize(
    ("words", "body", "key"),
    [
        (("update", "owner"), {"updated": True, "owner_id": "O-7"}, "updated"),
        (("cancel", "order"), {"isCanceled": True}, "isCanceled"),
        (("send", "sms"), {"sent": True}, "sent"),
        (("mark", "restocked"), {"shelf": "S-4", "restocked": True}, "restocked"),
        (("update", "owner"), {"updated": "yes"}, None),
        (("update", "owner"), {"updated": 1}, None),
        (("update", "owner"), {"deleted": True}, None),
        (("get", "owner"), {"updated": True}, None),
        ((), {"updated": True}, None),
    ],
)
def test_the_deed_that_a_result_tells(words: tuple[str, ...], body: dict[str, Any], key: str | None) -> None:
    assert told_deed(body, words) == key
