"""Risk against coverage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.scoring.risk import area_under_risk, risk_at, risk_coverage

ROWS = st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.booleans()), min_size=1, max_size=60)


def test_the_surest_traces_come_first() -> None:
    points = risk_coverage([0.6, 0.99, 0.02], [False, True, False])
    assert [(round(p.coverage, 3), round(p.risk, 3)) for p in points] == [(0.333, 0), (0.667, 0), (1.0, 0.333)]


def test_mirrored_scores_are_equally_sure() -> None:
    assert len(risk_coverage([0.1, 0.9, 0.3, 0.7], [False, True, False, True])) == 2


def test_an_abstention_is_kept_last_however_sure_its_number_looks() -> None:
    points = risk_coverage([1.0, 0.6], [False, True], [True, False])
    assert [(p.coverage, p.risk) for p in points] == [(0.5, 0.0), (1.0, 0.5)]


def test_a_curve_ends_with_every_trace() -> None:
    with pytest.raises(InputError):
        risk_at(risk_coverage([0.5], [True]), 1.5)


@given(ROWS)
def test_the_last_point_is_the_plain_error_rate(rows: list[tuple[float, bool, bool]]) -> None:
    points = risk_coverage([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])
    assert points[-1].coverage == 1.0
    assert points[-1].risk == pytest.approx(sum((p >= 0.5) != won for p, won, _ in rows) / len(rows))
    assert [p.coverage for p in points] == sorted(p.coverage for p in points)
    assert 0 <= area_under_risk(points) <= 1
