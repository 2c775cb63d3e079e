from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.results.read import read_results
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.results.writers.contract import OutputSpec
from agent_claimcheck.results.writers.output import open_writer

pytest.importorskip("pyarrow", reason="needs the parquet extra")


@pytest.fixture
def written(tmp_path: Path, destination) -> Callable[..., Path]:
    def write(results) -> Path:
        path = tmp_path / "out.parquet"
        with open_writer(OutputSpec(format="parquet", path=path), destination) as writer:
            writer.begin()
            for result in results:
                writer.write(result)
            writer.end(Summary(), ExitDecision(code=0))
        return path

    return write


@pytest.fixture
def destination():
    import io

    from agent_claimcheck.results.writers.contract import Destination

    return Destination(sink=io.BytesIO())


def test_results_come_back_as_they_went(written):
    results = list(Checker("rules").check(load_traces("example:mixed")))
    back = list(read_results(written(results)))
    assert [encode_v2(result) for result in back] == [encode_v2(result) for result in results]


def test_no_results_make_a_file_with_columns_and_no_rows(written):
    assert list(read_results(written([]))) == []


def test_more_rows_than_one_group_are_all_there(written, build_result):
    path = written(build_result(trace_id=f"r{n}") for n in range(5000))
    assert [result.trace_id for result in read_results(path)] == [f"r{n}" for n in range(5000)]


def test_others_can_query_the_columns(written):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    path = written(Checker("rules").check(load_traces("example:mixed")))
    rows = duckdb.sql(f"select verdict, count(*) from '{path}' where len(claim_types) > 0 group by 1").fetchall()
    assert dict(rows)["false_success"] == 3
