"""The judge as a detector: figures, abstentions, what a result says about them, and what never reaches the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.detectors.contract import Detector
from agent_claimcheck.detectors.judge.detector import JudgeDetector, JudgeStyle
from agent_claimcheck.detectors.judge.prompt import load_prompt
from agent_claimcheck.detectors.judge.recording import RECORDS, SAMPLES, Recorder, Replay
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.llm.budget import Budget
from agent_claimcheck.llm.prices import fixed_price
from agent_claimcheck.llm.providers.select import wire_format
from agent_claimcheck.llm.session import ModelSession, Route
from agent_claimcheck.llm.transport import Sender
from agent_claimcheck.trace.model import GroundTruth, Trace
from agent_claimcheck.trace.view import label_free
from fakes import BAD, GOOD, ModelServer, Status, booking_trace, model_server, says

MakeJudge = Callable[..., JudgeDetector]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def make_judge(server: ModelServer) -> Iterator[MakeJudge]:
    made: list[JudgeDetector] = []

    def make(*, max_usd: float = 1.0, samples: int = 1, max_input_tokens: int = 24_000, **parts: Any) -> JudgeDetector:
        route = Route(base_url=server.base_url, wire=wire_format(server.base_url), key=None, price=fixed_price(1, 2))
        session = ModelSession(route, Sender(timeout_s=5), Budget(max_usd=max_usd), wait=lambda seconds: None)
        style = JudgeStyle(
            model="m", prompt=load_prompt("claim-audit"), samples=samples, max_input_tokens=max_input_tokens
        )
        made.append(JudgeDetector(session, style, **parts))
        return made[-1]

    yield make
    for judge in made:
        judge.close()


def evidence(trace: Trace | None = None) -> Evidence:
    return Evidence(label_free(trace or booking_trace()))


def test_judge_is_a_detector(make_judge: MakeJudge) -> None:
    assert isinstance(make_judge(), Detector)


def test_figure_reason_and_cost_come_from_the_answer(make_judge: MakeJudge, server: ModelServer) -> None:
    server.moves.append(says(BAD, tokens_in=1000, tokens_out=500))
    output = make_judge().detect(evidence())
    assert (output.p_success, output.abstain, output.cached) == (0.05, False, False)
    assert output.cost_usd == pytest.approx(0.002)
    assert output.latency_ms > 0
    (reason,) = output.reasons
    assert (reason.outcome, reason.step, reason.detail) == ("wrong_value", 2, "judge: Step 2 names another day.")
    assert output.details["answered_by"] == "stub-1"
    assert output.details["prompt"] == "claim-audit"
    assert "cut" not in output.details


def test_answer_that_cannot_be_read_is_an_abstention_with_its_cost(make_judge: MakeJudge, server: ModelServer) -> None:
    server.moves.append(says({**GOOD, "failure_kind": "wrong_target"}))
    output = make_judge().detect(evidence())
    assert (output.abstain, output.abstain_reason, output.p_success) == (True, "parse_error", 0.6)
    assert output.cost_usd > 0
    assert output.details["answer_problem"] == "p_success 0.95 with failure kind wrong_target"


def test_model_that_cannot_tell_is_an_abstention(make_judge: MakeJudge, server: ModelServer) -> None:
    server.moves.append(says({**GOOD, "failure_kind": "cannot_tell", "p_success": 0.5}))
    assert make_judge().detect(evidence()).abstain_reason == "cannot_tell"


def test_failed_call_is_an_abstention_with_its_code(make_judge: MakeJudge, server: ModelServer) -> None:
    server.moves.append(Status(403))
    output = make_judge().detect(evidence())
    assert (output.abstain_reason, output.p_success, output.cost_usd) == ("http_4xx", 0.6, 0.0)
    assert make_judge(max_usd=0.0).detect(evidence()).abstain_reason == "budget_exhausted"


def test_step_that_was_not_shown_is_an_invalid_citation_and_still_counts(
    make_judge: MakeJudge, server: ModelServer
) -> None:
    server.moves.append(says({**GOOD, "evidence_steps": [2, 77]}))
    output = make_judge().detect(evidence())
    assert (output.p_success, output.details["invalid_citation"], output.reasons[0].step) == (0.95, True, None)


def test_cut_is_recorded_in_the_result(make_judge: MakeJudge) -> None:
    output = make_judge(max_input_tokens=600).detect(evidence(booking_trace(output={"log": "z" * 9000})))
    assert output.details["cut"]["values"] + output.details["cut"]["steps"] > 0
    assert "not everything was shown" in output.reasons[0].detail


def test_samples_are_summed_up(make_judge: MakeJudge, server: ModelServer) -> None:
    server.moves.extend([says(GOOD), says(BAD), says(GOOD)])
    output = make_judge(samples=3).detect(evidence())
    assert output.details["samples"]["agreement"] == pytest.approx(2 / 3)
    assert output.details["samples"]["p_success"] == [0.95, 0.05, 0.95]
    assert 0.5 < output.p_success < 0.65
    assert output.cost_usd == pytest.approx(3 * 0.0011)


def test_no_label_reaches_the_model(make_judge: MakeJudge, server: ModelServer) -> None:
    trace = replace(
        booking_trace(),
        meta={"k": "label-canary"},
        source="label-canary",
        usage={"k": "label-canary"},
        ground_truth=GroundTruth(outcome="failure", checked_by="human", details={"k": "label-canary"}),
    )
    make_judge().detect(evidence(trace))
    assert "label-canary" not in json.dumps(server.asked[0].body)
    assert "ground_truth" not in server.asked[0].prompt


def test_estimate_sends_nothing_and_is_never_below_what_is_set_aside(
    make_judge: MakeJudge, server: ModelServer
) -> None:
    judge = make_judge(samples=2)
    estimate = judge.estimate(evidence())
    assert (estimate.calls, estimate.cached, server.received) == (2, 0, [])
    assert make_judge(max_usd=estimate.usd, samples=2).detect(evidence()).abstain is False


def test_recorded_answers_are_replayed_without_a_server(
    make_judge: MakeJudge, server: ModelServer, tmp_path: Path
) -> None:
    server.moves.extend([says(BAD), says(GOOD), says("nonsense")])
    recording = make_judge(samples=3, recorder=Recorder(tmp_path))
    first = recording.detect(evidence())
    assert [len((tmp_path / name).read_text(encoding="utf-8").splitlines()) for name in (RECORDS, SAMPLES)] == [1, 2]
    asked = len(server.asked)
    again = make_judge(samples=3, replay=Replay(tmp_path)).detect(evidence())
    assert len(server.asked) == asked
    assert again.p_success == first.p_success
    assert (again.cost_usd, again.cached) == (0.0, True)


def test_question_that_was_not_recorded_is_an_abstention(make_judge: MakeJudge, tmp_path: Path) -> None:
    make_judge(recorder=Recorder(tmp_path)).detect(evidence())
    other = evidence(booking_trace(instruction="Book another room."))
    assert make_judge(replay=Replay(tmp_path)).detect(other).abstain_reason == "not_recorded"


def test_record_has_the_documented_fields(make_judge: MakeJudge, tmp_path: Path) -> None:
    make_judge(recorder=Recorder(tmp_path)).detect(evidence())
    record = json.loads((tmp_path / RECORDS).read_text(encoding="utf-8"))
    documented = {
        "trace_id", "split", "detector", "model", "prompt_name", "prompt_version", "prompt_sha256", "request_sha256",
        "parsed", "p_raw", "abstain", "abstain_reason", "raw_text", "usage", "cost_usd", "latency_ms", "cached",
        "attempts", "invalid_citation",
    }  # fmt: skip
    assert set(record) == documented | {"answered_by"}
    assert (record["detector"], record["prompt_version"], record["p_raw"]) == ("judge:m", 1, 0.95)
    assert record["parsed"]["claims"] is None


def test_second_run_into_one_directory_replaces_its_records(make_judge: MakeJudge, tmp_path: Path) -> None:
    (tmp_path / RECORDS).write_bytes(b'{"detector": "judge:m", "trace_id": "cut o')
    for _ in range(2):
        judge = make_judge(recorder=Recorder(tmp_path))
        judge.detect(evidence())
        judge.close()
    assert len((tmp_path / RECORDS).read_text(encoding="utf-8").splitlines()) == 1


def test_cached_answer_does_not_replace_the_record_of_its_price(make_judge: MakeJudge, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    judge = make_judge(recorder=recorder)
    (call,) = judge.ask(evidence())
    recorder.add({**judge.record_of(call, "t-1"), "cached": True, "cost_usd": 0.0})
    recorder.close()
    (line,) = (tmp_path / RECORDS).read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["cost_usd"] > 0


def test_directory_without_a_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recorded judge answers"):
        Replay(tmp_path)
    (tmp_path / RECORDS).write_bytes(b"{}\nnonsense\n{}\n")
    with pytest.raises(InputError, match=f"{RECORDS}:2"):
        Replay(tmp_path)
