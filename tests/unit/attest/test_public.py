"""The attest face: exactly these names, loaded only when used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import attest

NAMES = [
    "Artifact",
    "Attest",
    "CheckResult",
    "Finding",
    "Grader",
    "Report",
    "Run",
    "ScanPattern",
    "Scanner",
    "Step",
    "ToolCall",
    "check_faithfulness",
    "check_injection",
    "check_role",
    "check_tool_use",
    "from_langgraph_messages",
    "llm",
]


def test_public_names() -> None:
    assert attest.__all__ == NAMES == dir(attest)
    assert all(getattr(attest, name) is not None for name in NAMES)
    assert attest.Attest is attest.Grader


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'grade'"):
        attest.grade  # noqa: B018


def test_records_made_by_hand_are_graded() -> None:
    run = attest.Run(
        task="Ship parcel 7",
        steps=[attest.Step(thought="now", tool_call=attest.ToolCall(name="ship", output="shipped"))],
        final_answer="Shipped.",
    )

    result = attest.Attest().tool_use(run)

    assert isinstance(result, attest.CheckResult)
    assert isinstance(result.findings[0], attest.Finding)
    assert result.failures == []
    assert isinstance(attest.Grader().evaluate(run), attest.Report)


def test_every_record_has_both_plain_forms() -> None:
    report = attest.Grader().evaluate({"task": "t", "final_answer": "a", "steps": [{"tool_call": {"name": "x"}}]})
    records = [
        report,
        report.results[0],
        report.results[0].findings[0],
        attest.Run(task="t", final_answer="a"),
        attest.Step(thought="x"),
        attest.ToolCall(name="x"),
        attest.Artifact(text="x"),
    ]

    for record in records:
        assert isinstance(record.to_dict(), dict)
        assert record.to_json().startswith("{")
    assert set(report.to_dict()) == {"results", "overall_score", "passed", "verdict"}


def test_import_is_light() -> None:
    code = (
        "import sys, attest; attest.check_tool_use({'task': 't', 'final_answer': 'a', 'steps': []}); "
        "heavy = {'numpy', 'httpx', 'rich', 'starlette', 'yaml', 're2', 'sklearn', 'asyncio'} & set(sys.modules); "
        "assert not heavy, heavy"
    )

    subprocess.run([sys.executable, "-c", code], check=True)
