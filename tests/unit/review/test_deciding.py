"""Decisions over HTTP: what they write, what they change, and how they are taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_claimcheck.pipeline.loading import load_traces
from fakes import booking_trace
from review_server import Running, running_review, write_traces


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "reviews.jsonl").read_text().splitlines()]


def decide(review: Running, trace_id: str, decision: str = "verified", **body: Any) -> dict[str, Any]:
    answer: dict[str, Any] = review.post("review", trace_id=trace_id, decision=decision, **body)["review"]
    return answer


def test_a_decision_is_a_labelled_trace_in_the_reviews_file(review: Running, tmp_path: Path) -> None:
    decide(review, "booking-03", "false_success", note=" slot differs ", failure_kind="wrong_value", reviewer="Kim")
    (line,) = lines(tmp_path)
    assert (line["schema"], line["trace_id"]) == ("agent-trace/v1", "booking-03")
    truth = line["ground_truth"]
    assert (truth["outcome"], truth["checked_by"]) == ("failure", "human")
    assert truth["details"]["reviewed_at"].endswith("Z")
    del truth["details"]["reviewed_at"]
    assert truth["details"] == {
        "decision": "false_success",
        "note": "slot differs",
        "previous_verdict": "unverifiable",
        "failure_kind": "wrong_value",
        "reviewer": "Kim",
    }
    assert [trace.trace_id for trace in load_traces(tmp_path / "reviews.jsonl", strict=True)] == ["booking-03"]


def test_a_decided_trace_leaves_the_queue_and_can_be_found_again(review: Running) -> None:
    decide(review, "booking-03")
    assert review.ids() == ["crm-03", "coding-03"]
    assert review.ids(view="reviewed") == ["booking-03"]
    assert review.get("state")["queue"] == 2


def test_a_decision_survives_a_restart_and_a_lost_store(tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        decide(review, "booking-03")
    with running_review(["example:mixed"], tmp_path) as review:
        assert review.ids() == ["crm-03", "coding-03"]
    for path in tmp_path.glob("store.sqlite*"):
        path.unlink()
    with running_review(["example:mixed"], tmp_path) as review:
        assert review.ids() == ["crm-03", "coding-03"]
        assert review.get("trace", id="booking-03")["review"]["decision"]["decision"] == "verified"


def test_the_reviews_file_is_the_truth_even_when_lines_are_taken_out(tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        decide(review, "booking-03")
        decide(review, "crm-03")
    path = tmp_path / "reviews.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[1])
    with running_review(["example:mixed"], tmp_path) as review:
        assert review.ids() == ["booking-03", "coding-03"]


def test_a_change_of_mind_is_a_later_line_and_the_last_one_counts(review: Running, tmp_path: Path) -> None:
    decide(review, "booking-03", "verified")
    decide(review, "booking-03", "false_success")
    assert [line["ground_truth"]["outcome"] for line in lines(tmp_path)] == ["success", "failure"]
    assert review.get("trace", id="booking-03")["review"]["decision"]["decision"] == "false_success"


def test_undoing_brings_a_trace_back_into_the_queue(review: Running, tmp_path: Path) -> None:
    seq = decide(review, "booking-03")["seq"]
    state = review.post("undo", trace_id="booking-03", seq=seq)["review"]
    assert state["status"] == "open"
    assert review.ids() == ["booking-03", "crm-03", "coding-03"]
    assert [line["ground_truth"]["outcome"] for line in lines(tmp_path)] == ["success", "unknown"]


def test_undoing_a_change_of_mind_restores_the_first_decision(review: Running) -> None:
    decide(review, "booking-03", "verified", note="first")
    seq = decide(review, "booking-03", "false_success")["seq"]
    state = review.post("undo", trace_id="booking-03", seq=seq)["review"]
    assert (state["decision"]["decision"], state["decision"]["note"]) == ("verified", "first")


def test_an_older_decision_is_not_undone_over_a_newer_one(review: Running) -> None:
    seq = decide(review, "booking-03")["seq"]
    decide(review, "booking-03", "false_success")
    answer = review.client.post("/api/undo", json={"trace_id": "booking-03", "seq": seq})
    assert (answer.status_code, answer.json()["error"]) == (409, "superseded")


def test_a_settled_trace_can_be_decided_too(review: Running) -> None:
    decide(review, "booking-02", "verified", note="the other booking was mine")
    assert review.ids(view="reviewed") == ["booking-02"]


def test_lines_that_another_server_wrote_are_taken_over(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with running_review(["example:mixed"], tmp_path) as review:
        with running_review(["example:mixed"], other) as second:
            decide(second, "crm-03")
        with (tmp_path / "reviews.jsonl").open("ab") as file:
            file.write((other / "reviews.jsonl").read_bytes())
        assert review.get("state")["reviewed"] == 1


def test_a_torn_last_line_costs_nothing_but_itself(tmp_path: Path) -> None:
    with running_review(["example:mixed"], tmp_path) as review:
        decide(review, "booking-03")
    path = tmp_path / "reviews.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes()[:200])
    with running_review(["example:mixed"], tmp_path) as review:
        decide(review, "crm-03")
        assert review.ids() == ["coding-03"]
    with running_review(["example:mixed"], tmp_path) as review:
        assert review.ids() == ["coding-03"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"trace_id": "nosuch", "decision": "verified"}, 404, "not_found"),
        ({"trace_id": "booking-03", "decision": "maybe"}, 400, "invalid_body"),
        ({"trace_id": "booking-03", "decision": "verified", "note": "x" * 1001}, 400, "invalid_note"),
        ({"trace_id": "booking-03", "decision": "false_success", "failure_kind": "x"}, 400, "invalid_failure_kind"),
        ({"trace_id": "booking-03", "decision": "verified", "failure_kind": "other"}, 400, "invalid_failure_kind"),
        ({"trace_id": "booking-03", "decision": "verified", "label": "success"}, 400, "invalid_body"),
        ({"decision": "verified"}, 400, "invalid_body"),
    ],
)
def test_a_faulty_decision_is_refused_and_nothing_is_written(
    review: Running, tmp_path: Path, body: dict[str, Any], status: int, code: str
) -> None:
    answer = review.client.post("/api/review", json=body)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert not (tmp_path / "reviews.jsonl").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_and_the_trace_stays_in_the_queue(review: Running, tmp_path: Path) -> None:
    (tmp_path / "reviews.jsonl").symlink_to("/dev/full")
    answer = review.client.post("/api/review", json={"trace_id": "booking-03", "decision": "verified"})
    assert (answer.status_code, answer.json()["error"]) == (507, "output")
    assert "booking-03" in review.ids()


def test_an_open_item_is_leased_to_one_reviewer(review: Running) -> None:
    other = review.new_client()
    other.post("/api/lease", json={"trace_id": "booking-03", "reviewer": "Ana"}).raise_for_status()
    assert review.post("lease", trace_id="booking-03", reviewer="Ben")["held_by"] == "Ana"
    assert review.get("queue")["items"][0]["held_by"] == "Ana"
    assert review.get("trace", id="booking-03")["held_by"] == "Ana"
    refused = review.client.post("/api/review", json={"trace_id": "booking-03", "decision": "verified"})
    assert (refused.status_code, refused.json()["error"]) == (409, "leased")
    other.post("/api/lease", json={"trace_id": "crm-03", "reviewer": "Ana"}).raise_for_status()
    assert review.post("lease", trace_id="booking-03", reviewer="Ben")["held_by"] is None
    other.close()


def test_the_label_is_shown_only_after_a_decision(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a", outcome="failure")])
    with running_review([str(path)], tmp_path) as review:
        for route in ("trace", "raw"):
            assert "ground_truth" not in review.client.get(f"/api/{route}", params={"id": "a"}).text
        assert "label" not in review.get("trace", id="a")["review"]
        assert b"ground_truth" not in review.client.get("/api/report", params={"id": "a"}).content
        seq = decide(review, "a")["seq"]
        assert review.get("trace", id="a")["review"]["label"] == {"outcome": "failure", "checked_by": "human"}
        review.post("undo", trace_id="a", seq=seq)
        assert "label" not in review.get("trace", id="a")["review"]


def test_reviews_can_be_downloaded(review: Running, tmp_path: Path) -> None:
    assert review.client.get("/api/reviews").content == b""
    decide(review, "booking-03")
    assert review.client.get("/api/reviews").content == (tmp_path / "reviews.jsonl").read_bytes()
