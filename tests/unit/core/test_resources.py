from __future__ import annotations

import json

import pytest

from agent_claimcheck.core.errors import UsageError
from agent_claimcheck.core.resources import aliases_by_kind, known_aliases, read_data, resolve_alias, short_name


@pytest.mark.parametrize("alias", ["example:mixed", "example:browser", "example:probes"])
def test_examples_resolve_to_files_that_hold_json_lines(alias: str) -> None:
    path = resolve_alias(alias)
    assert path is not None and path.is_file()
    assert all(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", ["runs.jsonl", "./example:mixed", "/data/bench:test", "-", "", "Example:mixed"])
def test_ordinary_paths_are_left_alone(name: str) -> None:
    assert resolve_alias(name) is None


def test_a_slip_in_an_alias_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match='did you mean "example:mixed"') as caught:
        resolve_alias("example:mixd")
    assert all(alias in str(caught.value) for alias in known_aliases())


def test_an_unknown_alias_is_shown_safely() -> None:
    with pytest.raises(UsageError) as caught:
        resolve_alias("bench:\x1b[2J" + "x" * 10_000)
    assert "\x1b" not in str(caught.value) and len(str(caught.value)) < 500


def test_packaged_data_is_read_by_name() -> None:
    assert read_data("examples/traces.jsonl").startswith(b"{")


def test_a_packaged_file_is_shown_by_its_short_name_and_no_other() -> None:
    path = str(resolve_alias("example:mixed"))
    assert short_name(path) == "example:mixed"
    assert short_name("examples/traces.jsonl") == "examples/traces.jsonl"


def test_only_trace_files_are_named_as_traces() -> None:
    kinds = aliases_by_kind()
    assert sorted(alias for aliases in kinds.values() for alias in aliases) == sorted(known_aliases())
    assert all("traces" in str(resolve_alias(alias)) or alias == "example:browser" for alias in kinds["traces"])
    assert kinds["state probes"] == ["example:probes"]
