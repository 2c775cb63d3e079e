from __future__ import annotations

import gzip
import io
import json
import os
import threading
from pathlib import Path

import pytest
import zstandard

from agent_claimcheck.core.errors import InputError, TraceError
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.read import read_traces
from agent_claimcheck.trace.versions import SIDECAR


@pytest.fixture
def lines(line):
    """Bytes of several lines with the given ids."""

    def build(*ids: str) -> bytes:
        return b"".join(line(trace_id=trace_id) + b"\n" for trace_id in ids)

    return build


OWN = "give this run an id of its own"
ONE_BY_ONE = "or give the files one by one"


def outcome(*paths: str | Path, **options) -> list[str]:
    """Ids of traces and ``line: path: message`` of problems, in the order they came."""
    shown = []
    for item in read_traces(paths, **options):
        if isinstance(item, Trace):
            shown.append(item.trace_id)
        else:
            shown.append(f"{item.line}: {item.path}: {item.message}")
    return shown


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_lines_come_out_in_order_with_file_and_line(tmp_path, lines):
    path = write(tmp_path / "a.jsonl", lines("a", "b"))
    found = list(read_traces([path]))
    assert [item.where.line for item in found if isinstance(item, Trace) and item.where] == [1, 2]
    assert {item.where.file for item in found if isinstance(item, Trace) and item.where} == {str(path)}


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_are_fine(tmp_path, lines):
    data = b"\xef\xbb\xbf" + lines("a", "b").replace(b"\n", b"\r\n\r\n  \n")
    found = list(read_traces([write(tmp_path / "a.jsonl", data)]))
    assert [(item.trace_id, item.where.line) for item in found if isinstance(item, Trace) and item.where] == [
        ("a", 1),
        ("b", 4),
    ]


def test_a_last_line_without_an_end_is_read(tmp_path, lines):
    assert outcome(write(tmp_path / "a.jsonl", lines("a", "b").rstrip())) == ["a", "b"]


def test_a_bad_line_never_costs_the_others(tmp_path, lines, line):
    data = lines("a") + b'{"trace_id":\n' + line(trace_id="x", source="") + b"\n" + lines("b")
    first, syntax, fault, last = outcome(write(tmp_path / "a.jsonl", data))
    assert (first, last) == ("a", "b")
    assert syntax.startswith("2: $: is not JSON")
    assert fault == "3: $.source: must not be empty"


def test_a_truncated_first_line_is_a_bad_line_of_json_lines(tmp_path, lines):
    bad, good = outcome(write(tmp_path / "a.jsonl", b'{"schema": "agent-trace/v1",\n' + lines("b")))
    assert bad.startswith("1: $: is not JSON")
    assert good == "b"


def test_latin_1_costs_only_its_line(tmp_path, lines, line):
    bad = line(source="caf").replace(b"caf", b"caf\xe9") + b"\n"
    found = outcome(write(tmp_path / "a.jsonl", lines("a") + bad + lines("b")))
    assert [found[0], found[2]] == ["a", "b"]
    assert found[1].startswith("2: $: is not UTF-8 text: byte 0xe9")


@pytest.mark.parametrize(
    ("mark", "encoding", "told"),
    [
        (b"\xff\xfe", "utf-16-le", "UTF-16 text (little-endian, by its byte order mark)"),
        (b"\xfe\xff", "utf-16-be", "UTF-16 text (big-endian, by its byte order mark)"),
        (b"\xff\xfe\0\0", "utf-32-le", "UTF-32 text (little-endian, by its byte order mark)"),
        (b"\0\0\xfe\xff", "utf-32-be", "UTF-32 text (big-endian, by its byte order mark)"),
        (b"", "utf-16-le", "text that looks like UTF-16LE without a byte order mark"),
        (b"", "utf-16-be", "text that looks like UTF-16BE without a byte order mark"),
    ],
)
def test_text_in_another_encoding_is_named_once_with_the_next_step(tmp_path, lines, mark, encoding, told):
    data = mark + lines("a", "b").decode().encode(encoding)
    (found,) = outcome(write(tmp_path / "a.jsonl", data))
    assert found.startswith(f"0: : cannot be read: it is {told}; save it as UTF-8 (`iconv -f UTF-")


def test_strict_stops_at_the_first_problem(tmp_path, lines):
    path = write(tmp_path / "a.jsonl", lines("a") + b"{}\n" + lines("b"))
    reader = read_traces([path], strict=True)
    assert isinstance(next(reader), Trace)
    with pytest.raises(TraceError, match=r"a\.jsonl:2: \$: required field"):
        next(reader)


