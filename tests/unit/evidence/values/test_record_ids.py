from __future__ import annotations

from typing import Any

from agent_claimcheck.evidence.values.record_ids import id_fields, record_ids


def test_first_id_of_each_name_counts_down_to_three_levels() -> None:
    value = {"eventId": "E1", "data": {"event_id": "e2", "a": {"slug": "S", "b": {"path": "deep"}}}, "ids": ["x"]}
    assert record_ids(value) == {"event_id": "e1", "slug": "s"}


def test_ids_of_the_sender_or_of_the_request_name_no_record() -> None:
    assert record_ids({"request_id": "r", "user_id": "u", "order_id": 7, "is_paid": True}) == {"order_id": "7"}


def test_json_in_a_text_is_opened() -> None:
    assert record_ids('{"order_id": "W1"}') == {"order_id": "w1"}
    assert record_ids("order_id") == record_ids(None) == record_ids([1]) == {}


def test_all_ids_of_a_list_of_records_are_found() -> None:
    found = id_fields({"rows": [{"id": "A"}, {"id": "b", "owner": {"id": 3}}], "id": None})
    assert found == {"id": {"a", "b", "3"}}


def test_deep_and_wide_values_are_cut_not_refused() -> None:
    deep: Any = {"id": "bottom"}
    for _ in range(50_000):
        deep = [deep]
    assert id_fields(deep) == {"id": {"bottom"}}
    assert len(id_fields([{"id": f"r{number}"} for number in range(50_000)])["id"]) == 20_000
