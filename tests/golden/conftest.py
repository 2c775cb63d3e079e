"""Golden files: what a person reads, kept on disk so that a change of it shows in a diff.

``REWRITE_GOLDEN=1 pytest tests/golden`` writes them anew; read the diff before committing it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Same = Callable[[str, str], None]


@pytest.fixture(scope="session")
def same_as_golden() -> Same:
    """Return a function that compares a text with the golden file of a name, or writes that file when asked to."""
    folder = Path(__file__).parent

    def compare(name: str, text: str) -> None:
        path = folder / name
        if os.environ.get("REWRITE_GOLDEN"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        with path.open(encoding="utf-8", newline="") as stream:
            assert text == stream.read()

    return compare
