"""Drafting never crashes on any JSON, and whatever it proposes loads."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.packs.load import parse_pack
from agent_claimcheck.pipeline.draft.definitions import read_definitions
from agent_claimcheck.pipeline.draft.drafting import draft_pack
from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Step, Task, Trace

NAMES = st.sampled_from(["create_desk", "get_desk", "a.send_x", "[x]*", "", "on", "cancel.order"]) | st.text(
    max_size=12
)
KEYS = st.sampled_from(["id", "desk_id", "status", "a.b", "args", "", "yes", "failed", 'q"', " x"]) | st.text(
    max_size=6
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=10,
)
OBJECTS = st.dictionaries(KEYS, ANY_JSON, max_size=4)
SCHEMAS = st.dictionaries(
    st.sampled_from(["type", "properties", "allOf", "$ref", "items"]),
    ANY_JSON | st.dictionaries(KEYS, OBJECTS, max_size=3),
)
ENTRIES = st.fixed_dictionaries({"name": NAMES, "input_schema": SCHEMAS}) | st.fixed_dictionaries(
    {"type": st.just("function"), "function": st.fixed_dictionaries({"name": NAMES, "parameters": SCHEMAS})}
)
PATHS = st.dictionaries(st.text(max_size=10), st.dictionaries(st.sampled_from(["get", "post", "parameters"]), ANY_JSON))
DOCUMENTS = ANY_JSON | st.lists(ENTRIES, max_size=4) | st.fixed_dictionaries({"openapi": ANY_JSON, "paths": PATHS})


@settings(max_examples=150)
@given(DOCUMENTS)
@example([{"name": "\r", "input_schema": {}}, {"name": "create_desk", "input_schema": {}}])
def test_any_document_gives_definitions_whose_draft_loads(document: Any) -> None:
    tools = read_definitions(document)
    if tools:
        parse_pack(draft_pack(tools, []).pack, "draft")


def made_trace(
    name: str, probe: str, claim_type: str, subject: dict[str, Any], args: dict[str, Any], output: Any, number: int
) -> Trace:
    steps = [
        Step(i=0, ts="2026-03-02T16:50:00Z", kind="tool_call", role="agent", name=name, args=args),
        Step(i=1, ts="2026-03-02T16:50:01Z", kind="tool_result", role="tool", name=name, ok=True, output=output),
        Step(
            i=2, ts="2026-03-02T16:50:02Z", kind="state_probe", role="environment", name=probe, ok=True, output=output
        ),
    ]
    return Trace(
        trace_id=f"t{number}",
        source="s",
        task=Task(id="1", domain="other", instruction=""),
        steps=steps,
        final_claim=FinalClaim(text="Done.", claims=[Claim(type=claim_type, subject=subject)]),
        ground_truth=GroundTruth(outcome="success", checked_by="human"),
    )


@settings(max_examples=150)
@given(NAMES, NAMES, st.sampled_from(["desk_booked", "yes", "x"]) | st.text(max_size=8), OBJECTS, OBJECTS, ANY_JSON)
@example("\r", "get_desk", "desk_booked", {"id": "7"}, {"id": "7"}, {"id": "7"})
@example("create_desk", " ", "\u2003", {"id": "7"}, {"id": "7"}, {"id": "7"})
def test_any_runs_give_a_draft_that_loads(
    name: str, probe: str, claim_type: str, subject: dict[str, Any], args: dict[str, Any], output: Any
) -> None:
    traces = [made_trace(name, probe, claim_type, subject, args, output, number) for number in range(4)]
    try:
        made = draft_pack([], traces)
    except InputError:
        return
    parse_pack(made.pack, "draft")
