"""Run files: the forms that are read, and that a bad record costs only itself."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from agent_claimcheck.checks.run_file import LoadedRun, RunProblem, load_run, looks_like_run_file, read_run_stream
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.trace.streams import decompress

GOOD = '{"task": "t", "final_answer": "a", "steps": []}'


def read(data: str | bytes) -> list[LoadedRun | RunProblem]:
    raw = data.encode() if isinstance(data, str) else data
    return list(read_run_stream(decompress(io.BytesIO(raw)), file="r.json"))


def lines_of(items: list[LoadedRun | RunProblem]) -> list[tuple[str, int]]:
    return [("run" if isinstance(item, LoadedRun) else "problem", item.line) for item in items]


def test_one_object_however_it_is_printed() -> None:
    pretty = json.dumps(json.loads(GOOD), indent=2)

    assert (
        lines_of(read(GOOD))
        == lines_of(read(pretty))
        == lines_of(read(b"\xef\xbb\xbf" + pretty.encode()))
        == [("run", 1)]
    )


def test_json_lines_keep_their_line_numbers_over_blank_lines() -> None:
    assert lines_of(read(f"{GOOD}\r\n\n{GOOD}\n")) == [("run", 1), ("run", 3)]


def test_array_of_runs() -> None:
    items = read(f"[{GOOD},\n{{}}]")

    assert isinstance(items[0], LoadedRun)
    assert [str(item) for item in items[1:]] == [
        'r.json:2: $: the required key "task" is missing',
        'r.json:2: $: the required key "final_answer" is missing',
    ]


def test_compressed_runs() -> None:
    assert lines_of(read(gzip.compress(f"{GOOD}\n{GOOD}\n".encode()))) == [("run", 1), ("run", 2)]


def test_damaged_compression_is_a_problem_after_the_runs_before_it() -> None:
    items = read(gzip.compress(f"{GOOD}\n".encode())[:-4])

    assert isinstance(items[-1], RunProblem)
    assert "damaged" in items[-1].message


@pytest.mark.parametrize("bad", ['{"task": "t"', "no json", '{"task": 1, "final_answer": "a"}', "[1]"])
def test_bad_record_never_costs_the_others(bad: str) -> None:
    assert lines_of(read(f"{GOOD}\n{bad}\n{GOOD}\n")) == [("run", 1), ("problem", 2), ("run", 3)]
    assert lines_of(read(f"{bad}\n{GOOD}\n"))[-2:] == [("problem", 1), ("run", 2)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"task": "t", "task": "u", "final_answer": "a"}', 'key "task" comes more than once'),
        ('{"task": "t", "final_answer": "a", "x": NaN}', "NaN is not a JSON number"),
        ('{"task": "t", "final_answer": "a", "x": ' + "9" * 5000 + "}", "does not fit 64 bits"),
        ('{"task": "t", "x": ' + "[" * 300 + "]" * 300 + "}", "nested more than 200 levels"),
        ('{"task": "t", "x": ' + "[" * 100_000, "nested more than 200 levels"),
        (b'{"task": "\xff"}', "not UTF-8 text"),
        ('{"task": "t",}', "is not JSON"),
        ("", "holds no runs"),
        ("\n \n", "holds no runs"),
        ("[]", "holds no runs"),
        ("3", "expected a run object, got the number 3"),
    ],
)
def test_broken_input_is_named(data: str | bytes, message: str) -> None:
    items = read(data)

    assert len(items) == 1
    assert isinstance(items[0], RunProblem)
    assert message in items[0].message


def test_fault_in_a_pretty_document_names_its_line() -> None:
    [problem] = read('{\n "task": "t",\n "final_answer": oops\n}')

    assert isinstance(problem, RunProblem)
    assert "line 3 of it" in problem.message


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (GOOD, True),
        (GOOD[:30], True),
        (json.dumps(json.loads(GOOD), indent=1)[:25], True),
        ('[\n {"task": "t", "final_answer": "a"}]', True),
        ('{"steps": [{"tool_call": {"name": "messages"}}], "final_answer": "a"}', True),
        ('{"task": "t"}', True),
        ('{"schema": "agent-trace/v1", "task": {}, "steps": [], "final_answer": 1}', False),
        ('{"messages": [], "task": "t"}', False),
        ("{}", False),
        ("", False),
        ("[1]", False),
        ("\x1f\x8b\x08", False),
        ('not json\n{"task": "t", "final_answer": "a"}', True),
        ('{\n"task": "t",\n"steps": [\n{"tool_call": {"name": "a"}}\n],\n"final_answer": "a"\n}', True),
        ('{\n"messages": [\n{"task": "t", "final_answer": "a"}\n]\n}', False),
    ],
)
def test_run_file_is_recognised_by_its_start(head: str, expected: bool) -> None:
    assert looks_like_run_file(head.encode("latin-1")) is expected


def test_one_run_is_loaded_from_a_dict() -> None:
    assert load_run({"task": "t", "final_answer": "a"}).task == "t"
    with pytest.raises(InputError, match=r"\$\.task: expected a string"):
        load_run({"task": 1, "final_answer": "a"})
    with pytest.raises(InputError, match="not a list"):
        load_run([])  # type: ignore[arg-type]
