"""The judge panel over HTTP, with a model server on loopback."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.core.settings import Settings, load_settings
from fakes import BAD, ModelServer, Status, model_server, says
from review_server import RULES, Running, running_review

ENDED = ("done", "failed", "cancelled")
SLOW = {"judge.concurrency": 1}
EXAMPLES = ["example:mixed"]


def settings(server: ModelServer, folder: Path, **more: Any) -> Settings:
    overrides = {
        **RULES, "judge.base_url": server.base_url, "judge.model": "stub", "judge.price_in_per_m": 1.0,
        "judge.price_out_per_m": 1.0, **more,
    }  # fmt: skip
    return load_settings(None, overrides, {"XDG_CACHE_HOME": str(folder), "CLAIMCHECK_API_KEY": "sk-1"}, folder)


def finished(review: Running) -> dict[str, Any]:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        run: dict[str, Any] = review.get("judge")["run"]
        if run["state"] in ENDED:
            return run
        review.service.judge.wait_for_change(0.1)
    raise AssertionError("the run did not end")


def test_without_a_model_the_panel_says_what_to_set(review: Running) -> None:
    assert "CLAIMCHECK_MODEL" in review.get("judge")["unconfigured"]
    assert review.get("judge/estimate")["error"] == "not_configured"
    answer = review.client.post("/api/judge/run", json={})
    assert (answer.status_code, answer.json()["error"]) == (400, "judge_model")


def test_an_estimate_sends_nothing_and_names_the_worst_case(tmp_path: Path) -> None:
    with model_server() as server, running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path)) as review:
        found = review.get("judge/estimate")
        assert (found["queued"], found["calls"], found["cached"]) == (3, 3, 0)
        assert 0 < found["worst_case_usd"] < 1
        assert server.asked == []


def test_answers_take_the_place_of_results_and_leave_the_queue(tmp_path: Path) -> None:
    with (
        model_server(always=lambda request: says(BAD)) as server,
        running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path)) as review,
    ):
        run_id = review.post("judge/run", filter={"view": "queue"})["run_id"]
        run = finished(review)
        assert (run["run_id"], run["state"], run["done"], run["changed"]) == (run_id, "done", 3, 3)
        assert run["spent_usd"] > 0
        assert review.ids() == []
        page = review.get("trace", id="booking-03")
        assert page["verdict"] == "false_success"
        assert [detector["name"] for detector in page["detectors"]] == ["judge", "rules"]
        assert page["detectors"][0]["judge"]["steps"] == [2]
        assert review.get("judge/estimate", id="booking-03")["cached"] == 1


def test_a_selection_alone_is_judged(tmp_path: Path) -> None:
    with model_server() as server, running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path)) as review:
        review.post("judge/run", trace_ids=["crm-03"])
        assert finished(review)["done"] == 1
        assert review.ids() == ["booking-03", "coding-03"]


def test_a_judge_without_an_answer_changes_nothing(tmp_path: Path) -> None:
    with (
        model_server(always=lambda request: Status(400)) as server,
        running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path)) as review,
    ):
        review.post("judge/run")
        run = finished(review)
        assert (run["answered"], sum(run["unanswered"].values())) == (0, 3)
        assert len(review.ids()) == 3


def test_all_runs_share_the_budget_of_the_server(tmp_path: Path) -> None:
    poor = {"budget.max_usd": 0.005}
    with model_server(always=lambda request: says(BAD, cost=0.004)) as server:
        made = settings(server, tmp_path, **poor, **{"judge.concurrency": 1})
        with running_review(EXAMPLES, tmp_path, settings=made) as review:
            review.post("judge/run", trace_ids=["booking-03"])
            assert finished(review)["answered"] == 1
            assert review.get("judge/estimate")["left_usd"] == pytest.approx(0.001)
            review.post("judge/run")
            assert finished(review)["unanswered"] == {"the budget is used up": 2}
            assert len(server.asked) == 1


def test_one_run_at_a_time_and_it_can_be_stopped(tmp_path: Path) -> None:
    with (
        model_server(delay_s=0.3) as server,
        running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path, **SLOW)) as review,
    ):
        run_id = review.post("judge/run")["run_id"]
        second = review.client.post("/api/judge/run", json={})
        assert (second.status_code, second.json()["error"]) == (409, "already_running")
        review.post("judge/cancel", run_id="another")
        review.post("judge/cancel", run_id=run_id)
        run = finished(review)
        assert run["state"] == "cancelled"
        assert len(server.asked) < 3


def test_progress_comes_as_events_until_the_end(tmp_path: Path) -> None:
    with model_server() as server, running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path)) as review:
        run_id = review.post("judge/run")["run_id"]
        with review.client.stream("GET", "/api/judge/events", params={"run": run_id}) as events:
            assert events.headers["content-type"].startswith("text/event-stream")
            names = [line for line in events.iter_lines() if line.startswith("event:")]
        assert names[-1] == "event: end"


def test_events_of_a_run_that_is_over_end_at_once(review: Running) -> None:
    assert review.client.get("/api/judge/events", params={"run": "none"}).text.startswith("event: end")


def test_the_key_is_never_sent_to_the_page(tmp_path: Path) -> None:
    with model_server() as server, running_review(EXAMPLES, tmp_path, settings=settings(server, tmp_path)) as review:
        for route in ("state", "judge", "judge/estimate", "reports"):
            assert "sk-1" not in review.client.get(f"/api/{route}").text
