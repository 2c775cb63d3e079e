"""What is no JSON or no UTF-8 in a foreign file is mended, and said once a file."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from agent_claimcheck import check_records
from agent_claimcheck.importers.contract import ImportNote, ImportOptions
from agent_claimcheck.importers.files import read_any
from agent_claimcheck.trace.model import Trace, TraceProblem
from agent_claimcheck.trace.streams import decompress

RUN = {"id": "r", "messages": [{"role": "user", "content": "Grüße"}, {"role": "assistant", "content": "Für dich"}]}
LATIN = json.dumps(RUN, ensure_ascii=False).encode("latin-1")


def read(data: bytes) -> tuple[list[str | None], list[TraceProblem]]:
    items: list[Any] = list(read_any(decompress(io.BytesIO(data)), file="f", options=ImportOptions()))
    note = items.pop()
    assert isinstance(note, ImportNote)
    assert note.report.problems == 0
    texts = [item.final_claim.text for item in items if isinstance(item, Trace)]
    return texts, [item for item in items if isinstance(item, TraceProblem)]


def test_bytes_that_are_no_utf8_are_a_warning_once_a_file_and_cost_no_record() -> None:
    good = json.dumps({**RUN, "id": "g"}, ensure_ascii=False).encode()
    texts, problems = read(b"\n".join([good, LATIN, LATIN.replace(b'"r"', b'"s"')]))
    assert texts == ["Für dich", "F\ufffdr dich", "F\ufffdr dich"]
    (problem,) = problems
    column = LATIN.index(b"\xfc") + 1
    assert (problem.severity, problem.line) == ("warning", 2)
    assert f"is not UTF-8 text: byte 0xfc (column {column})" in problem.message
    assert "iconv -f ISO-8859-1 -t UTF-8" in problem.message


def test_the_line_is_that_of_the_byte_in_a_value_over_several_lines() -> None:
    data = json.dumps([RUN], ensure_ascii=False, indent=1).encode("latin-1")
    _, (problem,) = read(data)
    before = data[: data.index(b"\xfc")]
    column = len(before) - before.rfind(b"\n")
    assert problem.line == before.count(b"\n") + 1
    assert f"(column {column})" in problem.message


def test_not_a_number_is_read_as_a_text_and_said() -> None:
    data = b'{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": NaN}], "n": [-Infinity]}'
    texts, (problem,) = read(data + b"\n" + data)
    assert texts == ["NaN", "NaN"]
    assert problem.line == 1
    assert "holds NaN, which is no JSON number" in problem.message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_nothing_is_said_of_text_that_is_whole(encoding: str) -> None:
    assert read(json.dumps(RUN, ensure_ascii=False).encode(encoding)) == (["Für dich"], [])


def test_a_warning_does_not_refuse_a_record() -> None:
    (result,) = check_records([LATIN])
    assert result.trace_id == "r"
