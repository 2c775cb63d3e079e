from __future__ import annotations

import json
from typing import Any

import pytest

from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.diagnose import MAX_FAULTS, NOTE_SURROGATES
from agent_claimcheck.trace.limits import MAX_DEPTH, MAX_LINE_BYTES
from agent_claimcheck.trace.model import Step, Trace, TraceProblem, Where


def read(data: bytes) -> Trace:
    found = decode_trace(data, file="f.jsonl", line=3)
    assert isinstance(found, Trace), found
    return found


def faults(data: bytes) -> list[tuple[str, str]]:
    found = decode_trace(data, file="f.jsonl", line=3)
    assert isinstance(found, list), "was accepted"
    assert found
    assert all((p.file, p.line, p.severity) == ("f.jsonl", 3, "error") for p in found)
    return [(p.path, p.message) for p in found]


def with_step(document: Any, **changes: Any) -> bytes:
    step = {"i": 0, "ts": "2026-01-01", "kind": "message", "role": "user", **changes}
    return json.dumps(document(steps=[step])).encode()


def with_meta(line: Any, raw: str) -> bytes:
    return line(meta={"x": "HERE"}).replace(b'"HERE"', raw.encode("utf-8"))


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
        (b'{"a": 1,}', "column 9"),
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


V2_STEP = {
    "i": 0,
    "ts": "2026-01-01",
    "kind": "reasoning",
    "role": "other_agent",
    "call_id": "c",
    "status": "denied",
    "status_source": "flag",
    "status_confidence": "weak",
    "exit_code": 1.0,
    "artifact_ids": ["a"],
}


def v2(line: Any, **changes: Any) -> bytes:
    return line(schema="agent-trace/v2", **changes)


def test_v2_fields_are_read(line):
    trace = read(
        v2(
            line,
            task={
                "id": "t",
                "domain": "travel",
                "instruction": "x",
                "allowed_tools": [],
                "tool_fallbacks": {"a": ["b"]},
            },
            steps=[V2_STEP],
            final_claim={
                "text": "Done.",
                "step": 0,
                "source": "final_tool",
                "claims": [{"type": "a", "quote": "Done"}],
            },
            tools=[{"name": "a", "parameters": {"type": "object"}}],
            agents=[{"id": "sub", "parent_id": "main"}],
            end={"reason": "limit"},
            origin={"format": "otel", "warnings": ["w"]},
            subtraces=[{"trace_id": "u"}],
            usage={"tokens": 3},
        )
    )
    step = trace.steps[0]
    assert (step.kind, step.role, step.call_id, step.status, step.exit_code) == (
        "reasoning", "other_agent", "c", "denied", 1,
    )  # fmt: skip
    assert trace.task.allowed_tools == []
    assert trace.task.domain == "travel"
    assert trace.final_claim.claims[0].quote == "Done"
    assert trace.end is not None and trace.end.reason == "limit"
    assert trace.origin is not None and trace.origin.warnings == ["w"]
    assert trace.subtraces is not None and trace.subtraces[0].relation == "delegate"


def test_v2_content_blocks_give_text_and_blocks(line):
    blocks = ["one", {"type": "image"}, {"type": "text", "text": "two"}]
    step = read(v2(line, steps=[{**V2_STEP, "content": blocks}])).steps[0]
    assert step.content == "one\ntwo"
    assert step.blocks == blocks


def test_v2_blocks_given_twice_are_refused(line):
    data = v2(line, steps=[{**V2_STEP, "content": ["a"], "blocks": ["b"]}])
    assert [path for path, _ in faults(data)] == ["$.steps[0].blocks"]


def test_v2_steps_without_a_time_inherit_one_and_say_so(line):
    times = [None, "2026-01-02", None]
    steps = [{"i": i, "ts": ts, "kind": "message", "role": "user"} for i, ts in enumerate(times)]
    found = read(v2(line, steps=steps)).steps
    assert [(step.ts, step.ts_source) for step in found] == [
        ("1970-01-01T00:00:00Z", "synthetic"),
        ("2026-01-02", None),
        ("2026-01-02", "synthetic"),
    ]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"end": {"reason": "bored"}}, "$.end.reason"),
        ({"end": {"reason": "limit", "x": 1}}, "$.end"),
        ({"tools": [{"name": 1}]}, "$.tools[0].name"),
        ({"agents": [{}]}, "$.agents[0]"),
        ({"origin": []}, "$.origin"),
        ({"artifacts": [{"id": "a", "bytes": 1}]}, "$.artifacts[0]"),
        ({"nonsense": 1}, "$"),
    ],
)
def test_v2_is_strict_too(line, changes, path):
    assert [p for p, _ in faults(v2(line, **changes))] == [path]


def test_v2_nulls_mean_absent(line):
    trace = read(v2(line, origin=None, tools=None, end=None, model=None, usage=None))
    assert trace == read(v2(line))


def test_a_v1_trace_that_mentions_v2_is_still_v1(line):
    assert read(line(meta={"schema": "agent-trace/v2"})).meta == {"schema": "agent-trace/v2"}


def test_problems_name_file_and_line():
    (problem,) = decode_trace(b"x", file="runs.jsonl", line=9)
    assert isinstance(problem, TraceProblem)
    assert str(problem).startswith("runs.jsonl:9: $: is not JSON")
