"""Heavy libraries stay off the start-up path, and only the settings read TOML and the environment's names."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "sklearn", "httpx", "starlette", "uvicorn", "rich", "ray", "pyarrow", "yaml", "re2")


@pytest.mark.parametrize(
    "module", ["agent_claimcheck", "agent_claimcheck.core.settings", "agent_claimcheck.cli.app", "attest"]
)
def test_importing_loads_no_heavy_library(module: str) -> None:
    code = f"import sys, {module}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


_CHECK = """
import sys
from agent_claimcheck.cli.app import main
try:
    main(["check", "example:mixed", "--detector", "rules"])
except SystemExit:
    pass
print(*sorted(sys.modules), file=sys.stderr)
"""


def test_checking_by_rules_loads_only_what_rules_need() -> None:
    done = subprocess.run([sys.executable, "-c", _CHECK], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "agent_claimcheck.pipeline.checker" in loaded
    assert loaded & (set(HEAVY) - {"yaml", "re2"}) == set()
