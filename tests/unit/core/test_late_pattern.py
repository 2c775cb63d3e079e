"""Patterns compiled at first use: they work as compiled ones do, and every one that the package holds compiles."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import agent_claimcheck
from agent_claimcheck.core.late_pattern import LatePattern, late_pattern


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(agent_claimcheck.__path__, "agent_claimcheck."):
        if ".evidence" in found.name or ".detectors.rules" in found.name or ".core" in found.name:
            yield importlib.import_module(found.name)


def test_a_late_pattern_does_what_the_compiled_one_does() -> None:
    late, real = late_pattern(r"(?P<n>\d+)", re.IGNORECASE), re.compile(r"(?P<n>\d+)", re.IGNORECASE)
    assert late.pattern == real.pattern
    assert late.findall("1 and 22") == real.findall("1 and 22")
    assert late.sub("n", "1 and 22") == "n and n"
    assert [match["n"] for match in late.finditer("1 and 22", 2)] == ["22"]
    assert (late.flags, late.groupindex) == (real.flags, real.groupindex)


def test_nothing_is_compiled_before_it_is_used() -> None:
    faulty = late_pattern("(")
    assert faulty.pattern == "("


def test_every_late_pattern_compiles() -> None:
    held = [
        (module.__name__, value)
        for module in modules()
        for value in vars(module).values()
        if isinstance(value, LatePattern)
    ]
    assert len(held) > 100
    for name, pattern in held:
        assert re.compile(pattern.pattern, pattern.flags), name
