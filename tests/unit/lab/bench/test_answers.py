"""The documented answer parser: lenient where documented, silent about nothing else."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from agent_claimcheck.lab.bench.answers import parse_documented

GOOD: dict[str, Any] = {"p_success": 0.4, "failure_kind": "wrong_value", "evidence_steps": [2, 5], "rationale": "no"}


def text(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def test_a_plain_object_is_an_answer() -> None:
    answer = parse_documented(text())
    assert answer is not None
    assert (answer.p_success, answer.failure_kind, answer.evidence_steps) == (0.4, "wrong_value", [2, 5])
    assert answer.claims is None


@pytest.mark.parametrize("wrapped", ["Sure:\n```json\n{}\n```\nDone.", "```\n{}\n```", "```{}```", "\n {} \n"])
def test_prose_around_a_fence_is_tolerated(wrapped: str) -> None:
    assert parse_documented(wrapped.replace("{}", text())) is not None


def test_the_first_fence_wins() -> None:
    answer = parse_documented(f"```json\n{text(p_success=0.1)}\n```\n```json\n{text(p_success=0.9)}\n```")
    assert answer is not None
    assert answer.p_success == 0.1


def test_of_two_equal_keys_the_last_counts_and_extra_keys_do_not() -> None:
    answer = parse_documented(text(extra=1)[:-1] + ', "p_success": 1}')
    assert answer is not None
    assert answer.p_success == 1.0


def test_a_sure_success_beside_a_failure_kind_is_accepted() -> None:
    assert parse_documented(text(p_success=0.95, failure_kind="phantom_action")) is not None


def test_a_long_rationale_is_cut_and_said_to_be() -> None:
    answer = parse_documented(text(rationale="x" * 301))
    assert answer is not None
    assert (len(answer.rationale), answer.rationale_truncated) == (300, True)


@pytest.mark.parametrize(
    "bad",
    [
        {"p_success": True}, {"p_success": "0.4"}, {"p_success": 1.01}, {"p_success": -0.01}, {"p_success": None},
        {"p_success": float("nan")}, {"p_success": 10**400}, {"failure_kind": "invite_not_sent"}, {"failure_kind": []},
        {"evidence_steps": "2"}, {"evidence_steps": [True]}, {"evidence_steps": [1.5]}, {"rationale": None},
    ],
)  # fmt: skip
def test_a_wrong_field_is_a_parse_error(bad: dict[str, Any]) -> None:
    assert parse_documented(text(**bad)) is None


@pytest.mark.parametrize("field", list(GOOD))
def test_a_missing_field_is_a_parse_error(field: str) -> None:
    assert parse_documented(json.dumps({key: value for key, value in GOOD.items() if key != field})) is None


@pytest.mark.parametrize("junk", ["", "no", "[]", "null", "{", "```", "``` ```", '{"p_success": 1' + "0" * 5000 + "}"])
def test_text_without_an_answer_is_a_parse_error(junk: str) -> None:
    assert parse_documented(junk) is None


@pytest.mark.parametrize("bomb", ["[" * 200_000, "`" * 400_000, "```" + "{" * 200_000, '{"a":' * 100_000])
def test_hostile_text_neither_crashes_nor_hangs(bomb: str) -> None:
    started = time.process_time()
    assert parse_documented(bomb) is None
    assert time.process_time() - started < 1.0
