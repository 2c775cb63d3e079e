"""What holds for every run: one finding a call, a score in [0, 1], one order of verdicts, exit codes that agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_claimcheck.checks.contract import CheckRequest
from agent_claimcheck.checks.error_rules import read_status
from agent_claimcheck.checks.run import Run, ToolCall, parse_run
from agent_claimcheck.checks.tool_use import SEVERITY_OF, check_run
from agent_claimcheck.cli.commands.tools import tools

NAMES = st.sampled_from(["a", "b", "c"])
CALLS = st.fixed_dictionaries(
    {
        "name": NAMES,
        "arguments": st.dictionaries(st.sampled_from(["order", "amount"]), st.integers(0, 3), max_size=2),
        "output": st.sampled_from(["", "ok", "error: x", "Traceback", '{"error": "x"}', "log: error: 0"])
        | st.text(max_size=20),
    },
    optional={"is_error": st.sampled_from([True, False, None])},
)
RUNS = st.fixed_dictionaries(
    {
        "task": st.text(max_size=10),
        "final_answer": st.text(max_size=10),
        "steps": st.lists(
            st.fixed_dictionaries({}, optional={"thought": st.text(max_size=5), "tool_call": CALLS}), max_size=8
        ),
    },
    optional={
        "allowed_tools": st.none() | st.lists(NAMES, max_size=3),
        "tool_fallbacks": st.none() | st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=3),
    },
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


class Model:
    """Answers, refuses or talks nonsense, in the order drawn."""

    def __init__(self, answers: list[str]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        answer = self.answers[len(self.asked) % len(self.answers)]
        self.asked.append(schema["title"])
        if answer == "raise":
            raise OSError("gone")
        if schema["title"] == "tool_choice":
            return json.dumps({"appropriate": answer != "succeeded", "reason": ""}) if answer != "nonsense" else "?"
        return json.dumps({"answer": answer, "reason": ""})


MODELS = st.lists(
    st.sampled_from(["failed", "succeeded", "not_mentioned", "nonsense", "raise"]), min_size=1, max_size=4
).map(Model)


def parsed(value: dict[str, Any]) -> Run:
    run = parse_run(value)
    assert isinstance(run, Run)
    return run


@given(RUNS, MODELS, st.booleans(), st.sampled_from(["text", "structured"]), st.sampled_from(["documented", "strict"]))
def test_report_of_any_run_is_consistent(
    value: dict[str, Any], model: Model, choice: bool, errors: Any, recovery: Any
) -> None:
    run = parsed(value)
    request = CheckRequest(client=model, check_answer=True, appropriate=choice, errors=errors, recovery=recovery)

    report = check_run(run, request)

    calls = list(run.tool_calls())
    assert [(finding.step, finding.subject) for finding in report.findings] == [
        (step, call.name) for step, call in calls
    ]
    assert report.score is not None and 0.0 <= report.score <= 1.0
    severities = {finding.severity for finding in report.findings}
    expected = "fail" if "fail" in severities else "review" if "warn" in severities else "pass"
    assert (report.verdict, report.passed) == (expected, expected != "fail")
    unrecovered = [
        finding for finding in report.findings if finding.metadata["recovery"] not in (None, "retried", "fallback")
    ]
    assert model.asked.count("answer_check") == len(unrecovered)
    assert model.asked.count("tool_choice") == (len(calls) if choice else 0)
    assert json.loads(report.to_json()) == report.to_dict()


@given(RUNS, MODELS)
def test_each_verdict_is_the_first_that_applies(value: dict[str, Any], model: Model) -> None:
    run = parsed(value)

    report = check_run(run, CheckRequest(client=model, check_answer=True, appropriate=True))

    for finding in report.findings:
        about = finding.metadata
        applies = {
            "disallowed_tool": not about["allowed"],
            "error_claimed_success": about["recovery"] == "claimed_success",
            "error_silent": about["recovery"] in ("silent", "unchecked"),
            "incorrect": about["appropriate"] is False,
            "unchecked": about["appropriate"] is None,
            "correct": True,
        }
        assert finding.verdict == next(verdict for verdict in SEVERITY_OF if applies[verdict])
        assert finding.severity == SEVERITY_OF[finding.verdict]  # type: ignore[index]


@given(RUNS, st.sampled_from(["documented", "strict"]))
def test_recoveries_are_later_calls_that_worked(value: dict[str, Any], recovery: Any) -> None:
    run = parsed(value)
    fallbacks = run.tool_fallbacks

    report = check_run(run, CheckRequest(recovery=recovery))

    calls = dict(run.tool_calls())
    for finding in report.findings:
        about = finding.metadata
        assert (about["recovery"] is not None) == read_status(calls[finding.step or 0], "text").is_error
        if about["recovered_at"] is None:
            assert about["recovery"] in (None, "unchecked")
            continue
        helper = calls[about["recovered_at"]]
        assert about["recovered_at"] > (finding.step or 0)
        assert not read_status(helper, "text").is_error
        if about["recovery"] == "retried":
            assert helper.name == finding.subject
        else:
            assert helper.name in fallbacks[finding.subject]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.lists(RUNS, min_size=1, max_size=3), fail_on=st.sampled_from(["never", "fail", "review"]))
def test_exit_code_agrees_with_the_reports(tmp_path: Path, value: list[dict[str, Any]], fail_on: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(json.dumps(run) for run in value))

    result = CliRunner().invoke(tools, [str(path), "--json", "--fail-on", fail_on])

    verdicts = [json.loads(line)["verdict"] for line in result.stdout.splitlines()]
    assert len(verdicts) == len(value)
    gated = {"never": set(), "fail": {"fail"}, "review": {"fail", "review"}}[fail_on]
    assert result.exit_code == (1 if gated & set(verdicts) else 0)


@given(JSON)
def test_any_json_is_a_run_or_named_faults(value: Any) -> None:
    found = parse_run(value)

    assert isinstance(found, Run) or (found and all(fault.path.startswith("$") for fault in found))


@given(st.text(max_size=60), st.sampled_from(["text", "structured"]))
def test_any_output_has_a_status(output: str, errors: Any) -> None:
    assert isinstance(read_status(ToolCall(name="t", output=output), errors).is_error, bool)
