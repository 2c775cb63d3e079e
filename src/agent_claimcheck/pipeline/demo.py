"""The demo: four bundled runs, judged by the plain question and by the checks, side by side.

A reader must not miss: no model is asked. The plain judge's answers, and the one answer a check needs, come recorded with
the package and are marked as such; everything else is computed here and now.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from agent_claimcheck.checks.contract import CheckRequest, RunReport
from agent_claimcheck.checks.naive import NaiveVerdict, judge_naively
from agent_claimcheck.checks.run import Run, parse_run
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.resources import read_data
from agent_claimcheck.pipeline.catalog import CHECKS, select_checks


class RecordedClient:
    """Answers from a record: one answer a question, by its title. A question that is not on record raises ``InputError``."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        """Return the recorded answer."""
        title = str(schema["title"])
        if title not in self._answers:
            raise InputError(f"no answer to {title} is on record", slug="recording")
        return json.dumps(self._answers[title])


class DemoRow(Struct, frozen=True, kw_only=True):
    """One run: what the plain judge says (recorded) and what the checks say (computed)."""

    run: Run
    naive: NaiveVerdict
    report: RunReport


def demo_note() -> str:
    """Return what the recorded answers are."""
    return str(json.loads(read_data("demo/answers.json"))["note"])


def demo_rows() -> Iterator[DemoRow]:
    """Yield the bundled runs with both readings."""
    recorded = json.loads(read_data("demo/answers.json"))["runs"]
    lines = read_data("demo/runs.jsonl").decode().splitlines()
    for line, answers in zip(lines, recorded, strict=True):
        run = parse_run(json.loads(line))
        if not isinstance(run, Run):
            raise InputError("a bundled run is broken: " + "; ".join(str(fault) for fault in run))
        client = RecordedClient(answers)
        offline = CheckRequest(unavailable="the demo asks no model")
        asked = CheckRequest(client=client, check_answer=True)
        reports = [
            check(run, asked if name == "tool_use" else offline)
            for name, check in zip(CHECKS, select_checks(list(CHECKS)), strict=True)
        ]
        yield DemoRow(run=run, naive=judge_naively(client, run), report=RunReport(results=reports))
