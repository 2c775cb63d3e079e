"""Files of any layout come out as a stream of values, and a bad value never costs the others."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from agent_claimcheck.importers.documents import Row, iter_members, iter_rows
from agent_claimcheck.importers.head import Head, complete_prefix
from agent_claimcheck.trace.model import TraceProblem


class Drip(io.BytesIO):
    """A stream that hands out a few bytes at a time, as a pipe may."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(3)

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(3)


def values(data: bytes, stream: type[io.BytesIO] = io.BytesIO) -> list[Any]:
    return [row.value if isinstance(row, Row) else str(row) for row in iter_rows(stream(data), "f")]


def members(data: bytes, *keys: str, stream: type[io.BytesIO] = io.BytesIO) -> list[Any]:
    found = iter_members(stream(data), "f", keys)
    return [(item[0], item[1].value) if not isinstance(item, TraceProblem) else str(item) for item in found]


NASTY = [{"a": 'quote " and \\ and }]'}, {"b": [1, {"c": "[{"}]}, {"é": []}]


@pytest.mark.parametrize("stream", [io.BytesIO, Drip])
@pytest.mark.parametrize("indent", [None, 1])
def test_elements_of_one_array_come_one_by_one(stream: type[io.BytesIO], indent: int | None) -> None:
    assert values(json.dumps(NASTY, indent=indent).encode(), stream) == NASTY


@pytest.mark.parametrize("stream", [io.BytesIO, Drip])
def test_lines_and_concatenated_objects(stream: type[io.BytesIO]) -> None:
    assert values("\n".join(json.dumps(item) for item in NASTY).encode(), stream) == NASTY
    assert values("\n".join(json.dumps(item, indent=2) for item in NASTY).encode(), stream) == NASTY


def test_a_bad_line_is_named_and_the_rest_is_read() -> None:
    assert values(b'{"a":1}\n{"a":\n{"a":3}\n') == [
        {"a": 1},
        "f:2: is not JSON: it ends too early, after column 5",
        {"a": 3},
    ]


def test_a_cut_document_gives_its_whole_members_and_a_problem() -> None:
    assert values(b'[{"a":1},{"b":2},{"c":') == [{"a": 1}, {"b": 2}, "f: the document ends in the middle"]
    assert values(b'{\n"a": [1, 2],\n"b": {"c": "unfin') == [
        "f: the document ends in the middle",
        {"a": [1, 2], "b": {}},
    ]


def test_byte_order_marks_and_utf_16_are_read() -> None:
    assert values(b'\xef\xbb\xbf{"a": 1}') == [{"a": 1}]
    assert values('[{"a": "\u00e9"}]'.encode("utf-16")) == [{"a": "\u00e9"}]


def test_nan_and_lone_surrogates_are_tamed() -> None:
    warned, value = values(b'{"a": NaN, "b": "\\ud800x"}')
    assert value == {"a": "NaN", "b": "\ufffdx"}
    assert warned.startswith("f:1: warning: holds NaN")


def test_deep_nesting_is_a_problem_not_a_crash() -> None:
    assert values(b'{"a": 1}\n' + b"[" * 100_000 + b"\n") == [{"a": 1}, "f:2: nested too deeply"]


@pytest.mark.parametrize("stream", [io.BytesIO, Drip])
def test_named_arrays_inside_one_object_are_streamed_between_two_looks_at_the_rest(stream: type[io.BytesIO]) -> None:
    data = json.dumps({"info": {"runs": [9]}, "runs": NASTY, "end": [1]}).encode()
    found = members(data, "runs", stream=stream)
    assert found[0] == (None, {"info": {"runs": [9]}, "runs": []})
    assert found[1:-1] == [("runs", item) for item in NASTY]
    assert found[-1] == (None, {"info": {"runs": [9]}, "runs": [], "end": [1]})


def test_a_cut_prefix_is_closed_after_its_last_whole_member() -> None:
    assert complete_prefix(b'{"a": [1, {"b": 2}, {"c": "unfini') == b'{"a": [1, {"b": 2}, {}]}'
    assert complete_prefix(b'{"key": "val') == b"{}"


def test_a_head_that_ends_in_the_middle_still_shows_its_keys() -> None:
    data = json.dumps({"info": {"environment_info": {"policy": "x" * 1000}}, "tasks": [{"id": 1}] * 500}).encode()
    head = Head(data[:3000])
    assert head.layout == "object"
    assert head.has("info", "tasks")


@pytest.mark.parametrize(
    ("data", "layout"),
    [
        (b"", "empty"),
        (b"  \n ", "empty"),
        (b"PK\x03\x04rest", "zip"),
        (b"PAR1rest", "parquet"),
        (b"hello", "text"),
        (b'[{"a": 1}]', "array"),
        (b'{"a": 1}\n{"b": 2}', "lines"),
        (b'{\n "a": 1\n}', "object"),
        (b'{"cut": \n{"a": 1}\n', "lines"),
    ],
)
def test_layouts(data: bytes, layout: str) -> None:
    assert Head(data).layout == layout
