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
