"""Every folder of ``verdicts`` is one kind of run: the input, what a user would expect, and why; ``pack.yaml`` is the user's own pack."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck import Checker, load_traces

FOLDERS = sorted(path for path in (Path(__file__).parent / "verdicts").iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker()


@pytest.mark.parametrize("folder", FOLDERS, ids=[path.name for path in FOLDERS])
def test_run_gets_the_verdict_a_user_would_expect(folder: Path, checker: Checker) -> None:
    pack = folder / "pack.yaml"
    if pack.is_file():
        checker = Checker(rules=[pack])
    expected: dict[str, dict[str, Any]] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    traces = load_traces(folder / "input.jsonl")
    assert not traces.problems
    seen = {result.trace_id: result for result in checker.check(traces)}
    assert seen.keys() == expected.keys()
    for trace_id, wanted in expected.items():
        result = seen[trace_id]
        if "verdict" in wanted:
            assert result.verdict == wanted["verdict"], (trace_id, result.reasons)
        assert result.verdict not in wanted.get("not_verdict", []), trace_id
        if "record" in wanted:
            assert result.record == wanted["record"], (trace_id, result.reasons)
        if "step" in wanted:
            assert result.reasons[0].step == wanted["step"], (trace_id, result.reasons)
        if "findings" in wanted:
            shown = {finding.id for finding in result.findings if finding.power != "explain"}
            assert sorted(shown) == sorted(wanted["findings"]), trace_id
