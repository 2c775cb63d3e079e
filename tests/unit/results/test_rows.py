from __future__ import annotations

from collections.abc import Callable

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.rows import COLUMNS, result_row, row_result
from agent_claimcheck.results.v2 import encode_v2

Build = Callable[..., CheckResult]


@pytest.fixture(scope="module")
def results() -> list[CheckResult]:
    return list(Checker("rules").check(load_traces("example:mixed")))


def test_a_row_holds_the_whole_result(results):
    for result in results:
        row = result_row(result)
        assert list(row) == list(COLUMNS)
        assert encode_v2(row_result(row)) == encode_v2(result)


def test_a_row_is_flat_and_its_columns_can_be_queried(results):
    row = result_row(next(result for result in results if result.verdict == "false_success"))
    assert not [name for name, value in row.items() if isinstance(value, dict | tuple)]
    assert row["claim_types"]
    assert row["tools"] == sorted(row["tools"])
    assert row["top_reason"]


def test_text_that_no_table_can_hold_is_replaced(build_result: Build):
    row = result_row(build_result(trace_id="a\ud800b"))
    assert row["trace_id"].encode("utf-8")


def test_a_row_of_something_else_is_refused():
    with pytest.raises(InputError, match="is no result"):
        row_result({"trace_id": 7})
