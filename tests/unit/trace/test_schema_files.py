from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from agent_claimcheck.core.resources import data_path
from agent_claimcheck.trace.model import (
    AgentRef,
    Artifact,
    Claim,
    End,
    FinalClaim,
    Origin,
    Step,
    Subtrace,
    Task,
    ToolDef,
    Trace,
)
from agent_claimcheck.trace.schema import Schema, child_path, load_schema, show

REPOSITORY = Path(__file__).parents[3]
NAMES = ["agent-trace-v1", "agent-trace-v2", "probe-v1"]


@pytest.mark.parametrize("name", NAMES)
def test_the_published_and_the_packaged_schema_are_the_same_file(name):
    assert (REPOSITORY / "schemas" / f"{name}.json").read_bytes() == data_path(f"schemas/{name}.json").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_valid_schemas(name):
    jsonschema.Draft202012Validator.check_schema(load_schema(name).document)


def test_v1_has_exactly_the_fields_of_the_format():
    document = load_schema("agent-trace-v1").document
    parts = document["$defs"]
    assert set(document["properties"]) == {
        "schema", "trace_id", "source", "task", "steps", "final_claim", "ground_truth", "meta",
    }  # fmt: skip
    assert set(document["required"]) == set(document["properties"]) - {"ground_truth", "meta"}
    assert set(parts["task"]["properties"]) == {"id", "domain", "instruction"}
    assert parts["task"]["properties"]["domain"]["enum"] == ["booking", "crm", "coding", "browser", "other"]
    assert set(parts["step"]["required"]) == {"i", "ts", "kind", "role"}
    assert all(part["additionalProperties"] is False for part in (document, *parts.values()))


def test_v2_has_a_field_for_everything_the_model_holds():
    document = load_schema("agent-trace-v2").document
    parts = document["$defs"]
    assert {*document["properties"]} - {"schema"} == {*Trace.__struct_fields__} - {"where", "notes"}
    for name, record in {
        "step": Step,
        "task": Task,
        "claim": Claim,
        "final_claim": FinalClaim,
        "origin": Origin,
        "tool": ToolDef,
        "agent": AgentRef,
        "artifact": Artifact,
        "subtrace": Subtrace,
        "end": End,
    }.items():
        assert set(parts[name]["properties"]) == set(record.__struct_fields__), name


def test_v2_says_all_that_v1_says():
    v1, v2 = (load_schema(name).document for name in NAMES[:2])
    assert v1["properties"].keys() <= v2["properties"].keys()
    assert v1["required"] == v2["required"]
    for name, part in v1["$defs"].items():
        assert part["properties"].keys() <= v2["$defs"][name]["properties"].keys()
        assert part["required"] == v2["$defs"][name]["required"]


def test_a_schema_with_a_keyword_nobody_checks_is_refused():
    for document in (
        {"type": "object", "maxProperties": 3},
        {"properties": {"a": {"pattern": "x"}}},
        {"$defs": {"a": {"items": {"maximum": 3}}}},
    ):
        with pytest.raises(ValueError, match="not supported"):
            Schema(document)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('a"b\n', '"a\\"b\\n"'),
        ({}, "an object of 0 fields"),
        ({"a": 1}, "an object of 1 field"),
        ([1, 2], "a list of 2 items"),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
    ],
)
def test_values_are_shown_short(value, said):
    assert show(value) == said
    assert len(show("x" * 10_000)) < 70


def test_paths_quote_odd_keys():
    assert child_path("$", "steps") == "$.steps"
    assert child_path("$.steps", 3) == "$.steps[3]"
    assert child_path("$", "a b\x1b") == '$["a b\\x1b"]'


def test_schema_documents_are_plain_json():
    for name in NAMES:
        text = data_path(f"schemas/{name}.json").read_text("utf-8")
        assert json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n" == text
