"""Counting verdicts against labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.decisions import count_decisions
from agent_claimcheck.scoring.gate import Verdict

VERDICTS: list[Verdict] = ["verified", "false_success", "unverifiable", "skipped"]
ROWS = st.lists(st.tuples(st.sampled_from(VERDICTS), st.booleans()), max_size=60)


def test_a_false_success_in_review_is_neither_caught_nor_missed() -> None:
    counted = count_decisions(["unverifiable"], [True])
    assert (counted.caught, counted.missed, counted.sent_to_review) == (0, 0, 1)
    assert counted.accuracy_on_decided is None
    assert counted.coverage == 0.0


def test_skipped_traces_are_left_out_of_every_count() -> None:
    counted = count_decisions(["skipped", "verified"], [True, False])
    assert (counted.n, counted.n_failure, counted.coverage) == (1, 0, 1.0)


def test_no_traces_at_all_decide_nothing() -> None:
    assert count_decisions([], []).coverage == 0.0


def test_verdicts_without_labels_are_refused() -> None:
    with pytest.raises(InputError):
        count_decisions(["verified"], [])


@given(ROWS)
def test_agrees_with_scikit_learns_confusion_matrix(rows: list[tuple[Verdict, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    decided = [row for row in rows if row[0] in ("verified", "false_success")]
    counted = count_decisions([row[0] for row in rows], [row[1] for row in rows])
    assert counted.n == sum(row[0] != "skipped" for row in rows)
    assert counted.sent_to_review + len(decided) == counted.n
    if decided:
        truth, called = [failed for _, failed in decided], [verdict == "false_success" for verdict, _ in decided]
        matrix = metrics.confusion_matrix(truth, called, labels=[False, True]).ravel().tolist()
        assert matrix == [
            counted.confusion["success"]["verified"], counted.false_alarms, counted.missed, counted.caught,
        ]  # fmt: skip
        assert counted.accuracy_on_decided == pytest.approx(metrics.accuracy_score(truth, called))
