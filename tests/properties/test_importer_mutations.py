"""Mutated files give traces or clear problems, never a crash. The long run is ``benchmarks/importer_fuzz.py``."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_claimcheck.importers.catalog import IMPORTERS, load
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.importers.documents import Row, iter_rows
from agent_claimcheck.importers.head import HEAD_BYTES
from agent_claimcheck.importers.sniff import recognise
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.write import to_json

CASES = Path(__file__).parents[1] / "cases" / "importers"
INPUTS = sorted(path for path in CASES.glob("*/*/input.*") if path.suffix != ".eval")

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("\ud800")
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def read(data: bytes, name: str, options: ImportOptions) -> None:
    seen: set[str] = set()
    items = list(load(name).read(io.BytesIO(data), file="mutant", options=options))
    assert isinstance(items[-1], ImportNote)
    assert len(items) > 1
    for item in items[:-1]:
        assert not isinstance(item, ImportNote)
        if isinstance(item, Trace):
            assert item.trace_id not in seen
            seen.add(item.trace_id)
            to_json(item, "v2")
        else:
            assert item.message


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += spots(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += spots(inner, (*path, index))
    return found


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_a_value_of_any_type_anywhere_does_no_harm(path: Path, draw: st.DataObject) -> None:
    rows = [row.value for row in iter_rows(io.BytesIO(path.read_bytes()), "case") if isinstance(row, Row)]
    row = draw.draw(st.integers(0, len(rows) - 1))
    spot = draw.draw(st.sampled_from(spots(rows[row])))
    rows[row] = replaced(rows[row], spot, draw.draw(anything))
    name = path.parent.parent.name
    options = ImportOptions(
        labels=True, infer_status="text", subagents=draw.draw(st.sampled_from(["separate", "inline"]))
    )
    read("\n".join(json.dumps(item) for item in rows).encode("utf-8", "replace"), name, options)
    read(json.dumps(rows).encode("utf-8", "replace"), name, options)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1))
def test_a_file_cut_anywhere_does_no_harm(path: Path, cut: float) -> None:
    data = path.read_bytes()
    part = data[: int(len(data) * cut)]
    recognise(part[:HEAD_BYTES])
    read(part, path.parent.parent.name, ImportOptions())


@settings(max_examples=150)
@given(value=anything, name=st.sampled_from(sorted(IMPORTERS)))
def test_any_json_at_all_is_read_by_any_importer(value: Any, name: str) -> None:
    data = json.dumps(value).encode("utf-8", "replace")
    recognise(data)
    read(data, name, ImportOptions())


@settings(max_examples=150)
@given(data=st.binary(max_size=200), name=st.sampled_from(sorted(IMPORTERS)))
def test_any_bytes_at_all_are_read_by_any_importer(data: bytes, name: str) -> None:
    recognise(data)
    read(data, name, ImportOptions())
