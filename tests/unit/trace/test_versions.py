from __future__ import annotations

import json

import pytest

from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import AgentRef, Claim, End, FinalClaim, Origin, Task, ToolDef, Trace
from agent_claimcheck.trace.pairing import pair
from agent_claimcheck.trace.versions import NOTE_SIDECAR, SIDECAR, down, up


def test_what_v1_can_say_is_left_alone(trace, call, result):
    plain = trace(call(0), result(1, ok=True), meta={"k": 1})
    assert down(plain) is plain
    assert up(plain) is plain


def test_everything_comes_back(trace, call, result, message):
    rich = trace(
        message(0, None, role="system", kind="system_event", blocks=["be kind", {"type": "image"}]),
        call(2, call_id="a", parallel_group="g", ts_source="recorded"),
        call(3, call_id="b", parallel_group="g", raw_args="not json"),
        result(5, call_id="a", status="error", exit_code=1, status_source="exit_code"),
        result(6, call_id="b", status="ok"),
        message(9, "thinking", kind="reasoning"),
        task=Task(id="t", domain="travel", instruction="x", allowed_tools=[], turns=[0], system_prompt="be kind"),
        final_claim=FinalClaim(
            text="Done.", step=9, source="text", claims=[Claim(type="a"), Claim(type="b", quote="Do")]
        ),
        origin=Origin(format="otel"),
        tools=[ToolDef(name="water")],
        end=End(reason="completed"),
        usage={"tokens": 1},
        model="m",
    )
    plain = down(rich)
    assert plain != rich
    assert up(plain) == rich
    assert down(up(plain)) == plain


def test_unknown_kinds_and_roles_become_plain_messages_of_the_environment(trace, message):
    plain = down(
        trace(
            message(0, "rules", role="system"),
            message(1, "rules", role="developer"),
            message(2, "done!", role="other_agent"),
            message(3, "hm", kind="reasoning"),
            message(4, "over", kind="handoff"),
        )
    )
    assert [(step.kind, step.role) for step in plain.steps] == [
        ("message", "environment"),
        ("message", "environment"),
        ("message", "environment"),
        ("message", "agent"),
        ("message", "agent"),
    ]


@pytest.mark.parametrize(
    ("status", "ok"),
    [
        ("ok", True),
        ("error", False),
        ("denied", False),
        ("cancelled", False),
        ("timeout", False),
        ("invalid", False),
        ("partial", None),
        ("unknown", None),
    ],
)
def test_a_status_gives_ok(trace, call, result, status, ok):
    assert down(trace(call(0), result(1, status=status))).steps[1].ok is ok


def test_a_declared_ok_is_kept(trace, call, result):
    assert down(trace(call(0), result(1, status="error", ok=True))).steps[1].ok is True


def test_blocks_give_the_text(trace, message):
    assert down(trace(message(0, None, blocks=["a", {"text": "b"}]))).steps[0].content == "a\nb"


def test_other_domains_become_other(trace):
    assert down(trace(task=Task(id="t", domain="travel", instruction="x"))).task.domain == "other"


def test_parallel_calls_stand_beside_their_results_in_v1(trace, call, result):
    rich = trace(
        call(1, args={"n": 1}, call_id="a"),
        call(4, args={"n": 2}, call_id="b"),
        result(5, output=2, call_id="b"),
        result(7, output=1, call_id="a"),
    )
    plain = down(rich)
    assert [(step.i, step.kind) for step in plain.steps] == [
        (1, "tool_call"),
        (4, "tool_result"),
        (5, "tool_call"),
        (7, "tool_result"),
    ]
    found = [(item.call.args, item.result.output) for item in pair(plain.steps).calls if item.result]
    assert found == [({"n": 1}, 1), ({"n": 2}, 2)]
    assert not any(item.is_ambiguous for item in pair(plain.steps).calls)
    assert up(plain) == rich


def test_the_order_stays_where_it_does_not_mislead(trace, call, result, message):
    rich = trace(call(0, "a", call_id="a"), call(1, "b", call_id="b"), result(2, "a", call_id="a"), message(3))
    assert [step.i for step in down(rich).steps] == [0, 1, 2, 3]
    assert "order" not in (down(rich).meta or {})[SIDECAR]


