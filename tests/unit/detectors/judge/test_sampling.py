"""Several answers to one question: agreement, disagreement and silence."""

from __future__ import annotations

import json

import pytest

from agent_claimcheck.detectors.judge.calls import JudgeCall, read_call
from agent_claimcheck.detectors.judge.sampling import summarise
from agent_claimcheck.evidence.rendering.evidence_text import Cut
from agent_claimcheck.llm.session import CallCode, ModelAnswer
from fakes import BAD, GOOD


def said(p: float) -> JudgeCall:
    fields = {**(GOOD if p >= 0.5 else BAD), "p_success": p}
    return read_call(ModelAnswer(code="ok", text=json.dumps(fields)), frozenset({2}), Cut(), 0)


def silent(code: CallCode) -> JudgeCall:
    return read_call(ModelAnswer(code=code), frozenset(), Cut(), 0)


def test_one_answer_stands_for_itself() -> None:
    summary = summarise([said(0.9)])
    assert (summary.p_success, summary.agreement, summary.abstain_reason) == (0.9, 1.0, None)


def test_answers_that_agree_give_their_mean() -> None:
    summary = summarise([said(0.9), said(0.8), said(1.0)])
    assert summary.p_success == pytest.approx(0.9)
    assert summary.agreement == 1.0


def test_disagreement_moves_the_figure_towards_even() -> None:
    summary = summarise([said(0.95), said(0.95), said(0.05)])
    mean = (0.95 + 0.95 + 0.05) / 3
    assert summary.agreement == pytest.approx(2 / 3)
    assert 0.5 < summary.p_success < mean
    assert summary.details()["spread"] == pytest.approx(0.9)


def test_silence_counts_as_disagreement() -> None:
    summary = summarise([said(0.95), said(0.95), silent("timeout")])
    assert summary.abstain_reason is None
    assert summary.p_success == pytest.approx(0.5 + 0.45 * 2 / 3)


def test_when_most_are_silent_the_judge_is() -> None:
    summary = summarise([said(0.95), silent("timeout"), silent("timeout"), silent("network")])
    assert (summary.abstain_reason, summary.p_success) == ("timeout", 0.6)
    assert summarise([said(0.9), silent("network")]).abstain_reason == "network"
