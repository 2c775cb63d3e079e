"""AUROC: failures are the positive class, ties count half, and scikit-learn agrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.ranking import auroc

# Few levels, so that ties are common.
LEVELS = st.sampled_from([0.0, 0.03, 0.05, 0.2, 0.5, 0.7, 0.97, 1.0]) | st.floats(0, 1)
SAMPLES = st.lists(st.tuples(LEVELS, st.booleans()), min_size=2, max_size=60)


def test_all_failures_below_all_successes_is_one() -> None:
    assert auroc([0.1, 0.2, 0.8], [True, True, False]) == 1.0


def test_a_constant_score_is_a_coin() -> None:
    assert auroc([0.6] * 5, [True, False, True, False, False]) == 0.5


def test_turning_the_order_round_turns_the_area_round() -> None:
    p, failed = [0.9, 0.8, 0.3, 0.2], [True, False, True, False]
    forward, backward = auroc(p, failed), auroc([1 - x for x in p], failed)
    assert forward is not None and backward is not None
    assert forward + backward == pytest.approx(1.0)


@pytest.mark.parametrize("failed", [[True, True], [False, False]])
def test_one_class_alone_has_no_area(failed: list[bool]) -> None:
    assert auroc([0.1, 0.9], failed) is None


@pytest.mark.parametrize(
    ("p", "failed"), [([0.5], [True, False]), ([], []), ([1.5], [True]), ([float("nan")], [True]), ([-0.1], [False])]
)
def test_scores_that_are_no_probabilities_are_refused(p: list[float], failed: list[bool]) -> None:
    with pytest.raises(InputError):
        auroc(p, failed)


@given(SAMPLES.filter(lambda rows: len({failed for _, failed in rows}) == 2))
def test_agrees_with_scikit_learn(rows: list[tuple[float, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    p, failed = [row[0] for row in rows], [row[1] for row in rows]
    assert auroc(p, failed) == pytest.approx(metrics.roc_auc_score(failed, [1 - x for x in p]), abs=1e-12)
