"""A browser for the tests of the page; they are skipped, and say so, where no Chromium is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browser import Browser, find_chromium, running_browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    executable = find_chromium()
    if executable is None:
        pytest.skip("no chromium on this machine")
    with running_browser(executable) as browser:
        yield browser
