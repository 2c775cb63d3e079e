from __future__ import annotations

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.trace.ranges import RangeReader, cut_lines, may_be_cut
from agent_claimcheck.trace.streams import iter_lines

LINES = st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=40)


@given(LINES, st.integers(1, 200), st.booleans())
def test_the_lines_of_all_ranges_are_the_lines_of_the_file(tmp_path_factory, lines, target, ends_with_newline):
    data = b"\n".join(lines) + (b"\n" if ends_with_newline else b"")
    path = tmp_path_factory.mktemp("ranges") / "f.jsonl"
    path.write_bytes(data)
    found = []
    ranges = list(cut_lines(io.BytesIO(data), target))
    for start, end, first in ranges:
        with RangeReader(path, start, end, first) as reader:
            found += list(reader.lines())
            assert not reader.is_short
    assert found == list(iter_lines(io.BytesIO(data)))
    assert all(end - start >= target for start, end, _ in ranges[:-1])


def test_the_checksum_sees_every_byte():
    data = b"a\nbb\n" * 1000
    seen: list[bytes] = []
    list(cut_lines(io.BytesIO(data), 100, seen.append))
    assert b"".join(seen) == data


def test_a_line_longer_than_the_target_stays_whole():
    data = b"x" * 500 + b"\n" + b"y\n"
    assert list(cut_lines(io.BytesIO(data), 10)) == [(0, 501, 1), (501, 503, 2)]


def test_a_file_that_became_shorter_is_noticed(tmp_path: Path):
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"a\n")
    with RangeReader(path, 0, 100, 1) as reader:
        assert list(reader.lines()) == [(1, b"a")]
        assert reader.is_short


def test_only_plain_json_lines_are_cut():
    assert may_be_cut(b'{"a": 1}\n{"b": 2}\n')
    assert not may_be_cut(b"[\n{}\n]")
    assert not may_be_cut(b"{\n")
    assert not may_be_cut(b"\x1f\x8b\x08\x00")
    assert not may_be_cut(b"\x28\xb5\x2f\xfd")
    assert not may_be_cut('{"a": 1}\n'.encode("utf-16"))
    assert not may_be_cut(b"PAR1")
