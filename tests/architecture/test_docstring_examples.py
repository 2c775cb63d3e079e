"""The examples in the docstrings hold."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import agent_claimcheck

_ROOT = Path(agent_claimcheck.__file__).parent.parent
_MODULES = [
    ".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("agent_claimcheck", "attest")
    for path in sorted((_ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


def test_there_are_examples() -> None:
    assert len(_MODULES) > 40


@pytest.mark.parametrize("name", _MODULES)
def test_examples_hold(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