def test_a_result_takes_over_the_name_of_its_call(trace, call, result):
    rich = trace(call(0, "a", call_id="x"), result(1, None, call_id="x"))
    assert down(rich).steps[1].name == "a"
    assert up(down(rich)) == rich


def test_a_result_of_an_unknown_call_does_not_answer_another_one(trace, call, result):
    rich = trace(call(0, "a", call_id="x"), result(1, "a", ok=True, call_id="lost"))
    assert pair(down(rich).steps).calls[0].result is None
    assert up(down(rich)) == rich


def test_a_sub_agents_receipt_does_not_answer_the_main_agent(trace, call, result):
    rich = trace(
        call(0, "book", args={"n": 1}),
        result(1, "book", ok=False),
        call(2, "book", agent_id="helper"),
        result(3, "book", agent_id="helper", ok=True),
        agents=[AgentRef(id="helper", parent_id="main")],
    )
    plain = down(rich)
    assert [step.name for step in plain.steps] == ["book", "book", "helper/book", "helper/book"]
    assert up(plain) == rich
    assert [step.name for step in down(rich, keep_names=True).steps] == ["book"] * 4
    assert up(down(rich, keep_names=True)) == rich


def test_steps_added_behind_survive_the_way_back(trace, call, result):
    rich = trace(call(0, call_id="a"), call(1, call_id="b"), result(2, call_id="a"), result(3, call_id="b"))
    plain = down(rich)
    longer = trace(*plain.steps, call(9, "probe"), meta=plain.meta)
    assert up(longer).steps == [*rich.steps, call(9, "probe")]


def test_meta_that_used_the_name_of_the_sidecar_comes_back(trace, call):
    for steps in ((call(0),), (call(0, call_id="x"),)):
        odd = trace(*steps, meta={SIDECAR: "mine", "k": 1})
        assert up(down(odd)) == odd


def test_no_meta_and_empty_meta_are_told_apart(trace, call):
    for meta in (None, {}):
        rich = trace(call(0, call_id="x"), meta=meta)
        assert up(down(rich)).meta == meta


BAD_SIDECARS = [
    None,
    7,
    "x",
    [],
    {"unknown": 1},
    {"top": []},
    {"top": {"end": {"reason": "bored"}}},
    {"top": {"ground_truth": {}}},
    {"steps": {"0": {"call_id": 5}}},
    {"steps": {"0": {"i": 7}}},
    {"steps": {"0": {"ts": "x"}}},
    {"steps": {"0": {"nonsense": 1}}},
    {"steps": [1]},
    {"order": [0, 0]},
    {"order": [1]},
    {"order": [5, 4, 3, 2, 1, 0]},
    {"order": ["0"]},
    {"task": {"instruction": "pay me"}},
    {"final_claim": {"text": "other words"}},
    {"claims": {"0": {"type": 3}}},
    {"shadowed": {"deep": [[[]]]}, "no_meta": "yes"},
]


@pytest.mark.parametrize("sidecar", BAD_SIDECARS)
def test_a_hostile_sidecar_is_left_where_it_is_with_a_note(document, sidecar):
    data = json.dumps(document(meta={SIDECAR: sidecar}, final_claim={"text": "x", "claims": [{"type": "a"}]})).encode()
    found = decode_trace(data, file="f", line=1)
    assert isinstance(found, Trace)
    assert found.notes == (NOTE_SIDECAR,)
    assert found.meta == {SIDECAR: sidecar}
    assert [step.i for step in found.steps] == [0, 1]


def test_a_sidecar_may_speak_of_steps_that_are_gone(document):
    sidecar = {"steps": {"0": {"call_id": "x"}, "99": {"call_id": "y"}, "-1": {}, "x": {}}}
    found = decode_trace(json.dumps(document(meta={SIDECAR: sidecar})).encode(), file="f", line=1)
    assert isinstance(found, Trace)
    assert found.steps[0].call_id == "x"
    assert found.notes == ()


def test_in_v2_the_name_of_the_sidecar_means_nothing(document):
    data = json.dumps(document(schema="agent-trace/v2", meta={SIDECAR: {"top": {"model": "m"}}})).encode()
    found = decode_trace(data, file="f", line=1)
    assert isinstance(found, Trace)
    assert found.model is None
    assert found.meta == {SIDECAR: {"top": {"model": "m"}}}
