"""v1 and v2: always valid, never lossy by accident, whatever the trace put in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from agent_claimcheck.detectors.contract import DetectorOutput, Reason
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict, FieldResult, Finding
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.v1 import encode_v1, project
from agent_claimcheck.results.v2 import decode_v2, encode_v2

ROOT = Path(__file__).parents[3]
Build = Callable[..., CheckResult]


def schema(version: str) -> Any:
    return json.loads((ROOT / "schemas" / f"claimcheck-result-{version}.json").read_text())


V1 = Draft202012Validator(schema("v1"))
V2 = Draft202012Validator(schema("v2"))

hostile_text = st.text(max_size=300) | st.sampled_from(["", "\ud800", "\x1b[31m", "a" * 5000, "]]>", "\u202e"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | hostile_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(hostile_text, inner, max_size=3),
    max_leaves=6,
)
details = st.dictionaries(hostile_text, json_values, max_size=3)
steps = st.none() | st.integers(0, 10**25)
probabilities = st.none() | st.floats(0, 1)
reasons = st.builds(Reason, claim=st.none() | hostile_text, outcome=hostile_text, step=steps, detail=hostile_text)
outputs = st.builds(
    DetectorOutput,
    detector=st.sampled_from(["rules", "cascade", ""]),
    p_success=st.floats(0, 1),
    abstain=st.booleans(),
    p_calibrated=probabilities,
    reasons=st.lists(reasons, max_size=2).map(tuple),
    details=details,
)
ensembles = outputs | st.builds(
    DetectorOutput, detector=st.just("cascade"), p_success=st.floats(0, 1), components=st.tuples(outputs)
)
claims = st.builds(
    SuccessClaim, type=hostile_text, subject=details, span=st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))
)
field_results = st.builds(FieldResult, expected=json_values, actual=json_values)
claim_verdicts = st.builds(
    ClaimVerdict, claim=st.integers(0, 3), detail=hostile_text, checks=st.lists(field_results, max_size=2).map(tuple)
)
results = st.builds(
    CheckResult,
    trace_id=hostile_text,
    domain=st.sampled_from(["booking", "other", "retail", ""]),
    detector=hostile_text,
    p_success=probabilities,
    p_success_raw=probabilities,
    confidence=probabilities,
    reasons=st.lists(reasons, max_size=2).map(tuple),
    claims=st.lists(claims, max_size=2).map(tuple),
    claim_verdicts=st.lists(claim_verdicts, max_size=2).map(tuple),
    detectors=st.lists(ensembles, max_size=2).map(tuple),
    findings=st.lists(st.builds(Finding, reason=hostile_text, metadata=details), max_size=2).map(tuple),
    cost_usd=st.floats(0, 10),
    latency_ms=st.floats(0, 10),
    extra=details,
)
unhurried = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@unhurried
@given(result=results)
def test_v1_is_valid_whatever_the_trace_holds(result: CheckResult) -> None:
    V1.validate(json.loads(encode_v1(result)))


@unhurried
@given(result=results)
def test_v2_is_valid_and_reads_back_whatever_the_trace_holds(result: CheckResult) -> None:
    data = encode_v2(result)
    V2.validate(json.loads(data))
    again = decode_v2(data)
    assert encode_v2(again) == encode_v2(decode_v2(encode_v2(again)))
    assert again.verdict == result.verdict


@pytest.mark.parametrize("verdict", ["verified", "false_success", "unverifiable", "skipped"])
def test_v2_round_trip_is_lossless(build_result: Build, verdict: str) -> None:
    result = build_result(verdict, file="runs.jsonl", line=7, task_id="t-1", started_at="2026-01-01T00:00:00Z")
    assert decode_v2(encode_v2(result)) == result
    assert json.loads(encode_v2(result))["task"] == "t-1"


def test_v1_has_exactly_the_documented_keys_sorted_and_compact(build_result: Build) -> None:
    line = encode_v1(build_result(detail="Zürich ist belegt")).decode()
    row = json.loads(line)
    assert sorted(row) == sorted(schema("v1")["required"])
    assert line == json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def test_v1_of_a_skipped_trace_carries_nothing(build_result: Build) -> None:
    row = project(build_result("skipped", file="runs.jsonl", line=3))
    assert row["detectors"] == []
    assert (row["p_success"], row["p_success_raw"], row["confidence"]) == (None, None, None)
    assert (row["abstain"], row["abstain_reason"]) == (True, "no_success_claim")
    assert len(row["reasons"]) == 1


def test_v1_writes_undecided_as_the_documented_unknown(build_result: Build) -> None:
    result = build_result("unverifiable")
    verdict = replace(result.claim_verdicts[0], outcome="undecided")
    reason = replace(result.reasons[0], outcome="undecided")
    output = replace(result.detectors[0], reasons=(reason,))
    row = project(replace(result, claim_verdicts=(verdict,), reasons=(reason,), detectors=(output,)))
    assert row["reasons"][0]["outcome"] == "unknown"
    assert row["detectors"][0]["reasons"][0]["outcome"] == "unknown"
    assert row["detectors"][0]["details"]["claims"][0]["outcome"] == "unknown"


def test_v1_rules_details_have_the_documented_shape(build_result: Build) -> None:
    claim = project(build_result())["detectors"][0]["details"]["claims"][0]
    assert claim == {
        "claim": "booked",
        "outcome": "contradicted",
        "step": 1,
        "detail": "the booking call failed: slot is taken",
        "checks": [{"path": "event_id", "op": "exists", "expected": True, "actual": None, "result": "fail"}],
        "missing_subject": False,
    }


def test_v1_nests_rules_details_inside_an_ensemble(build_result: Build) -> None:
    result = build_result()
    cascade = DetectorOutput(
        detector="cascade-offline", p_success=0.03, components=result.detectors, details={"decided_by": "rules"}
    )
    top = project(replace(result, detector="cascade-offline", detectors=(cascade,)))["detectors"][0]
    assert top["details"]["decided_by"] == "rules"
    assert top["details"]["record"] == "contradicted"
    assert top["components"][0]["details"]["claims"][0]["claim"] == "booked"
    assert "claims" not in top["details"]


def test_v1_cuts_details_and_maps_unknown_domains(build_result: Build) -> None:
    row = project(build_result(detail="x" * 500, domain="retail"))
    assert len(row["reasons"][0]["detail"]) == 200
    assert row["domain"] == "other"
    assert row["detectors"][0]["details"]["domain"] == "retail"


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_packaged_schema_is_the_published_one(version: str) -> None:
    import agent_claimcheck

    packaged = Path(agent_claimcheck.__file__).parent / "_data" / "schemas" / f"claimcheck-result-{version}.json"
    assert packaged.read_bytes() == (ROOT / "schemas" / packaged.name).read_bytes()
    Draft202012Validator.check_schema(schema(version))


def test_the_v2_schema_names_every_field_of_the_record() -> None:
    assert set(schema("v2")["properties"]) == {"schema", *CheckResult.__struct_encode_fields__}
    for name, record in {
        "finding": Finding,
        "claim": SuccessClaim,
        "claimVerdict": ClaimVerdict,
        "detectorOutput": DetectorOutput,
        "reason": Reason,
        "fieldCheck": FieldResult,
    }.items():
        assert set(schema("v2")["$defs"][name]["properties"]) == set(record.__struct_fields__)


def test_every_key_of_v1_is_a_key_of_v2() -> None:
    assert set(schema("v1")["properties"]) <= set(schema("v2")["properties"])


@pytest.mark.parametrize("encode", [encode_v1, encode_v2])
def test_nesting_deeper_than_the_stack_is_cut_not_fatal(
    build_result: Build, encode: Callable[[CheckResult], bytes]
) -> None:
    deep: list[Any] = []
    for _ in range(100_000):  # what the stack holds depends on the version of Python
        deep = [deep]
    line = encode(build_result(extra={"deep": deep}))
    assert "nested too deeply" in line.decode()
