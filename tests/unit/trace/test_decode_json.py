"""The JSON below a trace: repeated keys, numbers, nesting, encodings, and text that is no JSON."""

from __future__ import annotations

import pytest

from agent_claimcheck.trace.diagnose import NOTE_SURROGATES
from agent_claimcheck.trace.limits import MAX_DEPTH, MAX_LINE_BYTES
from decoded import faults, read, with_meta, with_step


def test_a_repeated_key_is_named_with_its_path(line):
    data = line().replace(b'"trace_id": "t-1"', b'"trace_id": "t-1", "trace_id": "t-2"')
    assert faults(data) == [("$", 'key "trace_id" comes more than once')]
    deep = with_meta(line, '{"a": [{"k": 1, "\\u006b": 2}]}')
    assert faults(deep) == [("$.meta.x.a[0]", 'key "k" comes more than once')]


@pytest.mark.parametrize(
    "raw",
    [
        '{"k" :1,"k":1}',
        '{"k": ":a", "k": ":b"}',
        '{"k\\\\": 1, "k\\\\": 2}',
        '{"k": "a", "k": "\\u003aa"}',
        '{"k": "\\u003a", "k": 1, "m": ":"}',
        '{":": 1, "\\u003a": 2}',
    ],
)
def test_a_repeated_key_does_not_hide_behind_odd_spellings(line, raw):
    assert any("comes more than once" in message for _, message in faults(with_meta(line, raw)))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_infinity_are_no_json(line, word):
    assert faults(with_meta(line, f"[0, {word}]")) == [("$.meta.x[1]", f"{word} is not a JSON number")]


def test_nan_in_place_of_a_field_is_named_once(document):
    data = with_step(document, ts="HERE").replace(b'"HERE"', b"NaN")
    assert faults(data) == [("$.steps[0].ts", "NaN is not a JSON number")]


def test_a_float_out_of_range_is_refused(line):
    assert faults(with_meta(line, "1e999")) == [("$.meta.x", "number 1e999 is out of range")]


@pytest.mark.parametrize("text", [str(2**64), str(-(2**63) - 1), "2" * 20, "9" * 5000], ids=lambda text: text[:25])
def test_integers_beyond_64_bits_are_refused(line, text):
    ((path, message),) = faults(with_meta(line, text))
    assert path == "$.meta.x"
    assert message.endswith("does not fit 64 bits")
    assert len(message) < 80


@pytest.mark.parametrize("number", [2**64 - 1, -(2**63), 10**18])
def test_integers_of_64_bits_are_kept(line, number):
    assert read(with_meta(line, str(number))).meta == {"x": number}


def test_long_digits_in_a_string_are_no_number(line):
    assert read(with_meta(line, f'"{"9" * 40}"')).meta == {"x": "9" * 40}


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


def test_nesting_of_200_levels_is_read(line):
    # The trace and its ``meta`` are two levels already.
    assert read(with_meta(line, nested(MAX_DEPTH - 2))).trace_id == "t-1"


@pytest.mark.parametrize("levels", [MAX_DEPTH - 1, 5_000, 200_000])
def test_deeper_nesting_is_refused(line, levels):
    assert faults(with_meta(line, nested(levels))) == [("$", "is nested more than 200 levels deep")]
    objects = '{"a":' * levels + "1" + "}" * levels
    assert faults(with_meta(line, objects)) == [("$", "is nested more than 200 levels deep")]


def test_brackets_in_strings_are_no_nesting(line):
    assert read(with_meta(line, '"' + "[" * 5_000 + '\\"{"')).trace_id == "t-1"


def test_deep_values_inside_v2_records_are_refused(line):
    deep = line(schema="agent-trace/v2", artifacts=[{"id": "a", "metadata": {"x": "HERE"}}])
    assert faults(deep.replace(b'"HERE"', nested(MAX_DEPTH).encode())) == [("$", "is nested more than 200 levels deep")]


def test_a_line_over_64_mib_is_refused():
    assert faults(b" " * (MAX_LINE_BYTES + 1)) == [("$", "is longer than 64 MiB")]


def test_latin_1_is_named_with_the_byte(line):
    data = line(source="caf").replace(b"caf", b"caf\xe9")
    ((path, message),) = faults(data)
    assert path == "$"
    assert message == f"is not UTF-8 text: byte 0xe9 at position {data.index(0xE9) + 1}; save the file as UTF-8"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(line, encoding):
    data = line().decode().encode(encoding)
    assert faults(data) == [("$", "is not UTF-8 text, it looks like UTF-16; save the file as UTF-8")]


def test_raw_surrogates_are_bad_utf_8(line):
    assert "0xed" in faults(line(source="HERE").replace(b"HERE", b"\xed\xa0\x80"))[0][1]


def test_lone_surrogates_are_replaced_with_a_note(line):
    data = line(trace_id="HERE", meta={"k": "KEY"}).replace(b"HERE", b"s\\ud800").replace(b"KEY", b"\\udc00x")
    trace = read(data)
    assert trace.trace_id == "s\ufffd"
    assert trace.meta == {"k": "\ufffdx"}
    assert trace.notes == (NOTE_SURROGATES,)


def test_surrogate_pairs_are_characters_and_need_no_note(line):
    trace = read(with_meta(line, '"\\ud83d\\ude00"'))
    assert trace.meta == {"x": "😀"}
    assert trace.notes == ()


def test_keys_that_become_equal_by_repair_are_refused(line):
    ((path, message),) = faults(with_meta(line, '{"\\ud800": 1, "\\ud801": 2}'))
    assert path == "$.meta.x"
    assert "after lone surrogates were replaced" in message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"trace_id":', "it ends too early"),
        (b'{"a": 1 "b"}', "column 9"),
        (b'{"a": 1,}', '}")'),
        (b"{'a': 1}", "field name in double quotes"),
        (b'{"a": "b\tc"}', "raw control character"),
        (b'{"a": "\\x"}', "unknown escape"),
        (b'{"a": 1} {}', "something follows"),
        (b'{"a" 1}', "a colon is missing"),
        (b'{"a": "b', "a string is not closed"),
        (b"hello", "a value is missing or misspelt"),
    ],
)
def test_broken_json_says_what_and_where(data, said):
    ((path, message),) = faults(data)
    assert path == "$"
    assert message.startswith("is not JSON: ")
    assert said in message
    assert "column" in message
