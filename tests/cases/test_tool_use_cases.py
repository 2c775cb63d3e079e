"""One test a folder of ``tool_use/``: the run, the scripted model and the options are in, the findings come out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from attest import Attest, CheckResult, check_tool_use
from attest import llm as attest_llm

CASES = sorted(path.parent for path in (Path(__file__).parent / "tool_use").glob("*/input.json"))


class ScriptedModel:
    """Answers as a case says, by tool name where the case tells tools apart, and records what was asked."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.asked: list[str] = []

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        question = schema["title"]
        self.asked.append(question)
        answer = self.script[question]
        if isinstance(answer, dict):
            found = re.search(r"<tool_name>\n(.*)\n</tool_name>", user)
            assert found is not None
            answer = answer[found[1]]
        if answer == "raise":
            raise ConnectionError("the line is down")
        key = "answer" if question == "answer_check" else "appropriate"
        return json.dumps({key: answer, "reason": "as scripted"})


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    given = json.loads((folder / "input.json").read_text("utf-8"))
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    model = ScriptedModel(given["model"]) if "model" in given else None

    result = grade(given, model)

    assert [flat(finding.to_dict()) for finding in result.findings] == expected["findings"]
    assert (result.verdict, result.score) == (expected["verdict"], expected["score"])
    assert result.passed is (expected["verdict"] != "fail")
    if model is not None:
        assert model.asked == expected["asked"]


def grade(given: dict[str, Any], model: ScriptedModel | None) -> CheckResult:
    options = given.get("options", {})
    if model is None:
        return check_tool_use(given["run"], **options)
    if given["via"] == "using":
        with attest_llm.using(model):
            return check_tool_use(given["run"], **options)
    return Attest(client=model).tool_use(given["run"], **{given["via"]: True}, **options)


def flat(finding: dict[str, Any]) -> dict[str, Any]:
    return {key: finding[key] for key in ("step", "subject", "verdict", "severity")} | finding["metadata"]
