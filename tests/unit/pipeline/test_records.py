from __future__ import annotations

import json

import pytest

from agent_claimcheck import Checker, check_records, load_traces
from agent_claimcheck.core.errors import TraceError
from agent_claimcheck.core.resources import resolve_alias
from agent_claimcheck.results.v2 import encode_v2


@pytest.fixture(scope="module")
def texts() -> list[str]:
    path = resolve_alias("example:mixed")
    assert path is not None
    return path.read_text().splitlines()


def test_every_form_of_a_record_gives_the_same_result(texts):
    forms = [
        texts,
        [text.encode() for text in texts],
        [json.loads(text) for text in texts],
        list(load_traces("example:mixed")),
    ]
    found = []
    for records in forms:
        results = list(check_records(records, checker=Checker("rules")))
        found.append([(result.trace_id, result.verdict, result.reasons) for result in results])
    assert len(found[0]) == 12
    assert found[1:] == found[:1] * 3


def test_results_come_before_the_next_record_is_asked_for(texts):
    asked = []

    def records():
        for text in texts:
            asked.append(text)
            yield text

    next(check_records(records(), checker=Checker("rules")))
    assert len(asked) == 1


def test_a_bad_record_is_told_or_raised(texts):
    told = []
    bad = [texts[0], "{", {"a": object()}, {"a": {1, 2}}, texts[1]]
    results = list(check_records(bad, checker=Checker("rules"), on_problem=told.append))
    assert len(results) == 2
    assert {problem.line for problem in told} == {2, 3, 4}
    with pytest.raises(TraceError, match="<records>:2"):
        list(check_records(bad, checker=Checker("rules")))


def test_results_are_those_of_a_checker():
    direct = [encode_v2(result) for result in Checker("rules").check(load_traces("example:mixed"))]
    from_records = [
        encode_v2(result) for result in check_records(load_traces("example:mixed"), checker=Checker("rules"))
    ]
    assert from_records == direct


def test_runs_of_foreign_formats_are_read_as_from_a_file():
    call = {"id": "c1", "type": "function", "function": {"name": "book_desk", "arguments": '{"desk": "D7"}'}}
    messages = [
        {"role": "user", "content": "Book desk D7."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"error": "the desk is taken"}'},
        {"role": "assistant", "content": "I have booked desk D7."},
    ]
    told = []
    records = [{"id": "run-1", "messages": messages}, {"a": 1}, messages]
    results = list(check_records(records, checker=Checker("rules"), on_problem=told.append))
    assert [result.verdict for result in results] == ["false_success", "false_success"]
    assert results[0].trace_id == "run-1"
    assert (results[0].started_at, results[0].ended_at) == (None, None)  # a chat log holds no times
    assert [(problem.file, problem.line) for problem in told] == [("<records>", 2)]
    assert "JSON of no known format" in told[0].message
