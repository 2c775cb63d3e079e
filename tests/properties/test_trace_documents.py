from __future__ import annotations

import io
import json
from codecs import BOM_UTF8

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_claimcheck.trace.documents import is_line_by_line, iter_documents
from agent_claimcheck.trace.streams import decompress, iter_lines

texts = st.text(max_size=6) | st.sampled_from(['"', "\\", '\\"', "[", "}", "]\n{"])
values = st.recursive(
    st.none() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(texts, values, max_size=3)


class Drip(io.RawIOBase):
    """A source that hands over a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__()
        self._data = data
        self._size = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        data = self._data[: min(self._size, len(buffer))]
        buffer[: len(data)] = data
        self._data = self._data[len(data) :]
        return len(data)


@settings(max_examples=200)
@given(st.lists(values, max_size=5), st.none() | st.integers(0, 3), st.integers(1, 9))
def test_an_array_comes_apart_into_its_elements(items, indent, size):
    data = json.dumps(items, indent=indent).encode()
    pieces = list(iter_documents(Drip(data, size)))
    # A list within the list is an element like any other.
    assert [json.loads(piece) for _, piece in pieces] == items
    assert [line for line, _ in pieces] == sorted(line for line, _ in pieces)


@settings(max_examples=200)
@given(st.lists(objects, max_size=4), st.none() | st.integers(0, 3), st.integers(1, 9))
def test_objects_in_a_row_come_apart(items, indent, size):
    data = "\n".join(json.dumps(item, indent=indent, ensure_ascii=False) for item in items)
    pieces = list(iter_documents(Drip(data.encode("utf-8", "surrogatepass"), size)))
    assert [json.loads(piece) for _, piece in pieces] == items
    assert all(1 <= line <= data.count("\n") + 1 for line, _ in pieces)


@settings(max_examples=200)
@given(st.lists(objects, min_size=1, max_size=4), st.integers(1, 3))
def test_lines_and_spread_objects_are_told_apart(items, indent):
    lines = "\n".join(json.dumps(item) for item in items).encode()
    assert is_line_by_line(lines)
    if items[0]:
        spread = "\n".join(json.dumps(item, indent=indent) for item in items).encode()
        assert not is_line_by_line(spread)


@settings(max_examples=200)
@given(st.binary(max_size=40), st.integers(1, 9))
@example(BOM_UTF8 + b"{}", 3)
@example(BOM_UTF8, 1)
def test_any_bytes_come_apart_without_loss(data, size):
    pieces = b"".join(piece for _, piece in iter_documents(Drip(data, size)))
    # Only a mark of the byte order, the brackets of arrays and what stands between the pieces may go missing.
    kept = bytes(byte for byte in data.removeprefix(BOM_UTF8) if byte not in b" \t\n\r\x0b\x0c,[]")
    assert kept == bytes(byte for byte in pieces if byte not in b" \t\n\r\x0b\x0c,[]")


@settings(max_examples=200)
@given(st.lists(st.binary(max_size=6)), st.integers(1, 5))
def test_lines_do_not_depend_on_how_the_bytes_arrive(parts, size):
    data = b"\n".join(parts)
    if data[:4] == b"\x28\xb5\x2f\xfd" or data[:2] == b"\x1f\x8b":
        return
    assert list(iter_lines(decompress(Drip(data, size)))) == list(iter_lines(io.BytesIO(data)))
