"""Reads what a checker or a builder prints when it failed: its exit code is lost in a pipe, or a tool calls every run a success.

A reader must not miss: only what such a program prints of itself counts ("error TS2322:", "make: *** [all] Error 2"), each
in its own form at the start of a line, never the word alone. Only the end of a text is read.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.core.text import COLOURS, shorten
from agent_claimcheck.evidence.coding.suite_summaries import TAIL_CHARS, text_of_run

_SIGNS = ("rror", "RROR", "FAIL", "ailed", "*** ", "✖", "would reformat")
_FAILURES = late_pattern(
    r"""^(?:
      .{0,300}\(\d+,\d+\):[ ]error[ ]TS\d+:.*                                    # tsc
    | .{0,300}:\d+:\d+[ ]-[ ]error[ ]TS\d+:.*
    | [^\s:][^:\n]{0,300}:\d+(?::\d+)?:[ ](?:fatal[ ])?error:[ ].*              # gcc, clang, mypy, zig, swift
    | error(?:\[E\d{4}\])?:[ ].*                                               # cargo, zig, xcodebuild
    | g?make(?:\[\d+\])?:[ ]\*\*\*[ ].{0,300}(?:Error[ ]\d+|Stop\.?)            # make
    | \*\*[ ](?:BUILD|TEST|ARCHIVE|ANALYZE)[ ]FAILED[ ]\*\*                    # xcodebuild
    | (?:FAILURE:[ ]Build[ ]failed|BUILD[ ]FAILED\b).*                         # gradle, ant
    | \[(?:INFO|ERROR)\][ ]BUILD[ ]FAILURE                                     # maven
    | ninja:[ ]build[ ]stopped:.*
    | .{0,20}[1-9]\d*[ ]tests?[ ]failed[ ]out[ ]of[ ]\d+.*                     # ctest
    | \s{0,4}✖[ ]\d+[ ]problems?[ ]\([1-9]\d*[ ]errors?.*                      # eslint
    | Found[ ][1-9]\d*[ ]errors?(?:[ ]in[ ]\d+[ ]files?.*|\.|)$                # mypy, ruff
    | would[ ]reformat[ ].*                                                    # black
    | npm[ ](?:ERR!|error)[ ]code[ ]ELIFECYCLE.*
    | ERROR[ ]in[ ](?:\./|src/|\S+:\d).*                                       # webpack
    )$""",
    re.VERBOSE | re.MULTILINE,
)


_COVERAGE = late_pattern(r"^FAIL Required test coverage.*$", re.MULTILINE)


def missed_coverage(output: Any) -> str | None:
    """Return the line by which pytest says that too little was covered, though every test passed."""
    text = text_of_run(output)
    if text is None or "FAIL Required" not in text:
        return None
    found = _COVERAGE.search(text[-TAIL_CHARS:])
    return shorten(found[0].strip(), 120) if found is not None else None


def printed_failure(output: Any) -> str | None:
    """Return the line by which a checker or a builder says that it failed, shortened; ``None`` where none does."""
    text = text_of_run(output)
    if text is None or not any(sign in text for sign in _SIGNS):
        return None
    tail = text[-TAIL_CHARS:].replace("\r\n", "\n")
    found = _FAILURES.search(COLOURS.sub("", tail) if "\x1b" in tail else tail)
    return shorten(" ".join(found[0].split()), 120) if found is not None else None
