"""The fields of a trace: which values are read, and what is said of the others."""

from __future__ import annotations

import json

import pytest

from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.diagnose import MAX_FAULTS
from agent_claimcheck.trace.model import Step, TraceProblem, Where
from decoded import faults, read, with_meta, with_step


def test_a_plain_line_becomes_a_trace_that_knows_where_it_stood(line):
    trace = read(line())
    assert trace.trace_id == "t-1"
    assert trace.where == Where(file="f.jsonl", line=3)
    assert trace.notes == ()
    assert trace.final_claim.claims == []
    assert trace.steps[1] == Step(
        i=1, ts="2026-01-01T10:00:01Z", kind="tool_result", role="tool", name="water", ok=True
    )


def test_labels_claims_and_meta_are_kept(line):
    trace = read(
        line(
            ground_truth={"outcome": "failure", "checked_by": "human", "details": {"note": "x"}},
            meta={"k": [1, None]},
            final_claim={"text": None, "claims": [{"type": "booked"}, {"type": "sent", "subject": {"to": "a"}}]},
        )
    )
    assert trace.ground_truth is not None
    assert trace.ground_truth.outcome == "failure"
    assert trace.meta == {"k": [1, None]}
    assert [claim.subject for claim in trace.final_claim.claims] == [{}, {"to": "a"}]


def test_a_byte_order_mark_and_spaces_around_are_accepted(line):
    assert read(b"\xef\xbb\xbf" + line() + b" \r\n").trace_id == "t-1"


def test_colons_and_escapes_in_texts_are_no_repeated_keys(line):
    text = ':start "quoted": and \\": more \\u003a'
    for raw in (json.dumps(text), json.dumps(text).replace(":", "\\u003a"), json.dumps(text).replace(":", "\\u003A")):
        assert read(with_meta(line, raw)).meta == {"x": text}


def test_every_missing_field_is_named_at_once():
    assert faults(b"{}") == [
        ("$", 'required field "schema" is missing; supported are agent-trace/v1 and agent-trace/v2')
    ]
    assert faults(b'{"schema": "agent-trace/v1", "task": {}}') == [
        ("$", 'required field "final_claim" is missing'),
        ("$", 'required field "source" is missing'),
        ("$", 'required field "steps" is missing'),
        ("$", 'required field "trace_id" is missing'),
        ("$.task", 'required field "domain" is missing'),
        ("$.task", 'required field "id" is missing'),
        ("$.task", 'required field "instruction" is missing'),
    ]


def test_faults_come_sorted_by_path_then_message(line):
    data = line(trace_id="", source=7, steps=[{"i": True, "ts": "now", "kind": "guess", "role": "agent", "x": 1}])
    assert faults(data) == [
        ("$.source", "expected a string, got 7"),
        ("$.steps[0]", 'unknown field "x"'),
        ("$.steps[0].i", "expected an integer, got true"),
        ("$.steps[0].kind", 'expected one of message, tool_call, tool_result, state_probe; got "guess"'),
        ("$.steps[0].ts", 'is not a date-time: "now"'),
        ("$.trace_id", "must not be empty"),
    ]


@pytest.mark.parametrize("schema", ["agent-trace/v3", "", None, 1, ["agent-trace/v1"], {"a": 1}])
def test_an_unknown_schema_is_the_only_fault_and_names_the_supported_ones(line, schema):
    ((path, message),) = faults(line(schema=schema, steps="no list"))
    assert path == "$.schema"
    assert message.startswith("unknown schema ")
    assert message.endswith("supported are agent-trace/v1 and agent-trace/v2")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"[]", "expected a trace object, got a list of 0 items"),
        (b"null", "expected a trace object, got null"),
        (b'"x"', 'expected a trace object, got "x"'),
        (b"3", "expected a trace object, got 3"),
    ],
)
def test_what_is_no_object_is_said_so(raw, said):
    assert faults(raw) == [("$", said)]


@pytest.mark.parametrize("value", [0.0, 0, 5e0, -0.0])
def test_a_whole_float_is_an_index(document, value):
    i = read(with_step(document, i=value)).steps[0].i
    assert i == value
    assert type(i) is int


