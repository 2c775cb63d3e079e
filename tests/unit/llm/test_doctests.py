"""The examples in the docstrings hold."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    "llm.transport", "llm.prices", "llm.providers.select", "evidence.render", "detectors.judge.answer", "lab.judge.export",
)  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"agent_claimcheck.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
