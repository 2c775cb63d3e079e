"""Who is named a winner, and what is said about detectors that cost more."""

from __future__ import annotations

from agent_claimcheck.lab.bench.comparison import compare_detectors
from agent_claimcheck.lab.bench.measure import measure_detector
from agent_claimcheck.lab.bench.rows import Row, Rows, TraceFacts


def rows(scores: list[float], *, cost: float = 0.0) -> Rows:
    """Half failures (first), half successes."""
    half = len(scores) // 2
    return [
        Row(
            facts=TraceFacts(
                trace_id=str(i), split="test", domain="d", is_failure=i < half, injection="none", evidence="e"
            ),
            p_raw=p,
            p_cal=p,
            abstain=False,
            cost_usd=cost,
        )
        for i, p in enumerate(scores)
    ]


PERFECT = [0.1] * 20 + [0.9] * 20
REVERSED = [0.9] * 20 + [0.1] * 20
NEARLY = [0.1] * 18 + [0.9] * 22


def compare(**scored: Rows):  # type: ignore[no-untyped-def]
    return compare_detectors(scored, {name: measure_detector(found, None) for name, found in scored.items()})


def test_overlapping_intervals_name_no_winner() -> None:
    found = compare(one=rows(PERFECT), other=rows(PERFECT))
    assert (found.top, found.level_with_top, found.winner) == ("one", ["other"], None)


def test_a_winner_stands_apart_from_every_other() -> None:
    found = compare(one=rows(PERFECT), other=rows(REVERSED))
    assert (found.winner, found.level_with_top) == ("one", [])
    behind = found.standings["other"].auroc_behind_top
    assert behind is not None and behind.value == -1.0


def test_a_detector_alone_wins_nothing() -> None:
    assert compare(one=rows(PERFECT)).winner is None


def test_the_costlier_detector_that_misses_more_is_named() -> None:
    (found,) = compare(cheap=rows(PERFECT), dear=rows(NEARLY, cost=0.01)).costlier_misses_more
    assert (found.costlier, found.cheaper, found.missed_costlier, found.missed_cheaper) == ("dear", "cheap", 2, 0)
    assert found.n_failure == 20
    assert found.difference.value == 0.1
    assert found.difference.ci_low < 0 < found.difference.ci_high


def test_equal_cost_or_fewer_misses_are_not_named() -> None:
    assert not compare(a=rows(PERFECT), b=rows(NEARLY)).costlier_misses_more
    assert not compare(cheap=rows(NEARLY), dear=rows(PERFECT, cost=0.01)).costlier_misses_more


def test_only_shared_traces_are_compared() -> None:
    part = rows(NEARLY, cost=0.01)[19:21]
    (found,) = compare(cheap=rows(PERFECT), dear=part).costlier_misses_more
    assert (found.n_failure, found.missed_costlier) == (1, 1)