@pytest.mark.parametrize("data", [b"", b"\n \r\n\t\n", b"\xef\xbb\xbf", b"[]", b" [ ]\n"])
def test_a_file_without_traces_says_so(tmp_path, data):
    assert outcome(write(tmp_path / "a.jsonl", data)) == ["0: : holds no traces"]


def test_a_repeated_id_names_both_places(tmp_path, lines):
    path = write(tmp_path / "a.jsonl", lines("dup", "b", "dup"))
    assert outcome(path) == ["dup", "b", f'3: $.trace_id: trace_id "dup" was used before, at {path}:1; {OWN}']


def test_a_repeated_id_is_found_across_files(tmp_path, lines):
    first = write(tmp_path / "a.jsonl", b"\n" + lines("x", "dup"))
    second = write(tmp_path / "b.jsonl", lines("y", "dup"))
    assert outcome(first, second) == [
        "x",
        "dup",
        "y",
        f'2: $.trace_id: trace_id "dup" was used before, at {first}:3; {OWN}, {ONE_BY_ONE}',
    ]


def test_an_id_of_a_refused_line_is_still_free(tmp_path, lines, line):
    data = line(trace_id="a", source="") + b"\n" + lines("a")
    assert outcome(write(tmp_path / "a.jsonl", data)) == ["1: $.source: must not be empty", "a"]


def test_gzip_and_zstd_are_told_by_their_bytes(tmp_path, lines):
    data = lines("a", "b")
    assert outcome(write(tmp_path / "plain.gz", data)) == ["a", "b"]
    assert outcome(write(tmp_path / "g.jsonl", gzip.compress(data))) == ["a", "b"]
    assert outcome(write(tmp_path / "z.jsonl", zstandard.compress(data))) == ["a", "b"]


