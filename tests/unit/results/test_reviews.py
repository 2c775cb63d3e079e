"""The reviews file: its lines, and which of them count."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from agent_claimcheck.core.errors import InputError, OutputError
from agent_claimcheck.evidence.case import CaseSettings
from agent_claimcheck.lab.train.labelled import read_labelled
from agent_claimcheck.pipeline.sources import SourceOptions, read_sources
from agent_claimcheck.results.reviews import (
    Decision,
    ReviewsFile,
    read_decision,
    review_line,
)
from fakes import booking_trace


def line(trace_id: str, word: str = "verified", **fields: str) -> bytes:
    return review_line(booking_trace(trace_id), Decision(trace_id=trace_id, decision=word, **fields))  # type: ignore[arg-type]


def test_a_label_of_the_trace_is_replaced_and_the_rest_kept() -> None:
    read = json.loads(line("a", "false_success", note="no"))
    assert read["ground_truth"] == {
        "outcome": "failure",
        "checked_by": "human",
        "details": {"decision": "false_success", "note": "no", "previous_verdict": "", "reviewed_at": ""},
    }
    assert [step["i"] for step in read["steps"]] == [0, 1, 2, 3]


def test_an_undone_decision_labels_nothing() -> None:
    truth = json.loads(line("a", "undone"))["ground_truth"]
    assert (truth["outcome"], truth["checked_by"]) == ("unknown", "none")


def test_a_line_reads_back_as_the_decision_it_records() -> None:
    decision = Decision(trace_id="a", decision="false_success", note="n", failure_kind="other", reviewer="Kim")
    assert read_decision(review_line(booking_trace("a"), decision)) == decision


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[1]", b"null", b'{"trace_id": "a"}', b'{"trace_id": "a", "ground_truth": {"outcome": "success"}}',
             b'{"trace_id": 1, "ground_truth": {"details": {"decision": "verified"}}}', b"\xff" * 9, b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_review_is_passed_over(data: bytes) -> None:
    assert read_decision(data) is None


def test_lines_of_reviewed_traces_are_valid_traces_and_the_newest_one_trains(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    lines = [line("a"), line("b"), line("a", "false_success"), line("c"), line("c", "undone")]
    path.write_bytes(b"\n".join(lines) + b"\n")
    traces = read_sources([str(path)], SourceOptions(keeps_repeats=True))
    labelled = read_labelled(traces, CaseSettings())
    assert {run.trace_id: run.is_success for run in labelled.runs} == {"a": False, "b": True}
    assert labelled.problems == ()


def test_a_missing_file_is_no_reviews_to_a_server(tmp_path: Path) -> None:
    assert list(ReviewsFile(tmp_path / "no").read_new()) == []


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(ReviewsFile(tmp_path).read_new())


def test_only_what_is_new_is_read_and_a_half_written_line_waits(tmp_path: Path) -> None:
    file = ReviewsFile(tmp_path / "r.jsonl")
    file.append(line("a"))
    assert [decision.trace_id for decision in file.read_new()] == ["a"]
    assert list(file.read_new()) == []
    whole = line("b") + b"\n"
    with file.path.open("ab") as other:
        other.write(whole[:50])
    assert list(file.read_new()) == []
    with file.path.open("ab") as other:
        other.write(whole[50:])
    assert [decision.trace_id for decision in file.read_new()] == ["b"]


def test_many_writers_keep_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    def write(name: str) -> None:
        file = ReviewsFile(path)
        for number in range(10):
            file.append(line(f"{name}-{number}"))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(ReviewsFile(path).read_new())) == 40


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no-such-folder"):
        ReviewsFile(tmp_path / "no-such-folder" / "r.jsonl").append(b"{}")
