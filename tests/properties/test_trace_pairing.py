from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.trace.model import Step
from agent_claimcheck.trace.pairing import pair

few = st.none() | st.sampled_from("ab")


@st.composite
def step_lists(draw: st.DrawFn) -> list[Step]:
    kinds = st.sampled_from(["tool_call", "tool_call", "tool_result", "tool_result", "message"])
    return [
        Step(
            i=i,
            ts="2026-01-01",
            kind=draw(kinds),
            role="agent",
            name=draw(few),
            call_id=draw(few),
            agent_id=draw(few),
        )
        for i in range(draw(st.integers(0, 14)))
    ]


@settings(max_examples=300)
@given(step_lists())
def test_every_call_and_every_result_appears_once(steps):
    pairing = pair(steps)
    assert [item.call for item in pairing.calls] == [step for step in steps if step.kind == "tool_call"]
    results = [step.i for item in pairing.calls for step in item.results] + [step.i for step in pairing.orphans]
    assert sorted(results) == [step.i for step in steps if step.kind == "tool_result"]


@settings(max_examples=300)
@given(step_lists())
def test_results_follow_their_call_and_fit_it(steps):
    for item in pair(steps).calls:
        assert item.result == (item.results[-1] if item.results else None)
        for result in item.results:
            assert result.i > item.call.i
            assert result.call_id == item.call.call_id or result.name == item.call.name


@settings(max_examples=300)
@given(step_lists())
def test_pairs_settled_by_id_never_depend_on_names(steps):
    ids = [step.call_id for step in steps if step.kind == "tool_call" and step.call_id]
    for result in (step for step in steps if step.kind == "tool_result" and ids.count(step.call_id) == 1):
        call = next(step for step in steps if step.kind == "tool_call" and step.call_id == result.call_id)
        if call.i < result.i:
            assert any(item.call == call and result in item.results for item in pair(steps).calls)


@settings(max_examples=200)
@given(step_lists())
def test_without_ids_only_waiting_calls_make_doubt(steps):
    """With at most one call of a name between results, the documented rule alone decides."""
    calm = []
    for step in steps:
        if calm and calm[-1].kind == "tool_call":
            calm.append(Step(i=0, ts="2026-01-01", kind="tool_result", role="tool", name=calm[-1].name))
        calm.append(Step(i=0, ts="2026-01-01", kind=step.kind, role="agent", name=step.name))
    numbered = [Step(i=i, ts=s.ts, kind=s.kind, role=s.role, name=s.name) for i, s in enumerate(calm)]
    nearest: dict[str | None, int] = {}
    expected: dict[int, int] = {}
    for step in numbered:
        if step.kind == "tool_call":
            nearest[step.name] = step.i
        elif step.kind == "tool_result" and step.name in nearest:
            expected[step.i] = nearest[step.name]
    found = {result.i: item.call.i for item in pair(numbered).calls for result in item.results}
    assert found == expected
    assert not any(item.is_ambiguous for item in pair(numbered).calls)
