"""Which readings a trace asks for: never twice, never from values that may not belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.pipeline.probes_run import ProbeFile
from agent_claimcheck.pipeline.probes_run.planning import Plan
from agent_claimcheck.pipeline.probes_run.session import plan_trace
from agent_claimcheck.trace.model import Claim, Trace

Load = Callable[[str], ProbeFile]
MakeTrace = Callable[..., Trace]

SQL = 'sql.url = "sqlite:///x.db"\nsql.query = "SELECT 1 WHERE {}"\n'


def probes(
    params: dict[str, str],
    when: str = 'for_tools = ["parcels.*"]',
    extra: str = "",
    head: str = "",
    type_: str = "string",
) -> str:
    lines = [head, "[[probe]]", 'name = "parcels.get"', when, extra]
    for name, source in params.items():
        pattern = ", pattern = '[A-Za-z0-9@.-]+'" if type_ == "string" else ""
        lines.append(f'params.{name} = {{ from = {source}, type = "{type_}"{pattern} }}')
    lines.append(SQL.format(" AND ".join(f"{name} = :{name}" for name in params) or "1 = 1"))
    return "\n".join(lines)


OUTPUT_ID = {"parcel_id": '"call.output.parcel_id"'}


def values(plan: Plan) -> list[dict[str, Any]]:
    return [run.values for run in plan.runs]


def test_one_reading_per_record(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    file = load(probes(OUTPUT_ID))
    run = trace({"parcel_id": "P-1"}, {"parcel_id": "P-2"}, {"parcel_id": "P-1"})
    assert values(plan_trace(run, file, case)) == [{"parcel_id": "P-1"}, {"parcel_id": "P-2"}]


def test_values_inside_json_text_and_lists_are_found(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    file = load(probes({"parcel_id": '"call.output.parcels.-1.id"'}))
    assert values(plan_trace(trace('{"parcels": [{"id": "P-1"}, {"id": "P-2"}]}'), file, case)) == [
        {"parcel_id": "P-2"}
    ]
    file = load(probes({"parcel_id": '"call.output.ids"'}))
    assert values(plan_trace(trace({"ids": ["P-1", "P-2", "P-1"]}), file, case)) == [
        {"parcel_id": "P-1"}, {"parcel_id": "P-2"},
    ]  # fmt: skip


def test_the_first_place_that_has_a_value_is_used(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    file = load(probes({"id": '["call.output.id", "call.args.id", "task.id"]'}))
    assert values(plan_trace(trace({"id": "A"}, args={"id": "B"}), file, case)) == [{"id": "A"}]
    assert values(plan_trace(trace({}, args={"id": "B"}), file, case)) == [{"id": "B"}]
    assert values(plan_trace(trace({"id": None}), file, case)) == [{"id": "task-7"}]


def test_a_failed_call_and_another_tool_ask_for_nothing(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    file = load(probes(OUTPUT_ID))
    assert values(plan_trace(trace({"parcel_id": "P-1"}, ok=False), file, case)) == []
    assert values(plan_trace(trace({"parcel_id": "P-1"}, name="orders.create"), file, case)) == []


def test_claims_choose_the_probe_and_give_values(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    claims = [Claim(type="shipped", subject={"parcel_id": "P-1"}), Claim(type="paid", subject={"parcel_id": "P-2"})]
    run = trace({}, claims=claims)
    file = load(probes({"parcel_id": '"claim.subject.parcel_id"'}, 'for_claims = ["ship*"]'))
    assert values(plan_trace(run, file, case)) == [{"parcel_id": "P-1"}]
    file = load(probes({}, 'for_claims = ["delivered"]'))
    assert plan_trace(run, file, case).runs == ()
    file = load(probes({}, 'for_claims = ["shipped"]'))
    assert values(plan_trace(run, file, case)) == [{}]


def test_a_probe_for_claims_and_tools_needs_both(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    both = 'for_claims = ["shipped"]\nfor_tools = ["parcels.*"]'
    file = load(probes(OUTPUT_ID, both))
    run = trace({"parcel_id": "P-1"}, claims=[Claim(type="shipped")])
    assert values(plan_trace(run, file, case)) == [{"parcel_id": "P-1"}]
    other = trace({"parcel_id": "P-1"}, claims=[Claim(type="paid")])
    assert plan_trace(other, file, case).runs == ()


def test_values_of_claims_and_calls_meet_only_when_there_is_one_pair(
    load: Load, trace: MakeTrace, case: CaseSettings
) -> None:
    both = 'for_claims = ["shipped"]\nfor_tools = ["parcels.*"]'
    file = load(probes({"parcel_id": '"call.output.parcel_id"', "to": '"claim.subject.to"'}, both))
    one = [Claim(type="shipped", subject={"to": "ada@mail.example"})]
    assert values(plan_trace(trace({"parcel_id": "P-1"}, claims=one), file, case)) == [
        {"parcel_id": "P-1", "to": "ada@mail.example"}
    ]
    for run in (
        trace({"parcel_id": "P-1"}, {"parcel_id": "P-2"}, claims=one),
        trace({"parcel_id": "P-1"}, claims=[*one, Claim(type="shipped", subject={"to": "bo@mail.example"})]),
    ):
        plan = plan_trace(run, file, case)
        assert plan.runs == ()
        assert "which belong together is not known" in plan.refusals[0].reason


def test_several_list_items_meet_no_second_value(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    file = load(probes({"id": '"call.output.ids"', "day": '"call.output.days"'}))
    for output in ({"ids": ["A", "B"], "days": ["1", "2"]}, {"ids": ["A", "B"], "days": "1"}):
        plan = plan_trace(trace(output), file, case)
        assert plan.runs == ()
        assert "several values for one record" in plan.refusals[0].reason


def test_an_ambiguous_result_gives_no_value(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    run = trace({"parcel_id": "P-1"}, {"parcel_id": "P-2"})
    user, call_1, result_1, call_2, result_2 = run.steps
    mixed = [user, call_1, call_2, result_1, result_2]
    steps = [
        type(step)(**{**{f: getattr(step, f) for f in step.__struct_fields__}, "i": i}) for i, step in enumerate(mixed)
    ]
    run = type(run)(**{**{f: getattr(run, f) for f in run.__struct_fields__}, "steps": steps})
    plan = plan_trace(run, load(probes(OUTPUT_ID)), case)
    assert plan.runs == ()
    assert "no value for parcel_id" in plan.refusals[0].reason


def test_refused_values_are_named_and_safe_to_print(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    plan = plan_trace(trace({"parcel_id": "P-1\x1b[2J" + "x" * 1_000_000}), load(probes(OUTPUT_ID)), case)
    [refusal] = plan.refusals
    assert refusal.reason.startswith("parcel_id is longer than 200 characters")
    assert len(refusal.reason) < 200
    assert refusal.reason.isprintable()


def test_a_value_that_is_no_text_is_told_by_its_kind(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    [refusal] = plan_trace(trace({"parcel_id": {"a": 1}}), load(probes(OUTPUT_ID)), case).refusals
    assert refusal.reason == "parcel_id is neither text nor a whole number: a JSON object"


def test_a_trace_asks_for_a_bounded_number_of_readings(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    file = load(probes(OUTPUT_ID, head="limits.max_runs_per_trace = 3"))
    plan = plan_trace(trace(*({"parcel_id": f"P-{n}"} for n in range(10))), file, case)
    assert len(plan.runs) == 3
    assert [refusal.reason for refusal in plan.refusals] == ["the trace asks for more than 3 readings"]


def test_hostile_shapes_ask_for_nothing(load: Load, trace: MakeTrace, case: CaseSettings) -> None:
    deep: Any = "P-1"
    for _ in range(150):
        deep = [deep]
    for output in (None, 7, True, [], {}, "text", "[" * 3000, {"parcel_id": {"a": 1}}, {"parcel_id": deep}):
        assert plan_trace(trace(output), load(probes(OUTPUT_ID)), case).runs == ()
