"""Exit codes, in one place: 0 fine, 1 a gate was hit, 2 usage or invalid input.

A reader must not miss: when the reader of standard output goes away early nobody knows the verdict, so the code is
neither 0 nor 1 but that of a program ended by a closed pipe.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

OK = 0
GATE = 1
USAGE = 2
READER_GONE = 141
"""128 and the number of SIGPIPE, as shells give it."""


def finish(code: int) -> NoReturn:
    """Leave with ``code`` after flushing what was printed. By then it is known, so a closed pipe does not change it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
    raise SystemExit(code)


def open_closed_streams() -> None:
    """Put the null device where a standard stream was closed, before a file that is opened takes its number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
            except OSError:
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
                setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - kept to the end


def _silence_stdout() -> None:
    # The interpreter flushes stdout once more while it shuts down; let that go nowhere instead of failing.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
