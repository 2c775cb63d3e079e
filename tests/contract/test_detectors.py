"""Every detector of the catalog keeps its protocol, on ordinary traces and on hostile ones."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent_claimcheck import Checker, Detector, DetectorOutput, Evidence, load_traces, register_detector
from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.pipeline.catalog import DETECTORS, PAID_DETECTORS, build_detector
from agent_claimcheck.trace.model import GroundTruth
from agent_claimcheck.trace.view import label_free
from fakes import hostile_traces

OFFLINE = sorted(set(DETECTORS) - PAID_DETECTORS)


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
