"""The gate turns p(success) into a verdict and nothing else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.errors import ConfigError
from agent_claimcheck.scoring.gate import Thresholds, decide

ORDER = {"false_success": 0, "unverifiable": 1, "verified": 2}

probabilities = st.floats(0, 1)


@st.composite
def thresholds(draw: st.DrawFn) -> Thresholds:
    low, high = sorted((draw(probabilities), draw(probabilities.filter(lambda p: p > 0))))
    if low == high:
        low = 0.0
    return Thresholds(verified=high, false_success=low)


@pytest.mark.parametrize(
    ("p", "verdict", "confidence"),
    [
        (1.0, "verified", 1.0),
        (0.8, "verified", 0.8),
        (0.7999, "unverifiable", None),
        (0.2001, "unverifiable", None),
        (0.2, "false_success", 0.8),
        (0.0, "false_success", 1.0),
    ],
)
def test_thresholds_belong_to_the_verdict_they_name(p: float, verdict: str, confidence: float | None) -> None:
    decision = decide(p, False, Thresholds())
    assert (decision.verdict, decision.confidence) == (verdict, confidence)


@pytest.mark.parametrize("p", [None, float("nan")])
def test_no_number_decides_nothing(p: float | None) -> None:
    assert decide(p, False, Thresholds()).verdict == "unverifiable"


@given(p=probabilities, cut=thresholds())
def test_abstaining_always_wins(p: float, cut: Thresholds) -> None:
    decision = decide(p, True, cut)
    assert (decision.verdict, decision.confidence) == ("unverifiable", None)


@given(a=probabilities, b=probabilities, cut=thresholds())
def test_a_higher_p_never_gives_a_worse_verdict(a: float, b: float, cut: Thresholds) -> None:
    low, high = sorted((a, b))
    assert ORDER[decide(low, False, cut).verdict] <= ORDER[decide(high, False, cut).verdict]


@given(p=probabilities, cut=thresholds())
def test_confidence_is_the_probability_of_the_verdict(p: float, cut: Thresholds) -> None:
    decision = decide(p, False, cut)
    expected = {"verified": p, "false_success": 1 - p, "unverifiable": None}[decision.verdict]
    assert decision.confidence == expected


@pytest.mark.parametrize(
    ("verified", "false_success"), [(0.5, 0.5), (0.2, 0.8), (1.1, 0.2), (0.8, -0.1), (float("nan"), 0.2)]
)
def test_thresholds_out_of_order_are_refused(verified: float, false_success: float) -> None:
    with pytest.raises(ConfigError, match="0 <= false_success < verified <= 1"):
        Thresholds(verified=verified, false_success=false_success)
