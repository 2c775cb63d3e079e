"""The example files: the packaged copies are the same, every run is one of a kind, and nobody in them is real."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.canonical import canonical_json
from agent_claimcheck.core.resources import read_data

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
NAMES = ("traces.jsonl", "browser-demo.jsonl", "probes.jsonl")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", NAMES)
def test_the_packaged_copy_is_identical(name: str) -> None:
    assert (EXAMPLES / name).read_bytes() == read_data(f"examples/{name}")


@pytest.mark.parametrize("name", NAMES)
def test_lines_are_canonical(name: str) -> None:
    expected = b"".join(canonical_json(row) + b"\n" for row in rows(name))
    assert (EXAMPLES / name).read_bytes() == expected


def test_the_mixed_example_has_four_runs_of_each_domain() -> None:
    traces = rows("traces.jsonl")
    assert [trace["trace_id"] for trace in traces] == [
        f"{domain}-{number:02d}" for domain in ("booking", "crm", "coding") for number in range(1, 5)
    ]
    assert Counter(trace["task"]["domain"] for trace in traces) == {"booking": 4, "crm": 4, "coding": 4}


def test_the_extra_probes_are_about_runs_that_have_none() -> None:
    traces = {trace["trace_id"]: trace for trace in rows("traces.jsonl")}
    for probe in rows("probes.jsonl"):
        steps = traces[probe["trace_id"]]["steps"]
        assert not [step for step in steps if step["kind"] == "state_probe"]
        assert probe["ts"] > steps[-1]["ts"]


@pytest.mark.parametrize("name", ["traces.jsonl", "browser-demo.jsonl"])
def test_every_run_is_its_own_and_ends_with_the_final_message(name: str) -> None:
    traces = rows(name)
    for part in ("trace_id", "final_claim", "task"):
        assert len({canonical_json(trace[part]) for trace in traces}) == len(traces)
    for trace in traces:
        said = [step["content"] for step in trace["steps"] if step["kind"] == "message" and step["role"] == "agent"]
        assert said[-1] == trace["final_claim"]["text"]
        assert [step["i"] for step in trace["steps"]] == list(range(len(trace["steps"])))
        assert [step["ts"] for step in trace["steps"]] == sorted(step["ts"] for step in trace["steps"])


def test_all_addresses_are_reserved_names() -> None:
    for name in NAMES:
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        hosts = re.findall(r"(?:@|https://)([a-z0-9.-]+)", text)
        assert hosts and all(re.search(r"(?:^|\.)example(?:\.com)?\.?$", host) for host in hosts)


def test_the_browser_demo_has_24_runs_without_probes() -> None:
    traces = rows("browser-demo.jsonl")
    assert len(traces) == 24
    assert {trace["task"]["domain"] for trace in traces} == {"browser"}
    assert not [step for trace in traces for step in trace["steps"] if step["kind"] == "state_probe"]
