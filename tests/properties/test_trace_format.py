"""Traces in both versions: decoder and schema agree, nothing is lost on the way out and back, no bytes crash it."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.resources import read_data
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.diagnose import diagnose
from agent_claimcheck.trace.model import Trace, Where
from agent_claimcheck.trace.timestamps import is_timestamp
from agent_claimcheck.trace.versions import down, up
from agent_claimcheck.trace.write import to_json

WHERE = Where(file="f", line=1)
SCHEMAS = {version: json.loads(read_data(f"schemas/agent-trace-{version}.json")) for version in ("v1", "v2")}

checker = jsonschema.FormatChecker(formats=())
checker.checks("date-time")(lambda value: not isinstance(value, str) or is_timestamp(value))
VALIDATORS = {
    version: jsonschema.Draft202012Validator(schema, format_checker=checker) for version, schema in SCHEMAS.items()
}

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=8) | st.sampled_from(
    [":", '":"', "\\", '\\"', "a:b"]
)
numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(-1e15, 1e15) | st.integers(0, 3).map(float)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, values, max_size=3)
times = st.sampled_from(["2026-01-01", "2026-01-01T10:00:00Z", "2026-01-01T10:00:00.25+02:00", "20260101T1000"])


def valid(part: dict[str, Any], definitions: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that ``part`` of a schema accepts."""
    if "$ref" in part:
        return valid(definitions[part["$ref"].removeprefix("#/$defs/")], definitions)
    if "anyOf" in part:
        return st.one_of([valid(branch, definitions) for branch in part["anyOf"]])
    if "const" in part:
        return st.just(part["const"])
    if "enum" in part:
        return st.sampled_from(part["enum"])
    wanted = part.get("type")
    if wanted is None:
        return values
    names = [wanted] if isinstance(wanted, str) else wanted
    return st.one_of([valid_of_type(name, part, definitions) for name in names])


def valid_of_type(name: str, part: dict[str, Any], definitions: dict[str, Any]) -> st.SearchStrategy[Any]:
    match name:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(0, 50) | st.integers(0, 9).map(float)
        case "string":
            if part.get("format") == "date-time":
                return times
            return texts.filter(bool) if part.get("minLength") else texts
        case "array":
            return st.lists(valid(part["items"], definitions) if "items" in part else values, max_size=3)
        case _:
            if "properties" not in part:
                inner = part.get("additionalProperties", True)
                is_free = isinstance(inner, bool)
                return objects if is_free else st.dictionaries(texts, valid(inner, definitions), max_size=2)
            fields = {key: valid(value, definitions) for key, value in part["properties"].items()}
            required = part.get("required", [])
            return st.fixed_dictionaries(
                {key: fields[key] for key in required},
                optional={key: value for key, value in fields.items() if key not in required},
            )


def in_order(document: dict[str, Any]) -> dict[str, Any]:
    """Make true what a schema cannot ask for."""
    total = 0
    for step in document["steps"]:
        total += int(step["i"]) + 1
        step["i"] = float(total) if isinstance(step["i"], float) else total
        if isinstance(step.get("content"), list):
            step.pop("blocks", None)
    return document


DOCUMENTS = {version: valid(schema, schema["$defs"]).map(in_order) for version, schema in SCHEMAS.items()}
documents = st.one_of(*DOCUMENTS.values())


def containers(value: Any) -> list[Any]:
    found: list[Any] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list) and item:
            found.append(item)
            waiting += item.values() if isinstance(item, dict) else item
    return found


@st.composite
def mutated(draw: st.DrawFn, version: str) -> dict[str, Any]:
    """A valid document with one to three changes somewhere, which may or may not leave it valid."""
    document = copy.deepcopy(draw(DOCUMENTS[version]))
    for _ in range(draw(st.integers(1, 3))):
        target = draw(st.sampled_from(containers(document)))
        key = draw(st.sampled_from(list(target) if isinstance(target, dict) else range(len(target))))
        match draw(st.sampled_from(["replace", "replace", "remove", "add"])):
            case "replace":
                target[key] = draw(values)
            case "remove" if isinstance(target, dict):
                del target[key]
            case "add" if isinstance(target, dict):
                target[draw(texts | st.sampled_from(["call_id", "blocks", "model", "meta", "details", "quote"]))] = (
                    draw(values)
                )
            case _:
                target[key] = None
    assume(document.get("schema") == SCHEMAS[version]["title"])
    return document


def encode(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def without_place(trace: Trace) -> Trace:
    return msgspec.structs.replace(trace, where=None)


def read(data: bytes) -> Trace:
    found = decode_trace(data, file="f", line=1)
    assert isinstance(found, Trace), found
    return without_place(found)


@pytest.mark.parametrize("version", ["v1", "v2"])
@settings(max_examples=60)
@given(data=st.data())
def test_what_the_schema_accepts_is_read(version, data):
    document = data.draw(DOCUMENTS[version])
    assert VALIDATORS[version].is_valid(document)
    read(encode(document))


@pytest.mark.parametrize("version", ["v1", "v2"])
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_decoder_and_schema_agree_on_damaged_documents(version, data):
    document = data.draw(mutated(version))
    found = decode_trace(encode(document), file="f", line=1)
    if isinstance(found, list):
        said = {problem.message.split(",")[-1] for problem in found}
        beyond_schema = {" the one before", " in content and in blocks"}
        assert not VALIDATORS[version].is_valid(document) or said <= beyond_schema
    else:
        assert VALIDATORS[version].is_valid(document)


@settings(max_examples=80)
@given(documents)
def test_both_paths_of_the_decoder_read_the_same(document):
    data = encode(document)
    assert diagnose(data, WHERE) == decode_trace(data, file="f", line=1)


@settings(max_examples=80)
@given(documents)
def test_writing_and_reading_give_the_trace_back(document):
    trace = read(encode(document))
    for version in ("v1", "v2"):
        written = to_json(trace, version)
        assert VALIDATORS[version].is_valid(json.loads(written))
        assert read(written) == trace
        assert to_json(read(written), version) == written


@settings(max_examples=80)
@given(documents)
def test_down_and_up_lose_nothing(document):
    trace = read(encode(document))
    plain = down(trace)
    assert up(plain) == trace
    assert down(up(plain)) == plain


@settings(max_examples=60)
@given(st.data())
def test_a_repeated_key_is_refused_wherever_it_is(data):
    document = data.draw(documents)
    target = data.draw(st.sampled_from([item for item in containers(document) if isinstance(item, dict)]))
    key = data.draw(st.sampled_from(list(target)))
    # A stand-in key is swapped for the real one after encoding, so that the text repeats it.
    target["\u2603stand-in"] = data.draw(values)
    text = json.dumps(document, ensure_ascii=False)
    assume(text.count("\u2603stand-in") == 1)
    repeated = text.replace('"\u2603stand-in"', json.dumps(key, ensure_ascii=data.draw(st.booleans())))
    assert isinstance(decode_trace(repeated.encode(), file="f", line=1), list)


@settings(max_examples=200)
@given(st.binary(max_size=60) | values.map(encode))
def test_no_bytes_crash_the_decoder(data):
    found = decode_trace(data, file="f", line=1)
    assert isinstance(found, list)
    assert found == sorted(found, key=lambda problem: (problem.path, problem.message))


@settings(max_examples=100)
@given(documents.map(encode), st.integers(0, 10_000), st.binary(max_size=3))
def test_damaged_bytes_never_crash_the_decoder(data, place, inserted):
    place %= len(data)
    decode_trace(data[:place] + inserted + data[place + 1 :], file="f", line=1)
