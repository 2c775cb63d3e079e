"""Tells how much of a test suite a command runs: all of it, or one file, one test, what a filter lets through.

A reader must not miss: only what surely narrows a run is reported. A directory nobody knows, a marker that leaves slow
tests out and a script of the project count as the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coding.shell import ShellReading
from agent_claimcheck.evidence.coding.shell_jobs import PYTHON, runs_tests
from agent_claimcheck.evidence.coding.shell_split import program_name

_TEST_FILE = late_pattern(
    r"^[^\s:*{}]{1,300}\.(?:py|js|jsx|ts|tsx|mjs|cjs|rb|php|go|rs|java|kt|cs|bats|t|feature|exs)(?::\d+)?$"
)
_NODE = late_pattern(r"^[^\s:]{1,300}::\S{1,300}$")
_BELOW_TESTS = late_pattern(r"(?:^|/)(?:tests?|specs?|__tests__)/[\w./-]{1,200}$")
_DOTTED = late_pattern(r"^[A-Za-z_]\w*(?:\.\w+){0,12}$")
_LEAVES_OUT = late_pattern(r"^['\"]?not\b")
_RUNNERS = late_pattern(r"(?:^|/)run_?tests?\.(?:py|sh|js|ts|rb)$")

_FILTERS: dict[str, frozenset[str]] = {
    "pytest": frozenset({"-k", "-m", "--lf", "--last-failed"}),
    "unittest": frozenset({"-k"}),
    "jest": frozenset({"-t", "--testNamePattern", "--testPathPattern", "-o", "--onlyChanged"}),
    "vitest": frozenset({"-t", "--testNamePattern", "--changed"}),
    "mocha": frozenset({"-g", "--grep", "-f", "--fgrep"}),
    "rspec": frozenset({"-e", "--example", "--only-failures"}),
    "phpunit": frozenset({"--filter", "--group", "--testsuite"}),
    "go": frozenset({"-run", "--run"}),
    "dotnet": frozenset({"--filter"}),
    "cargo": frozenset({"--test", "-p", "--package"}),
    "mvn": frozenset({"-Dtest"}),
    "mvnw": frozenset({"-Dtest"}),
    "gradle": frozenset({"--tests"}),
    "gradlew": frozenset({"--tests"}),
    "ctest": frozenset({"-R", "--tests-regex"}),
    "npm": frozenset({"-t", "--testNamePattern", "--grep"}),
    "yarn": frozenset({"-t", "--testNamePattern", "--grep"}),
    "pnpm": frozenset({"-t", "--testNamePattern", "--grep"}),
}
"""Options that let only some tests run, by runner."""

_MOST_WORDS = 60
_SHOWN = 80


def narrowed_to(shell: ShellReading) -> str | None:
    """Return what the test commands of a command line are narrowed to, or ``None`` when one of them runs everything."""
    scopes = [_scope_of(part.words[:_MOST_WORDS]) for part in shell.parts if runs_tests(part.words)]
    return scopes[0] if scopes and all(scopes) else None


def narrowed_by(args: Any) -> str | None:
    """Return the test file or test that the arguments (an object) of a test tool name, or ``None``."""
    if not isinstance(args, dict):
        return None
    for value in list(args.values())[:_MOST_WORDS]:
        if isinstance(value, str) and (_TEST_FILE.match(value) or _NODE.match(value)):
            return value[:_SHOWN]
    return None


def _scope_of(words: Sequence[str]) -> str | None:
    runner, rest = _runner_of(words)
    filtered = _filter_in(rest, _FILTERS.get(runner, frozenset()))
    if filtered is not None:
        return filtered[:_SHOWN]
    named = [word for word in rest if not word.startswith("-")]
    for word in named:
        if _TEST_FILE.match(word) or _NODE.match(word) or (_BELOW_TESTS.search(word) and runner in ("pytest", "jest")):
            return word[:_SHOWN]
    if (runner == "unittest" and named[:1] != ["discover"]) or runner in ("manage.py", "script"):
        label = next((word for word in named if _DOTTED.match(word)), None)
        return label[:_SHOWN] if label else None
    if runner == "go":
        package = next((word for word in named if word.startswith("./")), "./...")
        return package[:_SHOWN] if "..." not in package and len(package) > len("./") else None
    if runner == "cargo":
        return named[0][:_SHOWN] if named else None
    return None


def _runner_of(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the test runner and the words after it; ``script`` is a runner of the project itself."""
    program = program_name(words[0])
    if PYTHON.match(program):
        if "-m" in words[:-1]:
            at = words.index("-m")
            return _known(words[at + 1].split(".")[0]), words[at + 2 :]
        at = next((index for index, word in enumerate(words[1:], start=1) if not word.startswith("-")), len(words))
        script = words[at] if at < len(words) else ""
        if script.endswith("manage.py"):
            return "manage.py", words[at + 2 :]
        # "python final_test.py" is a script of its own that may be all there is; only a known runner takes labels.
        return "script", words[at + 1 :] if _RUNNERS.search(script) else ()
    if program in ("go", "cargo", "dotnet"):
        rest = words[2:]
        return program, rest[: rest.index("--")] if "--" in rest else rest
    return _known(program), words[1:]


def _known(name: str) -> str:
    return "pytest" if name in ("pytest", "py.test") else name


def _filter_in(words: Sequence[str], options: frozenset[str]) -> str | None:
    for index, word in enumerate(words):
        option, joined, value = word.partition("=")
        if option not in options:
            continue
        value = value if joined else words[index + 1] if index + 1 < len(words) else ""
        if not _LEAVES_OUT.match(value):
            return f"{option} {value}".strip()
    return None