@pytest.mark.parametrize("value", [True, False, -1, -1.0, 0.5, "0", None, 1e300])
def test_what_is_no_index_is_refused(document, value):
    assert [path for path, _ in faults(with_step(document, i=value))] == ["$.steps[0].i"]


@pytest.mark.parametrize("later", [0, 1])
def test_i_must_rise(document, later):
    steps = [{"i": i, "ts": "2026-01-01", "kind": "message", "role": "user"} for i in (0, 1, later, 2)]
    found = faults(json.dumps(document(steps=steps)).encode())
    assert found == [("$.steps[2].i", f"is {later}, must be greater than 1, the one before")]


def test_i_may_have_gaps(document):
    steps = [{"i": i, "ts": "2026-01-01", "kind": "message", "role": "user"} for i in (3, 10, 11)]
    assert [step.i for step in read(json.dumps(document(steps=steps)).encode()).steps] == [3, 10, 11]


@pytest.mark.parametrize(
    "ts",
    ["2026-01-01", "20260101T100000", "2026-W01-1", "2026-01-01T10:00", "2026-01-01 10:00:00.5+02:00", "2024-02-24"],
)
def test_iso_times_are_accepted(document, ts):
    assert read(with_step(document, ts=ts)).steps[0].ts == ts


@pytest.mark.parametrize(
    "ts",
    [
        "2026-01-01T23:59:60Z",
        "2026-01-01T24:00:00Z",
        "20260101T240000",
        "2026-01-01t10:00:00Z",
        "2026-01-01T10:00:00z",
        "2026-13-01",
        "10:00",
        "",
        "yesterday",
    ],
)
def test_leap_seconds_and_other_times_are_refused(document, ts):
    ((path, message),) = faults(with_step(document, ts=ts))
    assert path == "$.steps[0].ts"
    assert message.startswith("is not a date-time")


@pytest.mark.parametrize("field", ["call_id", "status", "blocks", "agent_id"])
def test_fields_of_v2_are_unknown_in_v1(document, field):
    assert faults(with_step(document, **{field: None})) == [("$.steps[0]", f'unknown field "{field}"')]


@pytest.mark.parametrize(
    ("field", "value"), [("meta", None), ("ground_truth", None), ("meta", []), ("steps", {}), ("task", None)]
)
def test_objects_of_v1_may_not_be_null_or_other_types(line, field, value):
    assert [path for path, _ in faults(line(**{field: value}))] == [f"$.{field}"]


@pytest.mark.parametrize(
    ("field", "value"), [("args", []), ("ok", 1), ("ok", "true"), ("error", 3), ("error", []), ("content", ["x"])]
)
def test_step_fields_are_strict(document, field, value):
    assert [path for path, _ in faults(with_step(document, **{field: value}))] == [f"$.steps[0].{field}"]


@pytest.mark.parametrize("output", [None, 1, 0.5, "x", True, [1, [2]], {"a": {"b": None}}])
def test_output_is_any_json(document, output):
    assert read(with_step(document, output=output)).steps[0].output == output


def test_shown_values_are_short_and_safe_to_print(document):
    bad = "\x1b[31m\u202e" + "x" * 5_000
    ((path, message),) = faults(with_step(document, kind=bad))
    assert path == "$.steps[0].kind"
    assert len(message) < 200
    assert "\\x1b[31m\\u202e" in message
    data = with_step(document, **{bad: 1})
    assert all(text.isprintable() and len(text) < 200 for fault in faults(data) for text in fault)


def test_the_number_of_faults_is_bounded(document):
    found = decode_trace(json.dumps(document(steps=[{}] * 5_000)).encode(), file="f", line=1)
    assert isinstance(found, list)
    assert len(found) == MAX_FAULTS + 1
    assert sum("only the first" in problem.message for problem in found) == 1


def test_problems_name_file_and_line():
    (problem,) = decode_trace(b"x", file="runs.jsonl", line=9)
    assert isinstance(problem, TraceProblem)
    assert str(problem).startswith("runs.jsonl:9: $: is not JSON")
