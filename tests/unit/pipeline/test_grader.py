"""The grader: which client a question goes to, what a run may be, and what it refuses."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.checks.run import Run
from agent_claimcheck.core.errors import InputError, UsageError
from agent_claimcheck.llm.current import using
from agent_claimcheck.pipeline.grader import Grader, check_tool_use
from agent_claimcheck.trace.decode import decode_trace
from agent_claimcheck.trace.model import Trace

FAILED: dict[str, Any] = {
    "task": "Ship parcel 7",
    "steps": [{"tool_call": {"name": "ship", "output": "error: no van"}}],
    "final_answer": "It could not be shipped.",
}
TRACE: dict[str, Any] = {
    "schema": "agent-trace/v1",
    "trace_id": "t-1",
    "source": "test",
    "task": {"id": "1", "domain": "other", "instruction": "Ship parcel 7"},
    "steps": [
        {"i": 4, "ts": "2031-05-01T09:00:00Z", "kind": "tool_call", "role": "agent", "name": "ship", "content": None,
         "args": {}, "ok": None, "output": None, "error": None},
        {"i": 6, "ts": "2031-05-01T09:00:01Z", "kind": "tool_result", "role": "tool", "name": "ship", "content": None,
         "args": None, "ok": False, "output": None, "error": "no van"},
    ],
    "final_claim": {"text": "It could not be shipped.", "claims": []},
}  # fmt: skip


class Model:
    def __init__(self, answer: str = "failed") -> None:
        self.answer = answer
        self.calls = 0

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        self.calls += 1
        if schema["title"] == "tool_choice":
            return '{"appropriate": true, "reason": ""}'
        return json.dumps({"answer": self.answer, "reason": ""})


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def recovery(report: Any) -> str:
    return str(report.findings[0].metadata["recovery"])


def test_without_flags_a_grader_with_a_client_stays_offline() -> None:
    model = Model()

    assert recovery(Grader(client=model).tool_use(FAILED)) == "unchecked"
    assert model.calls == 0


def test_offline_asks_no_client_and_no_using_block() -> None:
    model = Model()
    grader = Grader(client=model, offline=True)

    with using(model), pytest.warns(UserWarning, match="offline was asked for"):
        reports = [
            grader.tool_use(FAILED, check_answer=True),
            grader.faithfulness(FAILED),
            *grader.evaluate(FAILED).results,
        ]

    assert model.calls == 0
    assert "offline was asked for" in reports[0].findings[0].reason


@pytest.mark.parametrize("flag", ["check_answer", "appropriate"])
def test_either_flag_reads_the_answer(flag: str) -> None:
    assert recovery(Grader(client=Model()).tool_use(FAILED, **{flag: True})) == "acknowledged"


def test_evaluate_reads_the_answer_whenever_there_is_a_client() -> None:
    report = Grader(client=Model()).evaluate(FAILED, checks=["tool_use"])

    assert [result.check for result in report.results] == ["tool_use"]
    assert report.by("tool_use") is report.results[0]
    assert report.by("role") is None
    assert recovery(report.results[0]) == "acknowledged"
    assert (report.passed, report.verdict, report.overall_score) == (True, "pass", 1.0)


def test_evaluate_without_a_key_says_so_and_does_not_crash() -> None:
    report = Grader().evaluate(FAILED)

    assert (report.passed, report.verdict) == (False, "fail")
    assert "OPENAI_API_KEY is not set" in report.results[0].findings[0].reason


def test_flag_without_a_key_warns_and_reports_unchecked() -> None:
    with pytest.warns(UserWarning, match="OPENAI_API_KEY is not set"):
        report = Grader().tool_use(FAILED, check_answer=True)

    assert recovery(report) == "unchecked"
    assert "OPENAI_API_KEY is not set" in report.findings[0].reason


def test_given_client_is_taken_before_that_of_an_open_block() -> None:
    with using(Model("succeeded")):
        assert recovery(Grader(client=Model("failed")).tool_use(FAILED, check_answer=True)) == "acknowledged"
        assert recovery(check_tool_use(FAILED, client=Model("not_mentioned"))) == "silent"


def test_open_block_reaches_every_form_of_the_check() -> None:
    with using(Model("succeeded")):
        assert recovery(Grader().tool_use(FAILED)) == "claimed_success"
        assert recovery(Grader().tool_use(FAILED, check_answer=True)) == "claimed_success"
        assert recovery(Grader().evaluate(FAILED).results[0]) == "claimed_success"
        assert recovery(check_tool_use(FAILED)) == "claimed_success"


def test_open_block_reaches_worker_threads() -> None:
    with using(Model("failed")), ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(check_tool_use, [FAILED] * 6))

    assert {recovery(report) for report in reports} == {"acknowledged"}


def test_bare_check_never_builds_a_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-present")

    assert recovery(check_tool_use(FAILED)) == "unchecked"


def test_key_or_a_server_on_this_machine_makes_a_client(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Grader().find_client() is None
    assert Grader(key="sk-mine").find_client() is not None
    assert Grader(base_url="http://127.0.0.1:9/v1").find_client() is not None
    monkeypatch.setenv("OPENAI_API_KEY", "sk-present")
    grader = Grader()
    assert grader.find_client() is grader.find_client() is not None


def test_run_may_be_a_record_a_dict_or_a_path(tmp_path: Path) -> None:
    run_file, packed, trace_file = tmp_path / "run.json", tmp_path / "run.json.gz", tmp_path / "trace.jsonl"
    run_file.write_text(json.dumps(FAILED))
    packed.write_bytes(gzip.compress(json.dumps(FAILED).encode()))
    trace_file.write_text(json.dumps(TRACE))
    record = Run(task="t", final_answer="a", steps=FAILED["steps"])
    trace = decode_trace(json.dumps(TRACE).encode(), file="t", line=1)
    assert isinstance(trace, Trace)

    steps = [
        check_tool_use(source).findings[0].step
        for source in (record, FAILED, run_file, str(run_file), packed, trace_file, TRACE, trace)
    ]

    assert steps == [0, 0, 0, 0, 0, 4, 4, 4]


@pytest.mark.parametrize("text", ["", "[]", "{}", "not json", '{"task": 1, "final_answer": "a"}', "[[1]]"])
def test_path_that_holds_no_run_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)

    with pytest.raises(InputError, match=r"run\.json"):
        check_tool_use(path)


def test_path_with_several_runs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(f"{json.dumps(FAILED)}\n{json.dumps(FAILED)}\n")

    with pytest.raises(InputError, match="more than one run"):
        check_tool_use(path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        check_tool_use(tmp_path / "gone.json")


@pytest.mark.parametrize("checks", [[], ["tool_use", "tool_use"], ["tool_use", "magic"], "tool_use"])
def test_bad_selection_is_refused_before_any_work(checks: Any) -> None:
    model = Model()
    with pytest.raises(UsageError):
        Grader(client=model).evaluate(FAILED, checks=checks)
    assert model.calls == 0


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="complete"):
        Grader(client=object())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="text or structured"):
        check_tool_use(FAILED, errors="loose")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="documented or strict"):
        Grader().tool_use(FAILED, recovery="lax")  # type: ignore[arg-type]


def test_broken_trace_dict_names_its_fault() -> None:
    with pytest.raises(InputError, match="trace_id"):
        check_tool_use({key: value for key, value in TRACE.items() if key != "trace_id"})
