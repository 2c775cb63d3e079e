"""The bench report of a small invented run, as a person and as a script read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_claimcheck.lab.bench.replay import replay_run

Same = Callable[[str, str], None]
RUN = Path(__file__).parent / "bench" / "small"


@pytest.mark.parametrize("name", ["bench.md", "bench.json", "bench.html", "risk-coverage.svg"])
def test_bench_report(same_as_golden: Same, name: str) -> None:
    same_as_golden(f"bench/{name}", replay_run(RUN).files[name].decode())
