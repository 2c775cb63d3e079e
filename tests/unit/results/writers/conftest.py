"""Runs a writer over results and returns what it wrote."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable

import pytest

from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.summary import FailPolicy, Summary, exit_decision
from agent_claimcheck.results.writers.catalog import writer_factory
from agent_claimcheck.results.writers.contract import Destination


def run(name: str, results: Iterable[CheckResult], problems: int = 0, **place: object) -> str:
    buffer = io.BytesIO()
    writer = writer_factory(name)(Destination(sink=buffer, **place))  # type: ignore[arg-type]
    summary = Summary()
    summary.add_problems(problems)
    writer.begin()
    for result in results:
        summary.add(result)
        writer.write(result)
    writer.end(summary, exit_decision(summary, FailPolicy()))
    return buffer.getvalue().decode()


@pytest.fixture(scope="session")
def written() -> Callable[..., str]:
    return run
