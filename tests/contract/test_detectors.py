"""Every detector of the catalog keeps its protocol, on ordinary traces and on hostile ones."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck import Checker, Detector, DetectorOutput, Evidence, Trace, load_traces, register_detector
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.pipeline.catalog import build_detector
from agent_claimcheck.trace.model import Claim, FinalClaim, GroundTruth, Step, Task
from agent_claimcheck.trace.view import label_free

OFFLINE = ["rules", "trust-agent", "any-error"]


def hostile_traces() -> list[Trace]:
    deep: Any = "x"
    for _ in range(150):
        deep = {"a": [deep]}
    outputs: list[Any] = [
        None, True, 0, -1.5, "", "\x1b[2J", "{" * 1000, [], {}, deep, ["x"] * 1000, {"error": {"error": "error:"}},
        "not " * 5000, {"id": None, "status": []}, "\ud800",
    ]  # fmt: skip
    traces = []
    for number, output in enumerate(outputs):
        steps = [
            Step(i=0, ts="2026-01-01T00:00:00Z", kind="message", role="user", content="do it"),
            Step(
                i=1,
                ts="2026-01-01T00:00:00Z",
                kind="tool_call",
                role="agent",
                name="calendar.create_event",
                args={"start": output},
            ),
            Step(
                i=2,
                ts="2026-01-01T00:00:00Z",
                kind="tool_result",
                role="tool",
                name="calendar.create_event",
                output=output,
            ),
            Step(
                i=3,
                ts="bad time",
                kind="state_probe",
                role="environment",
                name="calendar.get_event",
                ok=True,
                output=output,
            ),
        ]
        subject = {"start": output, "attendee_email": output}
        traces.append(
            Trace(
                trace_id=f"h-{number}",
                source="s",
                task=Task(id="t", domain="booking", instruction="Book it with a@b.example on 2026-01-01 at 10:00"),
                steps=steps,
                final_claim=FinalClaim(text="Done, booked!", claims=[Claim(type="booked", subject=subject)]),
            )
        )
    return traces


@pytest.mark.parametrize("name", OFFLINE)
def test_detector_answers_or_abstains_on_anything(name: str) -> None:
    detector = build_detector(name)
    assert isinstance(detector, Detector)
    settings = CaseSettings(packs=Checker().spec.packs)
    for trace in [*load_traces("example:mixed"), *hostile_traces()]:
        output = detector.detect(Evidence(label_free(trace), settings))
        assert isinstance(output, DetectorOutput)
        assert 0 <= output.p_success <= 1
        assert output.abstain == (output.abstain_reason is not None)


def test_checker_gives_a_result_for_every_hostile_trace() -> None:
    traces = hostile_traces()
    assert [result.trace_id for result in Checker().check(traces)] == [trace.trace_id for trace in traces]


def test_a_detector_that_raises_becomes_an_abstention() -> None:
    class Broken:
        name = "broken"

        def detect(self, evidence: Evidence) -> DetectorOutput:
            raise RuntimeError("no luck")

    class NotANumber:
        name = "nan"

        def detect(self, evidence: Evidence) -> DetectorOutput:
            return DetectorOutput(detector=self.name, p_success=float("nan"))

    for detector in (Broken(), NotANumber()):
        result = next(iter(Checker(detector).check(load_traces("example:mixed"))))
        assert (result.verdict, result.abstain_reason) == ("unverifiable", "detector_error")


def test_own_detector_is_found_by_its_name() -> None:
    class Coin:
        name = "contract-coin"

        def detect(self, evidence: Evidence) -> DetectorOutput:
            return DetectorOutput(detector=self.name, p_success=0.5)

    register_detector("contract-coin", Coin)
    assert next(iter(Checker("contract-coin").check(load_traces("example:mixed")))).p_success == 0.5
    with pytest.raises(UsageError, match="taken"):
        register_detector("rules", Coin)


def test_no_label_reaches_a_detector() -> None:
    """A canary stands in every field that must stay behind; the detector searches all it is given for it."""
    canary = "CANARY-7f3a"
    seen: list[str] = []

    class Looking:
        name = "looking"

        def detect(self, evidence: Evidence) -> DetectorOutput:
            seen.append(repr(evidence.view))
            return DetectorOutput(detector=self.name, p_success=0.5)

    trace = next(iter(load_traces("example:mixed")))
    from msgspec.structs import replace

    marked = replace(
        trace,
        source=canary,
        meta={"note": canary},
        ground_truth=GroundTruth(outcome="failure", checked_by="human", details={"why": canary}),
        usage={"x": canary},
    )
    result = Checker(Looking()).check_one(marked)
    assert seen
    assert canary not in seen[0]
    assert canary not in repr(result.reasons) + repr(result.detectors) + repr(result.claim_verdicts)
