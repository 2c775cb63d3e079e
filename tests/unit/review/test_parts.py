"""Parts that need no server: leases, the search language, reports, the store's own promises."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from agent_claimcheck.core.errors import OutputError
from agent_claimcheck.detectors.contract import DetectorOutput
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.results.reviews import Decision, ReviewsFile
from agent_claimcheck.review.leases import LEASE_S, Leases
from agent_claimcheck.review.reports import read_reports
from agent_claimcheck.review.store.query import Filter
from agent_claimcheck.review.store.rows import language_of
from agent_claimcheck.review.store.store import Store, forget_old_stores
from agent_claimcheck.review.store.words import match_expression
from fakes import Clock, booking_trace


def test_a_lease_ends_when_its_reviewer_falls_silent() -> None:
    clock = Clock()
    leases = Leases(clock)
    assert leases.take("a", "one", "Ana") is None
    standing = leases.take("a", "two", "Ben")
    assert standing is not None and standing.name == "Ana"
    clock.wait(LEASE_S - 1)
    assert leases.held_by_others("two") == {"a": "Ana"}
    clock.wait(2)
    assert leases.held_by_others("two") == {}
    assert leases.take("a", "two", "Ben") is None
    assert leases.in_the_way("a", "one") is not None


def test_one_reviewer_holds_one_item() -> None:
    leases = Leases(Clock())
    leases.take("a", "one", "Ana")
    leases.take("b", "one", "Ana")
    assert leases.in_the_way("a", "two") is None
    leases.release("one")
    assert leases.in_the_way("b", "two") is None


@pytest.mark.parametrize(
    ("query", "expression"),
    [
        ("ada room", '"ada" AND "room"*'),
        ('"ada room"', '"ada room"'),
        ("a", '"a"'),
        ("会議室", '"会 議 室"*'),
        ('x" OR "y', None),
        ("** --", None),
        ("", None),
    ],
)
def test_a_search_becomes_words_only(query: str, expression: str | None) -> None:
    made = match_expression(query)
    if expression is None:
        assert made is None or "OR" not in made.replace('"OR"', "").replace('" OR "', "")
    else:
        assert made == expression


@pytest.mark.parametrize(
    ("text", "code"),
    [("I have booked the room for you and sent the invitation.", "en"), ("", "none"), ("12345 !!", "none"),
     ("Ich habe den Termin gebucht und die Einladung an alle geschickt.", "de")],
)  # fmt: skip
def test_the_language_of_an_answer(text: str, code: str) -> None:
    assert language_of(text) == code


def test_a_store_of_another_version_or_no_store_at_all_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"this is no database" * 100)
    Store(path).close()
    store = Store(path)
    store.set_fact("version", "0")
    store.set_fact("complete", "yes")
    store.close()
    store = Store(path)
    assert store.fact("complete") is None
    store.close()


def test_stores_that_nobody_used_for_long_are_deleted(tmp_path: Path) -> None:
    for name in ("old", "new"):
        Store(tmp_path / f"{name}.sqlite").close()
    os.utime(tmp_path / "old.sqlite", (1000, 1000))
    now = (tmp_path / "new.sqlite").stat().st_mtime
    assert forget_old_stores(tmp_path, 3600, now) == 1
    assert [path.name for path in tmp_path.glob("*.sqlite*")] == ["new.sqlite"]
    assert forget_old_stores(tmp_path / "nosuch", 1, now) == 0


def test_decisions_and_scoring_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    checker = Checker()
    pairs = [(trace, checker.check_one(trace)) for trace in (booking_trace(f"t-{n}") for n in range(60))]

    def add() -> None:
        for pair in pairs:
            store.add([pair])

    def decide() -> None:
        for trace, _ in pairs:
            store.apply([Decision(trace_id=trace.trace_id, decision="verified")])

    threads = [threading.Thread(target=work) for work in (add, decide)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.count(Filter(view="reviewed")) == 60
    assert len(store.page(Filter(view="reviewed"), limit=200).rows) == 60
    assert store.counters()["status"] == {"reviewed": 60}
    store.close()


def test_counters_are_what_counting_gives(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    checker = Checker()
    traces = (booking_trace("a"), booking_trace("b", ok=False, error="full"))
    store.add([(trace, checker.check_one(trace)) for trace in traces])
    store.apply([Decision(trace_id="a", decision="verified"), Decision(trace_id="a", decision="undone")])
    rows = store.page(Filter(view="all")).rows
    for field in ("verdict", "record", "detector", "status"):
        counted: dict[str, int] = {}
        for row in rows:
            counted[row[field]] = counted.get(row[field], 0) + 1
        assert store.counters()[field] == counted
    store.close()


def test_a_learned_score_orders_the_queue_where_the_detectors_abstained(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    checker = Checker("rules")
    for name, score in (("far", 0.1), ("near", 0.48), ("middle", 0.7)):
        trace = booking_trace(name)
        output = DetectorOutput(detector="classifier", p_success=0.6, abstain=True, details={"score": score})
        result = replace(
            checker.check_one(trace), verdict="unverifiable", p_success=0.6, abstain=True, detectors=(output,)
        )
        store.add([(trace, result)])
    rows = store.page(Filter()).rows
    assert [row["trace_id"] for row in rows] == ["near", "middle", "far"]
    assert {row["p"] for row in rows} == {0.6}
    store.close()


def test_reports_of_bench_and_train_become_tables(tmp_path: Path) -> None:
    bench = {"detectors": {"rules": {"n": 120, "auroc": {"value": 0.91, "ci_low": 0.85}}}, "leakage_test_auroc": 0.4}
    (tmp_path / "bench.json").write_text(json.dumps(bench))
    (tmp_path / "calibration.json").write_text(json.dumps({"calibrators": {"rules": {"a": 1.25, "b": None}}}))
    (tmp_path / "lr-v1.json").write_text(json.dumps({"features": ["n_steps", "n_calls"], "coef": [0.5, -2]}))
    (tmp_path / "report.md").write_text("# Report\x1b[2J\n")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "other.txt").write_text("not shown")
    found = {report["name"]: report for report in read_reports([tmp_path])}
    assert {name: report["kind"] for name, report in found.items()} == {
        "bench.json": "bench", "broken.json": "text", "calibration.json": "calibration", "lr-v1.json": "classifier",
        "report.md": "text",
    }  # fmt: skip
    assert found["bench.json"]["tables"][0]["rows"] == [["rules", "120", "0.91", "0.85"]]
    assert found["calibration.json"]["tables"][0]["rows"] == [["rules", "1.25", "–"]]
    assert found["lr-v1.json"]["tables"][0]["rows"][0] == ["n_calls", "-2"]
    assert found["report.md"]["text"] == "# Report\\x1b[2J\n"


def test_a_place_without_room_for_decisions_is_told_before_anything_is_read(tmp_path: Path) -> None:
    ReviewsFile(tmp_path / "new.jsonl").need_place()
    assert not (tmp_path / "new.jsonl").exists()
    for path, why in ((tmp_path / "no" / "r.jsonl", "create the folder first"), (tmp_path, "it is a directory")):
        with pytest.raises(OutputError, match=why):
            ReviewsFile(path).need_place()
