"""The files that ship are the ones that ``train --shipped`` makes of the packaged generator."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from agent_claimcheck.lab.train.shipped import build_shipped

MODELS = files("agent_claimcheck").joinpath("_data/models")


def numbers_of(value: Any, path: str = "") -> dict[str, Any]:
    if isinstance(value, dict):
        return {key: leaf for name, child in value.items() for key, leaf in numbers_of(child, f"{path}.{name}").items()}
    if isinstance(value, list):
        return {key: leaf for at, child in enumerate(value) for key, leaf in numbers_of(child, f"{path}.{at}").items()}
    return {path: value}


@pytest.mark.slow
def test_shipped_files_are_those_that_the_command_makes() -> None:
    made, _ = build_shipped()
    for name in ("classifier-v1.json", "lr-v1.json", "calibration.json"):
        ships = numbers_of(json.loads(MODELS.joinpath(name).read_bytes()))
        rebuilt = numbers_of(json.loads(made[name]))
        assert ships.keys() == rebuilt.keys(), name
        for path, value in ships.items():
            wanted = pytest.approx(value, rel=1e-4, abs=1e-6) if isinstance(value, float) else value
            assert rebuilt[path] == wanted, (name, path)
    assert made["MODEL_CARD.md"] == MODELS.joinpath("MODEL_CARD.md").read_bytes()