def test_files_of_several_compressed_members_are_read_whole(tmp_path, lines):
    members = [lines("a"), lines("b"), lines("c")]
    packed = b"".join(gzip.compress(part) for part in members)
    assert outcome(write(tmp_path / "a.gz", packed)) == ["a", "b", "c"]
    packed = b"".join(zstandard.compress(part) for part in members)
    assert outcome(write(tmp_path / "a.zst", packed)) == ["a", "b", "c"]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_cut_off_compressed_data_is_said_after_what_could_be_read(tmp_path, line, pack):
    # Random ids do not compress, so half of the bytes hold about half of the lines.
    data = b"".join(line(trace_id=os.urandom(5_000).hex()) + b"\n" for _ in range(60))
    packed = pack(data)
    found = list(read_traces([write(tmp_path / "a", packed[: len(packed) // 2])]))
    assert isinstance(found[-1], TraceProblem)
    assert "reading stops here: compressed data is damaged" in found[-1].message
    assert found[-1].line > 0
    assert sum(isinstance(item, Trace) for item in found) > 10


def test_damaged_gzip_does_not_stop_the_next_file(tmp_path, lines):
    broken = bytearray(gzip.compress(lines("a") * 50))
    broken[20:40] = b"\xff" * 20
    found = outcome(write(tmp_path / "a.gz", bytes(broken)), write(tmp_path / "b.jsonl", lines("b")))
    assert "compressed data is damaged" in found[0]
    assert found[-1] == "b"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04rest", "a zip archive"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\x00", "xz data"),
        (b"PAR1....", "Parquet"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary data"),
        (b"\x00\x00\x00\x00", "binary data"),
    ],
)
def test_other_files_are_named_in_one_line(tmp_path, data, said):
    (only,) = outcome(write(tmp_path / "a.jsonl", data))
    assert only.startswith("0: ")
    assert said in only


def test_an_array_of_traces_is_read_element_by_element(tmp_path, document):
    array = json.dumps([document(trace_id="a"), document(trace_id="b")])
    assert outcome(write(tmp_path / "a.json", array.encode())) == ["a", "b"]


def test_a_pretty_array_gives_each_trace_its_line(tmp_path, document):
    array = json.dumps([document(trace_id="a"), document(trace_id="b")], indent=2)
    found = list(read_traces([write(tmp_path / "a.json", array.encode())]))
    places = [item.where.line for item in found if isinstance(item, Trace) and item.where]
    assert places == [2, array.splitlines().index("  },", 2) + 2]


def test_a_bad_element_does_not_cost_the_others(tmp_path, document):
    array = json.dumps([document(trace_id="a"), {"no": "trace"}, 7, document(trace_id="b")])
    found = outcome(write(tmp_path / "a.json", array.encode()))
    assert [found[0], found[-1]] == ["a", "b"]
    assert found[1].startswith('1: $: required field "schema" is missing')
    assert found[2] == "1: $: expected a trace object, got 7"


def test_an_array_that_never_ends_is_named(tmp_path, document):
    data = b"\n[" + json.dumps(document(trace_id="a")).encode() + b","
    first, last = outcome(write(tmp_path / "a.json", data))
    assert first == "a"
    assert last.startswith("2: $: is not JSON: it ends too early")


@pytest.mark.parametrize("indent", [0, 1, 4, "\t"])
def test_pretty_printed_objects_are_read(tmp_path, document, indent):
    data = "\n".join(json.dumps(document(trace_id=trace_id), indent=indent) for trace_id in "ab")
    assert outcome(write(tmp_path / "a.json", data.encode())) == ["a", "b"]


def test_a_pretty_object_that_is_cut_off_is_one_problem(tmp_path, document):
    text = json.dumps(document(), indent=2)
    (only,) = outcome(write(tmp_path / "a.json", text[:-30].encode()))
    assert only.startswith("1: $: is not JSON: it ends too early")


def test_directories_are_read_sorted_and_hidden_files_left_out(tmp_path, lines):
    (tmp_path / "sub").mkdir()
    (tmp_path / ".hidden").mkdir()
    write(tmp_path / "b.jsonl", lines("b"))
    write(tmp_path / "a.json", lines("a"))
    write(tmp_path / "sub" / "c.jsonl.gz", gzip.compress(lines("c")))
    write(tmp_path / "sub" / "d.jsonl.zst", zstandard.compress(lines("d")))
    write(tmp_path / "notes.txt", b"not read")
    write(tmp_path / ".secret.jsonl", lines("s"))
    write(tmp_path / ".hidden" / "h.jsonl", lines("h"))
    assert outcome(tmp_path) == ["a", "b", "c", "d"]


def test_globs_are_read_sorted_and_nothing_twice(tmp_path, lines):
    for name in ("b", "a"):
        write(tmp_path / f"{name}.jsonl", lines(name))
    assert outcome(tmp_path / "*.jsonl", tmp_path) == ["a", "b"]
    assert outcome(tmp_path / "**" / "a.jsonl") == ["a"]


def test_a_file_named_twice_is_read_twice(tmp_path, lines):
    path = write(tmp_path / "a.jsonl", lines("a"))
    assert outcome(path, path) == ["a", f'1: $.trace_id: trace_id "a" was used before, at {path}:1; {OWN}']


def test_a_file_with_a_pattern_for_a_name_is_that_file(tmp_path, lines):
    path = write(tmp_path / "a[1].jsonl", lines("a"))
    assert outcome(path) == ["a"]


@pytest.mark.parametrize("name", ["none.jsonl", "*.nothing", "empty", "nul\0.jsonl", "x" * 5000])
def test_what_does_not_exist_is_an_input_error_at_once(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError):
        read_traces([os.path.join(tmp_path, name)])  # noqa: PTH118 - a path object refuses some of these names


def test_standard_input_is_read(lines):
    found = list(read_traces(["-"], stdin=io.BytesIO(lines("a"))))
    assert [item.where.file for item in found if isinstance(item, Trace) and item.where] == ["<stdin>"]


def test_standard_input_may_be_compressed_and_stays_open(lines):
    source = io.BytesIO(gzip.compress(lines("a", "b")))
    assert outcome("-", stdin=source) == ["a", "b"]
    assert not source.closed


def test_a_pipe_is_read_as_it_comes(lines):
    # Only when the first trace came out does the writer send the rest.
    reading, writing = os.pipe()
    arrived = threading.Event()
    filler = b" " * 70_000

    def send() -> None:
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            pipe.write(lines("a") + filler + b"\n")
            if arrived.wait(20):
                pipe.write(lines("b"))

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with os.fdopen(reading, "rb") as source:
            items = read_traces(["-"], stdin=source)
            assert isinstance(next(items), Trace)
            arrived.set()
            assert [type(item) for item in items] == [Trace]
    finally:
        arrived.set()
        sender.join()


def test_the_sidecar_is_lifted_while_reading(tmp_path, line):
    data = line(meta={SIDECAR: {"top": {"model": "m"}, "steps": {"0": {"call_id": "c"}}}, "kept": 1})
    (found,) = read_traces([write(tmp_path / "a.jsonl", data)])
    assert isinstance(found, Trace)
    assert (found.model, found.steps[0].call_id, found.meta) == ("m", "c", {"kept": 1})
