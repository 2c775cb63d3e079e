"""What is no trace is refused with what would read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck import Checker, ClaimcheckError, load_traces
from agent_claimcheck.core.errors import InputError


@pytest.mark.parametrize("given", [{"trace_id": "a"}, "runs.jsonl", None])
def test_what_is_no_trace_is_refused_with_what_reads_it(given: object) -> None:
    with pytest.raises(ClaimcheckError, match="load_traces reads files"):
        Checker().check_one(given)  # type: ignore[arg-type]


def test_a_path_in_the_place_of_traces_is_refused_with_and_without_probes(tmp_path: Path) -> None:
    probes = tmp_path / "probes.jsonl"
    probes.write_text('{"trace_id": "a", "name": "look", "ok": true, "ts": "2031-01-01T00:00:00Z"}\n', encoding="utf-8")
    for beside in (None, probes):
        with pytest.raises(ClaimcheckError, match="check_records takes mappings"):
            list(Checker().check("runs.jsonl", probes=beside))  # type: ignore[arg-type]


def test_a_file_that_makes_readings_is_told_from_one_that_holds_them(tmp_path: Path) -> None:
    path = tmp_path / "probes.toml"
    path.write_text('version = 1\n[[probe]]\nname = "look"\n', encoding="utf-8")
    with pytest.raises(InputError, match="--probes-from") as caught:
        list(Checker().check([], probes=path))
    assert len(str(caught.value).splitlines()) == 1


def test_probes_may_be_named_as_at_the_command_line() -> None:
    traces = load_traces("example:mixed")
    verdicts = [result.verdict for result in Checker().check(traces, probes="example:probes")]
    assert verdicts.count("verified") > [result.verdict for result in Checker().check(traces)].count("verified")
