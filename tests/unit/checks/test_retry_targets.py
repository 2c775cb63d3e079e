"""Whether a later call of a tool is another try at the same thing."""

from __future__ import annotations

import pytest

from agent_claimcheck.checks.retry_targets import is_another_record, record_names


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({}, {}, None),
        ({"order": 42}, {"order": 43}, True),
        ({"order": 42, "amount": 9}, {"order": 42, "amount": 5}, False),
        ({"amount": 9}, {"amount": 5}, None),
        ({"order": 42}, {}, None),
        ({"customerId": "C-7"}, {"customerId": "C-8"}, True),
        ({"path": "notes.txt"}, {"path": "todo.txt"}, True),
        ({"user": "ann"}, {"user": "bob"}, True),
        ({"to": "ann@mail.example"}, {"to": "Ann@mail.example"}, False),
        ({"order": 42, "state": "open"}, {"order": 42, "state": "closed"}, False),
        ({"text": "call 1"}, {"text": "call 2"}, None),
        ({"command": "make test"}, {"command": "ls"}, True),
        ({"command": "cd app && make test -j4"}, {"command": "CI=1 make test"}, False),
        ({"command": ["git", "push"]}, {"command": ["git", "status"]}, True),
        ({"command": 7}, {"command": 8}, None),
        ({"注文": 42}, {"注文": 43}, True),
        ({"dry_run": True, "id": 1}, {"dry_run": False, "id": 1}, False),
    ],
)
def test_another_target_is_told_from_the_arguments(first: object, second: object, expected: bool | None) -> None:
    assert is_another_record(record_names(first), record_names(second)) is expected  # type: ignore[arg-type]


def test_record_names_leave_out_what_may_vary() -> None:
    assert record_names({"order": 42, "amount": 1, "text": "call 7"}) == {"order": "42"}
