"""A classifier of the user's own, mostly fitted on the review queue, beside runs that a state probe confirms."""

from __future__ import annotations

import pytest

from agent_claimcheck.detectors.ensembles import NO_ACCUSATION, combine

VERIFIED = 0.8
CONFIRMED = 0.97


@pytest.mark.parametrize("base_rate", [0.2, 0.35, 0.6])
def test_a_score_near_its_base_rate_takes_no_confirmed_run_back(base_rate: float) -> None:
    for learned in (base_rate, base_rate - 0.1, base_rate + 0.1):
        assert combine(CONFIRMED, CONFIRMED, learned, base_rate) >= VERIFIED


def test_a_score_that_speaks_strongly_against_success_does() -> None:
    assert NO_ACCUSATION <= combine(CONFIRMED, CONFIRMED, 0.02, 0.6) < VERIFIED


def test_no_score_raises_a_confirmed_run_or_accuses_it() -> None:
    assert combine(CONFIRMED, CONFIRMED, 0.999, 0.3) == CONFIRMED
    assert combine(CONFIRMED, CONFIRMED, 0.000001, 0.9) == NO_ACCUSATION


def test_the_shipped_classifier_still_lowers_a_confirmed_run_to_its_own_score() -> None:
    assert combine(CONFIRMED, CONFIRMED, 0.6, 0.6, is_own=False) == 0.6
