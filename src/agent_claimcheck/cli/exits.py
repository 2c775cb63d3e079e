"""Exit codes, in one place: 0 fine, 1 a gate was hit, 2 usage or invalid input."""

from __future__ import annotations

import sys
from typing import NoReturn

OK = 0
GATE = 1
USAGE = 2


def finish(code: int) -> NoReturn:
    """Leave with ``code`` after flushing what was printed. A reader that closed the pipe early is no error of ours."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
    raise SystemExit(code)


def _silence_stdout() -> None:
    import os

    # The interpreter flushes stdout once more while it shuts down; let that go nowhere instead of failing.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
