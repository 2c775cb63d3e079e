"""What is wrong with a JSON file is said in plain words, never in those of the parser."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from agent_claimcheck.checks.injection.patterns import load_patterns
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.json_faults import explain_fault
from agent_claimcheck.results.read import read_results
from agent_claimcheck.scoring.artifact import load_calibration


class _Bed(Struct, forbid_unknown_fields=True):
    plants: list[str]
    width: int | None = None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"plants": [', "is not JSON: it ends too early, after column 12"),
        (b'{"plants": []\n', "is not JSON: it ends too early, after column 13"),
        (b'{"plants":\n["ivy",\n', "is not JSON: it ends too early, after line 2 of it"),
        (b"", "is not JSON: it is empty"),
        (b"[bed]", 'is not JSON: a value is missing or misspelt (column 2, at "bed]")'),
        (b"\xff", "is not UTF-8 text: byte 0xff at position 1"),
        (b'{"plants": [NaN]}', "is not JSON: invalid character (byte 12)"),
        (b"[" * 100_000, "is nested too deep"),
        (b"[]", "expected an object, got a list"),
        (b"{}", 'the field "plants" is missing'),
        (b'{"plants": [], "colour": 1}', 'unknown field "colour"'),
        (b'{"plants": [3]}', "$.plants[0]: expected a text, got a whole number"),
        (b'{"plants": [], "width": "x"}', "$.width: expected a whole number or null, got a text"),
    ],
)
def test_a_fault_is_explained(data: bytes, said: str) -> None:
    with pytest.raises((msgspec.MsgspecError, RecursionError)) as caught:
        msgspec.json.decode(data, type=_Bed)
    assert explain_fault(caught.value, data) == said


def test_files_that_are_none_are_named_with_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "q.toml"
    path.write_text("version = 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"q\.toml: is not JSON: .*\(a pattern file is JSON: "):
        load_patterns(path)
    with pytest.raises(
        InputError, match=r"q\.toml: not a calibration file: is not JSON: .* \(calibration files are made"
    ):
        load_calibration(path)
    with pytest.raises(InputError, match=r"q\.toml:1: is not JSON: a value is missing or misspelt \(column 1"):
        list(read_results(path))
    path.write_text("[broken", encoding="utf-8")
    with pytest.raises(InputError, match=r"q\.toml: is not JSON: a value is missing or misspelt \(column 2"):
        list(read_results(path))
