"""A server on the example traces, shared by the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from review_server import Running, running_review


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Running]:
    with running_review(["example:mixed"], tmp_path) as running:
        yield running
