"""The lists over HTTP: queue, views, filters, search, order and paging."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fakes import booking_trace
from review_server import Running, running_review, write_traces

QUEUE = ["booking-03", "crm-03", "coding-03"]


def test_the_queue_holds_what_the_evidence_does_not_decide(review: Running) -> None:
    assert review.ids() == QUEUE


def test_every_trace_is_in_the_list_of_all(review: Running) -> None:
    assert len(review.ids(view="all")) == 12


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"verdict": "false_success"}, {"booking-02", "crm-02", "coding-02"}),
        ({"verdict": ["false_success", "verified"], "domain": "crm"}, {"crm-01", "crm-02"}),
        ({"tool": "git.commit"}, {"coding-01"}),
        ({"claim": "invite_sent"}, {"booking-01"}),
        ({"finding": "red_check"}, {"coding-02"}),
        ({"record": "confirmed", "language": "en"}, {"booking-01", "crm-01", "coding-01"}),
        ({"source": "no such source"}, set()),
    ],
)
def test_filters_narrow_the_list(review: Running, query: dict[str, Any], found: set[str]) -> None:
    assert set(review.ids(view="all", **query)) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Oluchi", ["booking-03"]),
        ("oluch", ["booking-03"]),
        ('"Oluchi Brandt"', ["booking-03"]),
        ('"Brandt Oluchi"', []),
        ("evt_9KD4", ["booking-03"]),
        ("oluchi nosuchword", []),
        ("booking-03", ["booking-03"]),
    ],
)
def test_search_finds_words_of_the_trace(review: Running, words: str, found: list[str]) -> None:
    assert review.ids(view="all", q=words) == found


@pytest.mark.parametrize(
    "words", ['"', "* OR 1=1", "NEAR(a b)", "body:x", "a AND NOT b", "(((", "'; DROP TABLE x", "\0"]
)
def test_search_text_is_never_a_query_language(review: Running, words: str) -> None:
    review.ids(view="all", q=words)
    assert len(review.ids(view="all")) == 12


def test_search_finds_words_written_without_spaces(tmp_path: Path) -> None:
    traces = [booking_trace("jp", instruction="明日の会議室を予約してください。"), booking_trace("en")]
    with running_review([str(write_traces(tmp_path / "t.jsonl", traces))], tmp_path) as review:
        assert review.ids(view="all", q="会議室") == ["jp"]


def test_search_does_not_see_labels_or_metadata(tmp_path: Path) -> None:
    path = write_traces(tmp_path / "t.jsonl", [booking_trace("a")])
    line = path.read_text().replace('"steps"', '"meta":{"secretword":"secretword"},"steps"', 1)
    path.write_text(line)
    with running_review([str(path)], tmp_path) as review:
        assert review.ids(view="all") == ["a"]
        assert review.ids(view="all", q="secretword") == []
        assert review.ids(view="all", q="checked_by") == []


@pytest.mark.parametrize("sort", ["closest", "teaches", "lowest", "highest", "newest", "oldest", "name"])
@pytest.mark.parametrize("view", ["queue", "all"])
def test_paging_shows_every_row_once(review: Running, sort: str, view: str) -> None:
    whole = review.ids(view=view, sort=sort)
    paged: list[str] = []
    after = ""
    while True:
        page = review.get("queue", view=view, sort=sort, limit=2, after=after)
        paged += [row["trace_id"] for row in page["items"]]
        after = page["after"]
        if not after:
            break
    assert paged == whole
    assert len(set(whole)) == len(whole) == (3 if view == "queue" else 12)


def test_paging_is_not_shifted_by_rows_that_leave(review: Running) -> None:
    first = review.get("queue", limit=1)
    review.post("review", trace_id=first["items"][0]["trace_id"], decision="verified")
    rest = review.get("queue", after=first["after"])
    assert [row["trace_id"] for row in rest["items"]] == QUEUE[1:]


def test_what_teaches_most_comes_one_of_each_kind_first(tmp_path: Path) -> None:
    alike = [booking_trace(f"alike-{n}") for n in range(3)]
    other = booking_trace("other", final="I cancelled the room.", output={"status": "cancelled"})
    with running_review([str(write_traces(tmp_path / "t.jsonl", [*alike, other]))], tmp_path) as review:
        assert set(review.ids(view="all", sort="teaches")[:2]) == {"alike-0", "other"}


def test_numbers_are_told_with_the_lists(review: Running) -> None:
    assert review.get("queue")["total"] == 3
    assert review.get("queue", view="all", verdict="skipped")["total"] == 3
    state = review.get("state")
    assert (state["total"], state["queue"], state["reviewed"]) == (12, 3, 0)
    assert state["overview"]["verified"] == {"booking": 1, "crm": 1, "coding": 1}
    assert state["counters"]["tool"]["calendar.create_event"] == 4
    assert state["thresholds"] == {"verified": 0.8, "false_success": 0.2}


@pytest.mark.parametrize(
    "query",
    [{"view": "nosuch"}, {"sort": "id; DROP TABLE items"}, {"after": "!!"}, {"after": "WzFd"}, {"after": "W1tdXQ=="}],
)
def test_what_no_page_sends_is_refused(review: Running, query: dict[str, str]) -> None:
    answer = review.client.get("/api/queue", params=query)
    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_filter", "invalid_cursor")


def test_filtered_results_can_be_downloaded(review: Running) -> None:
    answer = review.client.get("/api/results", params={"view": "all", "verdict": "false_success"})
    assert [line.count('"verdict":"false_success"') for line in answer.text.splitlines()] == [1, 1, 1]
    assert "attachment" in answer.headers["content-disposition"]
