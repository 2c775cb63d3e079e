"""Reading in the background: what is shown meanwhile, what is kept, and which results are used."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec.structs import replace

from agent_claimcheck.core.settings import load_settings
from agent_claimcheck.pipeline.build import spec_from_settings
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.loading import load_traces
from agent_claimcheck.pipeline.probes_run import ProbeSession, load_probe_file
from agent_claimcheck.results.v2 import encode_v2
from agent_claimcheck.review.scoring import ScoringPlan, store_key
from fakes import booking_trace
from review_server import running_review, write_traces

PROBE = '{"trace_id": "a", "name": "rooms.get", "ok": true, "ts": "2026-05-01T10:00:00Z", "output": {"booking_id": "bk-1"}}\n'

ROOM_FILES = """
version = 1
[roots]
rooms = "."
[[probe]]
name = "rooms.get"
for_tools = ["rooms.book"]
params.booking_id = { from = "call.output.booking_id", type = "string", pattern = "bk-[0-9]+" }
file = { root = "rooms", path = "{booking_id}.json", read = "json" }
"""


def plan(folder: Path, *inputs: str) -> ScoringPlan:
    spec = spec_from_settings(load_settings(None, {}, {"XDG_CACHE_HOME": str(folder)}, folder))
    return ScoringPlan(inputs=inputs, spec=spec)


def test_bad_lines_are_counted_and_named(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a")])
    path.write_bytes(path.read_bytes() + b"{broken\n")
    with running_review([str(path)], tmp_path) as review:
        progress = review.get("state")["scoring"]
    assert (progress["state"], progress["read"], progress["problems"]) == ("done", 1, 1)
    assert f"{path}:2" in progress["messages"][0]


def test_a_file_that_cannot_be_read_is_told_on_the_page(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a")])
    with running_review([str(path)], tmp_path, results=tmp_path / "nosuch.jsonl") as review:
        progress = review.get("state")["scoring"]
    assert progress["state"] == "failed"
    assert "nosuch.jsonl" in progress["messages"][0]


def test_a_complete_store_is_used_again_without_reading(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a"), booking_trace("b")])
    with running_review([str(path)], tmp_path):
        pass
    path.unlink()
    with running_review([str(path)], tmp_path) as review:
        assert review.ids(view="all") == ["a", "b"]
        assert review.get("state")["scoring"]["read"] == 2


def test_results_of_a_file_are_used_where_it_has_them(tmp_path: Path) -> None:
    traces = [booking_trace("a"), booking_trace("b")]
    given = replace(Checker().check_one(traces[0]), verdict="verified", p_success=0.9)
    lone = replace(given, trace_id="gone")
    (tmp_path / "r.jsonl").write_bytes(encode_v2(given) + b"\n" + encode_v2(lone) + b"\n")
    path = write_traces(tmp_path / "t.jsonl", traces)
    with running_review([str(path)], tmp_path, results=tmp_path / "r.jsonl") as review:
        rows = {row["trace_id"]: row for row in review.get("queue", view="all")["items"]}
        assert rows["a"]["p"] == 0.9
        assert rows["b"]["p"] != 0.9
        page = review.get("trace", id="gone")
        assert "timeline" not in page and page["review"]["can_decide"] is False
        answer = review.client.post("/api/review", json={"trace_id": "gone", "decision": "verified"})
        assert (answer.status_code, answer.json()["error"]) == (409, "no_trace")


def test_probes_are_merged(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a")])
    (tmp_path / "p.jsonl").write_text(PROBE)
    with running_review([str(path)], tmp_path, probes=tmp_path / "p.jsonl") as review:
        assert [entry["kind"] for entry in review.get("trace", id="a")["timeline"]][-1] == "probe"


def test_a_foreign_format_is_read(tmp_path: Path) -> None:
    case = Path(__file__).parents[2] / "cases" / "importers" / "tau-bench" / "episodes" / "input.json"
    with running_review([str(case)], tmp_path) as review:
        assert review.get("state")["total"] >= 1
        assert "tau-bench" in review.get("state")["counters"]["source"]


def test_a_store_is_named_after_inputs_and_settings(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a")])
    first = store_key(plan(tmp_path, str(path)))
    assert first == store_key(plan(tmp_path, str(path)))
    assert first != store_key(plan(tmp_path, str(path), "example:mixed"))
    os.utime(path, ns=(1, 1))
    assert first != store_key(plan(tmp_path, str(path)))
    assert store_key(plan(tmp_path, "-")) is None


def test_what_the_page_shows_is_what_check_finds(tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        rows = {row["trace_id"]: (row["verdict"], row["p"]) for row in review.get("queue", view="all")["items"]}
    checker = Checker("rules")
    results = [checker.check_one(trace) for trace in load_traces("example:mixed")]
    assert rows == {result.trace_id: (result.verdict, result.p_success) for result in results}


def test_readings_are_made_anew_at_every_start(tmp_path: Path) -> None:
    (tmp_path / "bk-1.json").write_text('{"booking_id": "bk-1"}')
    (tmp_path / "probes.toml").write_text(ROOM_FILES)
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a")])
    made = plan(tmp_path, str(path))
    with ProbeSession(load_probe_file(tmp_path / "probes.toml"), {}, made.spec.case) as session:
        assert store_key(made) is not None
        assert store_key(replace(made, live=session)) is None
        with running_review([str(path)], tmp_path, live=session) as review:
            assert [entry["kind"] for entry in review.get("trace", id="a")["timeline"]][-1] == "probe"
