"""The examples in the docstrings hold."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name", ["ranking", "probability", "decisions", "intervals", "risk", "platt", "samples", "gate", "agreement"]
)
def test_examples_of_the_scoring_room_hold(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"agent_claimcheck.scoring.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
