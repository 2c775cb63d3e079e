from __future__ import annotations

import io

import pytest

from agent_claimcheck.trace.documents import is_line_by_line, iter_documents
from agent_claimcheck.trace.limits import MAX_LINE_BYTES


def cut(data: bytes) -> list[tuple[int, bytes]]:
    return list(iter_documents(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("head", "is_lines"),
    [
        (b'{"a": 1}\n{"a": 2}', True),
        (b'{"a": 1', True),
        (b'{"a": "x\n{"a": 1}', True),
        (b'{"a":\n{"a": 1}', True),
        (b'{"a": "}"}\n', True),
        (b'{"a":\n{"a": 1}\n{"a": 2}\n', True),
        (b'{"a":\n{"a": "x\n{"a": 2}\n', True),
        (b"plain words\n", True),
        (b"", True),
        (b'{\n  "a": 1\n}', False),
        (b'{ \r\n"a": 1}', False),
        (b'{"a": 1,\n "b": 2}', False),
        (b'{"a": [\n 1]}', False),
        (b'{"a": [\n{"b": 1},\n{"b": 2}]}\n', False),
        (b'{"a": [\n{"b": 1}\n, {"b": 2}\n]}\n', False),
        (b'{"a": [\n{"b": 1}\n]}\n', False),
        (b'{"a": [\n{"b": 1}]}\n', False),
        (b'{"a": [\n  {\n    "b": 1\n  }\n]}\n', False),
        (b'\n\n[{"a": 1}]', False),
        (b"\xef\xbb\xbf[]", False),
    ],
)
def test_the_layout_is_told_from_the_first_lines(head, is_lines):
    assert is_line_by_line(head) is is_lines


def test_elements_of_an_array_come_one_by_one_with_their_lines():
    assert cut(b'[\n{"a": 1},\n\n {"b": [2]} , {}]\n') == [(2, b'{"a": 1}'), (4, b'{"b": [2]}'), (4, b"{}")]


def test_objects_in_a_row_come_one_by_one():
    assert cut(b'{\n"a": 1\n}\n{\n"b": 2}{}') == [(1, b'{\n"a": 1\n}'), (4, b'{\n"b": 2}'), (5, b"{}")]


def test_brackets_and_quotes_in_strings_do_not_count():
    piece = rb'{"a": "]}\"]}\\", "b\"": "["}'
    assert cut(b"[" + piece + b",1]") == [(1, piece), (1, b"1")]


def test_what_is_left_open_comes_out_as_it_is():
    assert cut(b'[{"a": 1}, {"b": "x') == [(1, b'{"a": 1}'), (1, b'{"b": "x')]
    assert cut(b'[{"a": 1}') == [(1, b'{"a": 1}'), (1, b"[")]


def test_stray_text_is_a_piece_of_its_own():
    assert cut(b'[{}, what, {}] ] "s"') == [(1, b"{}"), (1, b"what"), (1, b"{}"), (1, b"]"), (1, b'"s"')]


def test_a_value_over_the_limit_is_cut():
    (first, piece), (second, rest) = cut(b'["' + b"x" * (MAX_LINE_BYTES + 5_000_000) + b'",\n{}]')
    assert (first, len(piece)) == (1, MAX_LINE_BYTES + 1)
    assert (second, rest) == (2, b"{}")
