"""Comparing runs depends on what they did, not on the order in which they were read."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.signature import RunSignature, WrittenValue, signature_of
from agent_claimcheck.pipeline.groups import GroupMember, compare_runs
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

VALUES = st.builds(
    WrittenValue, st.sampled_from(["put", "del"]), st.sampled_from(["id", "day"]), st.sampled_from(["1", "2"])
)
SIGNATURES = st.builds(
    lambda values, prose, digest: RunSignature(tuple(sorted(values)), True, prose, digest),
    st.sets(VALUES, max_size=3),
    st.booleans(),
    st.sampled_from([bytes([n]) for n in range(12)]),
)
MODELS = st.sampled_from(["ant", "bee", "cow", None])
RUNS = st.lists(st.tuples(MODELS, SIGNATURES), max_size=9).map(
    # Byte-identical runs have equal signatures and, being one run, one model.
    lambda rows: list({signature.digest: (model, signature) for model, signature in rows}.values())
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(RUNS, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(runs: list[tuple[str | None, RunSignature]], random: object) -> None:
    members = [GroupMember(index, b"k", model, signature) for index, (model, signature) in enumerate(runs)]
    shuffled = list(members)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert compare_runs(shuffled) == compare_runs(members)


@given(RUNS)
def test_agreement_is_mutual(runs: list[tuple[str | None, RunSignature]]) -> None:
    members = [GroupMember(index, b"k", model, signature) for index, (model, signature) in enumerate(runs)]
    readings = compare_runs(members)
    # Whoever agrees is agreed with: over all runs the pairs come in twos.
    assert sum(reading.agreeing for reading in readings.values()) % 2 == 0
    for reading in readings.values():
        assert 0.0 <= reading.agreement <= 1.0 + 1e-9
        assert reading.agreeing <= reading.others
        assert not reading.is_agreed or reading.models >= 3


@settings(max_examples=50)
@given(st.dictionaries(st.text(max_size=8), ANY_JSON, max_size=4), st.text(max_size=12))
def test_any_arguments_give_a_signature_that_can_be_stored(args: dict[str, object], tool: str) -> None:
    import msgspec

    steps = [
        Step(i=0, ts="2026-03-02T16:50:00Z", kind="tool_call", role="agent", name=f"create_{tool}", args=args),
        Step(i=1, ts="2026-03-02T16:50:01Z", kind="tool_result", role="tool", name=f"create_{tool}", ok=True),
    ]
    trace = Trace(
        trace_id="t", source="s", task=Task(id="1", domain="other", instruction=""), steps=steps,
        final_claim=FinalClaim(text=None),
    )  # fmt: skip
    made = signature_of(Evidence(label_free(trace)))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=RunSignature) == made
