"""Let a script that prints end without a traceback when nobody reads on, as in ``... | head``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

READER_GONE = 141
"""128 and the number of SIGPIPE, as shells give it."""


def run(main: Callable[[], object]) -> None:
    """Call ``main`` and leave with what it returns."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more while it shuts down; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = READER_GONE
    sys.exit(code if isinstance(code, int) else None)
