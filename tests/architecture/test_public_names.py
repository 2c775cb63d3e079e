"""The public names of both packages: sorted, loadable, and exactly the ones that are listed."""

from __future__ import annotations

import importlib
import inspect

import pytest


@pytest.mark.parametrize("package", ["agent_claimcheck", "attest"])
def test_public_names_are_sorted_unique_and_loadable(package: str) -> None:
    module = importlib.import_module(package)
    names = module.__all__
    assert names == sorted(set(names))
    assert sorted(dir(module)) == names
    assert [name for name in names if getattr(module, name) is None] == []


@pytest.mark.parametrize("package", ["agent_claimcheck", "attest"])
def test_every_public_name_is_explained(package: str) -> None:
    module = importlib.import_module(package)
    parts = {name: getattr(module, name) for name in module.__all__}
    explainable = {name: part for name, part in parts.items() if callable(part) or inspect.ismodule(part)}
    assert [name for name, part in explainable.items() if not (part.__doc__ or "").strip()] == []


@pytest.mark.parametrize("package", ["agent_claimcheck", "attest"])
def test_an_unknown_name_is_an_attribute_error(package: str) -> None:
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = importlib.import_module(package).nosuch
