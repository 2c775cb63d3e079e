"""Tool definitions of each known form, and what is proposed for them."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.draft.definitions import read_definitions
from agent_claimcheck.pipeline.draft.drafting import draft_pack

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"lease_id": {"type": "string"}, "months": {"type": "integer"}, "starts_on": {"type": "string"}},
}
READ: dict[str, Any] = {"type": "object", "properties": {"lease_id": {"type": "string"}}}


def openapi() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "components": {"schemas": {"Lease": SCHEMA}},
        "paths": {
            "/leases": {
                "post": {
                    "operationId": "createLease",
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lease"}}}
                    },
                    "responses": {
                        "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lease"}}}}
                    },
                }
            },
            "/leases/{lease_id}": {
                "parameters": [{"name": "lease_id", "in": "path", "schema": {"type": "string"}}],
                "get": {"operationId": "getLease", "responses": {}},
            },
        },
    }


FORMS = {
    "openai": [
        {"type": "function", "function": {"name": "create_lease", "parameters": SCHEMA}},
        {"type": "function", "function": {"name": "get_lease", "parameters": READ}},
    ],
    "openai responses": {
        "tools": [
            {"type": "function", "name": "create_lease", "parameters": SCHEMA},
            {"type": "function", "name": "get_lease", "parameters": READ},
        ]
    },
    "anthropic": [{"name": "create_lease", "input_schema": SCHEMA}, {"name": "get_lease", "input_schema": READ}],
    "mcp": {
        "jsonrpc": "2.0",
        "result": {
            "tools": [
                {"name": "create_lease", "inputSchema": SCHEMA},
                {"name": "get_lease", "inputSchema": READ, "annotations": {"readOnlyHint": True}},
            ]
        },
    },
    "openapi": openapi(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_two_tools(form: str) -> None:
    writes, reads = read_definitions(FORMS[form])
    assert (writes.kind, writes.verb_class, reads.kind) == ("write", "created", "read")
    assert writes.params == {"lease_id": "string", "months": "integer", "starts_on": "string"}
    assert "lease_id" in reads.params


@pytest.mark.parametrize("form", FORMS)
def test_a_draft_from_definitions_alone_names_the_reader(form: str) -> None:
    made = draft_pack(read_definitions(FORMS[form]), [])
    (rule,) = made.draft.rules
    assert rule.claim_type == "lease_created"
    assert rule.probe in ("get_lease", "getLease")
    pack = parse_pack(made.pack, "draft")
    assert {check.path: check.normaliser for check in pack.claims["lease_created"].probe_checks}[
        "starts_on"
    ] == "datetime"


def test_references_out_of_the_document_and_in_circles_are_left_alone() -> None:
    document = openapi()
    document["components"]["schemas"]["Lease"] = {"$ref": "#/components/schemas/Lease"}
    document["paths"]["/leases"]["post"]["responses"] = {"200": {"$ref": "https://other.test/x.json"}}
    assert read_definitions(document)[0].params == {}


def test_tools_that_remove_or_say_nothing_get_no_rule() -> None:
    tools = read_definitions(
        [{"name": name, "input_schema": READ} for name in ("delete_lease", "frobnicate", "get_lease")]
    )
    made = draft_pack(tools, [])
    assert made.draft.rules == ()
    assert [text.split(":")[0] for text in made.draft.skipped] == ["delete_lease", "frobnicate"]
    assert parse_pack(made.pack, "draft").claims == {}


def test_two_tools_of_one_claim_type_keep_rules_of_their_own() -> None:
    tools = read_definitions([{"name": name, "input_schema": SCHEMA} for name in ("a.create_lease", "b.create_lease")])
    rules = draft_pack(tools, []).draft.rules
    assert len({rule.claim_type for rule in rules}) == 2
    assert {rule.action for rule in rules} == {"a.create_lease", "b.create_lease"}


def test_an_answer_given_a_readers_id_says_where_the_probe_takes_it_from() -> None:
    cancel = {"name": "cancel_lease", "input_schema": READ}
    (rule,) = draft_pack(read_definitions([cancel, {"name": "get_lease", "input_schema": READ}]), []).draft.rules
    assert rule.record_from == "call.args.lease_id"
