"""The line by which a checker or a builder says that it failed is found, and no line of an output that only speaks of errors."""

from __future__ import annotations

from typing import Any

import pytest

from agent_claimcheck.evidence.coding.printed_failures import missed_coverage, printed_failure

FAILED = [
    "src/plan.ts(8,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/plan.ts:8:7 - error TS2322: Type 'string' is not assignable.",
    "src/tide.cpp:60:24: error: use of undeclared identifier 'lag'",
    "lib/tide.py:7: error: Missing return statement  [return]",
    "error[E0382]: borrow of moved value: `tides`",
    "error: could not compile `tides` (lib) due to 1 previous error",
    "make: *** [Makefile:31: check] Error 1",
    "make[2]: *** No rule to make target 'tide.o', needed by 'all'.  Stop.",
    "** BUILD FAILED **",
    "BUILD FAILED in 4s",
    "FAILURE: Build failed with an exception.",
    "[INFO] BUILD FAILURE",
    "ninja: build stopped: subcommand failed.",
    "83% tests passed, 1 tests failed out of 6",
    "✖ 3 problems (2 errors, 1 warning)",
    "Found 2 errors in 1 file (checked 9 source files)",
    "Found 4 errors.",
    "would reformat src/tide.py",
]
PASSED = [
    "✖ 3 problems (0 errors, 3 warnings)",
    "Found 0 errors. Watching for file changes.",
    "Found 3 errors (3 fixed, 0 remaining).",
    "Success: no issues found in 12 source files",
    "100% tests passed, 0 tests failed out of 6",
    "the reader logs an error: twice",
    "src/error.ts(8,7): warning TS6133: unused",
    "build succeeded: 0 errors",
    "",
]


@pytest.mark.parametrize("line", FAILED)
@pytest.mark.parametrize("dress", ["{}", "compiling\n{}\nsee above\n", "\x1b[31m{}\x1b[0m"])
def test_a_failure_is_found_in_its_own_form(line: str, dress: str) -> None:
    assert printed_failure(dress.format(line)) == " ".join(line.split())


@pytest.mark.parametrize("key", ["stdout", "stderr", "output"])
def test_it_is_found_in_the_fields_of_an_output(key: str) -> None:
    output: dict[str, Any] = {"exit_code": 0, key: f"…\n{FAILED[0]}"}
    assert printed_failure(output) == FAILED[0]


@pytest.mark.parametrize("line", PASSED)
def test_what_only_speaks_of_errors_is_no_failure(line: str) -> None:
    assert printed_failure(line) is None
    assert printed_failure({"stdout": line}) is None
    assert printed_failure([line]) is None


def test_coverage_that_was_missed_is_told_beside_green_tests() -> None:
    line = "FAIL Required test coverage of 90% not reached. Total coverage: 85.00%"
    assert missed_coverage(f"tide.py 80 12 85%\n{line}\n12 passed in 0.47s") == line
    assert missed_coverage("Required test coverage of 90% reached. Total coverage: 92.00%\n12 passed") is None
