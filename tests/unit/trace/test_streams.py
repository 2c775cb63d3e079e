from __future__ import annotations

import gzip
import io
import subprocess
import sys

import pytest

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.trace.limits import MAX_LINE_BYTES
from agent_claimcheck.trace.streams import decompress, iter_lines, open_bytes, peek


def test_peeking_consumes_nothing():
    stream = decompress(io.BytesIO(b"0123456789"))
    assert peek(stream, 4) == b"0123"
    assert peek(stream, 100) == b"0123456789"
    assert stream.read() == b"0123456789"


def test_peeking_looks_into_compressed_data():
    stream = decompress(io.BytesIO(gzip.compress(b"plain text")))
    assert peek(stream, 5) == b"plain"
    assert stream.read() == b"plain text"


def test_peeking_waits_for_a_slow_source():
    class Trickle(io.RawIOBase):
        def __init__(self) -> None:
            super().__init__()
            self.left = list(b"abcdef")

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            if not self.left:
                return 0
            buffer[0] = self.left.pop(0)
            return 1

    stream = decompress(Trickle())
    assert peek(stream, 5) == b"abcde"
    assert stream.read() == b"abcdef"


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\r\n"])
def test_blank_input_has_no_lines(data):
    assert list(iter_lines(io.BytesIO(data))) == []


def test_lines_are_numbered_with_the_blank_ones_counted():
    assert list(iter_lines(io.BytesIO(b"a\r\n\n b \nc"))) == [(1, b"a"), (3, b" b "), (4, b"c")]


def test_a_line_over_the_limit_is_cut_and_the_next_one_is_whole():
    long = b"x" * (MAX_LINE_BYTES + 300_000)
    (first, cut), (second, rest) = iter_lines(io.BytesIO(long + b"\nnext\n"))
    assert (first, len(cut)) == (1, MAX_LINE_BYTES + 1)
    assert (second, rest) == (2, b"next")


def test_a_line_of_just_the_limit_is_whole():
    line = b"x" * MAX_LINE_BYTES
    assert [len(data) for _, data in iter_lines(io.BytesIO(line + b"\n" + line))] == [MAX_LINE_BYTES] * 2


def test_opening_a_directory_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        open_bytes(tmp_path)


def test_a_failing_disk_is_an_input_error():
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            raise OSError(5, "Input/output error")

    with pytest.raises(InputError, match="cannot be read"):
        decompress(Failing()).read()


def test_the_missing_zstd_library_is_named_with_the_way_to_get_it(tmp_path):
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd rest")
    code = (
        "import sys\n"
        "sys.modules['zstandard'] = None\n"
        "from agent_claimcheck.core.errors import MissingExtraError\n"
        "from agent_claimcheck.trace.streams import open_bytes\n"
        "try:\n"
        "    open_bytes(sys.argv[1])\n"
        "except MissingExtraError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert "zstd data needs the zstandard library (" in done.stdout


def test_reading_needs_no_heavy_library():
    code = (
        "import sys\n"
        "import agent_claimcheck.trace.read\n"
        "heavy = {'numpy', 'sklearn', 'httpx', 'starlette', 'rich', 'zstandard', 'jsonschema', 're2', 'yaml'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
