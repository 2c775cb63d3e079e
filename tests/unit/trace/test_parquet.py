from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.trace.model import Trace

pa = pytest.importorskip("pyarrow", reason="needs the parquet extra")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    path = resolve_alias("example:mixed")
    assert path is not None
    return path.read_text().splitlines()


def write(path: Path, table) -> str:
    import pyarrow.parquet as parquet

    parquet.write_table(table, path)
    return str(path)


def read(name: str):
    return list(read_sources([name], SourceOptions()))


def plain(trace: Trace) -> tuple:
    return trace.trace_id, trace.task, trace.steps, trace.final_claim


@pytest.fixture(scope="module")
def expected() -> list[tuple]:
    return [plain(item) for item in read("example:mixed") if isinstance(item, Trace)]


@pytest.mark.parametrize("column", ["trace", "json"])
def test_a_column_of_json_text_is_read(tmp_path, texts, expected, column):
    name = write(tmp_path / "t.parquet", pa.table({"day": ["x"] * len(texts), column: texts}))
    found = read(name)
    assert [plain(item) for item in found] == expected
    assert [item.where.line for item in found] == list(range(1, len(texts) + 1))


def test_traces_as_columns_are_read(tmp_path, texts, expected):
    def narrow(text: str) -> dict:
        trace = json.loads(text)
        for step in trace["steps"]:
            if "args" in step:
                step["args"] = json.dumps(step["args"])
            for key in ("output", "error"):
                if step.get(key) is not None:
                    step[key] = json.dumps(step[key])
        trace.pop("meta", None)
        trace["ground_truth"].pop("details", None)
        trace["final_claim"]["claims"] = []
        return trace

    found = read(write(tmp_path / "t.parquet", pa.Table.from_pylist([narrow(text) for text in texts])))
    assert [item.trace_id for item in found] == [row[0] for row in expected]
    for item, (_, task, steps, final) in zip(found, expected, strict=True):
        assert item.task == task
        assert [step.args for step in item.steps] == [step.args for step in steps]
        assert item.final_claim.text == final.text


def test_bad_rows_are_problems_and_the_others_are_read(tmp_path, texts, expected):
    name = write(tmp_path / "t.parquet", pa.table({"trace": [texts[0], "{", None, texts[1]]}))
    found = read(name)
    assert [plain(item) for item in found if isinstance(item, Trace)] == expected[:2]
    assert {item.line for item in found if not isinstance(item, Trace)} == {2, 3}


def test_a_table_of_something_else_and_a_damaged_file_are_problems(tmp_path):
    (other,) = read(write(tmp_path / "t.parquet", pa.table({"a": [1]})))
    assert "a Parquet file needs a column trace" in other.message
    damaged = tmp_path / "d.parquet"
    damaged.write_bytes(b"PAR1" + b"x" * 100)
    (problem,) = read(str(damaged))
    assert "cannot be read" in problem.message


def test_maps_and_json_text_stand_for_objects(tmp_path, texts, expected):
    traces = [json.loads(text) for text in texts]
    columns = {name: [json.dumps(trace[name]) for trace in traces] for name in ("task", "steps", "final_claim")}
    table = pa.table({"trace_id": [trace["trace_id"] for trace in traces], **columns, "source": ["here"] * len(traces)})
    assert [plain(item) for item in read(write(tmp_path / "text.parquet", table))] == expected

    step = pa.struct(
        [(name, pa.string()) for name in ("ts", "role", "kind", "name")]
        + [("i", pa.int64()), ("args", pa.map_(pa.string(), pa.string()))]
    )
    rows = [
        {"i": i, "ts": f"2026-01-01T00:00:0{i}Z", "role": "agent", "kind": "tool_call", "name": "n", "args": args}
        for i, args in enumerate(([("guest", "Ada"), ("room", "7")], []))
    ]
    table = pa.table(
        {
            "trace_id": ["a"], "task": [json.dumps(traces[0]["task"])], "final_claim": ['{"text": "Done."}'],
            "steps": pa.array([rows], pa.list_(step)), "source": ["here"],
        }
    )  # fmt: skip
    (trace,) = read(write(tmp_path / "map.parquet", table))
    assert [step.args for step in trace.steps] == [{"guest": "Ada", "room": "7"}, {}]


def test_results_are_not_taken_for_traces(tmp_path):
    table = pa.table({"trace_id": ["a"], "verdict": ["verified"], "record": ["confirmed"], "reasons_json": ["[]"]})
    (problem,) = read(write(tmp_path / "results.parquet", table))
    assert "holds results of `check`" in problem.message


def test_a_text_that_is_json_by_its_type_is_read_as_what_it_says(tmp_path):
    """As DuckDB writes what it has read: arguments are a map whose values are JSON."""
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb, see requirements/optional.txt")
    path, out = resolve_alias("example:mixed"), tmp_path / "duck.parquet"
    duckdb.sql(f"copy (select * from read_json('{path}')) to '{out}' (format parquet)")
    (first, *_) = [item for item in read(str(out)) if isinstance(item, Trace)]
    (source, *_) = [item for item in read("example:mixed") if isinstance(item, Trace)]
    assert [step.args for step in first.steps] == [step.args for step in source.steps]
    assert [step.output for step in first.steps] == [step.output for step in source.steps]


def test_moments_finer_than_a_microsecond_are_told_or_read(tmp_path, texts):
    trace = json.loads(texts[0])
    steps = [{"i": 0, "ts": 1_767_225_600_000_000_001, "role": "agent", "kind": "message", "content": "Done."}]
    kind = pa.struct(
        [("i", pa.int64()), ("ts", pa.timestamp("ns", "UTC"))] + [(n, pa.string()) for n in ("role", "kind", "content")]
    )
    table = pa.table(
        {
            "trace_id": ["a"], "task": [json.dumps(trace["task"])], "final_claim": ['{"text": "Done."}'],
            "steps": pa.array([steps], pa.list_(kind)), "source": ["here"],
        }
    )  # fmt: skip
    (item,) = read(write(tmp_path / "fine.parquet", table))
    assert isinstance(item, Trace) or "reading stops here" in item.message
