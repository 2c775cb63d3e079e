"""What a simple command is for: does it run tests, build, or lint and check types?

A reader must not miss: ``cargo check`` and ``npm run build`` are no test runs; only a test run can prove that tests pass.
"""

from __future__ import annotations

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coding.shell_split import program_name
from agent_claimcheck.evidence.word_lists import WordLists

_LISTS = WordLists("shell")
TEST_PROGRAMS = _LISTS.words("test_programs")
_TEST_WORDS = _LISTS.words("test_words")
BUILD_PROGRAMS = _LISTS.words("build_programs")
_BUILD_WORDS = _LISTS.words("build_words")
CHECK_PROGRAMS = _LISTS.words("check_programs")
_CHECK_WORDS = _LISTS.words("check_words")
TASK_RUNNERS = _LISTS.words("task_runners")
_FIRST_TASK_ONLY = frozenset({"cargo", "go", "dotnet"})
_FEW_TASKS = frozenset({"mix", "npm", "yarn", "pnpm", "bun", "swift", "deno", "zig"}) | _FIRST_TASK_ONLY
_MANAGE = late_pattern(r"(?:^|/)manage\.py$")
_TASK_BREAK = late_pattern(r"[:/]")
_TEST_SCRIPT = late_pattern(
    r"(?:^|/)(?:run_?tests?|tests?|test_[\w\-]{1,60}|[\w\-]{1,60}_test)\.(?:py|sh|js|ts|rb)$|^(?:\./)?bin/test$"
)
PYTHON = late_pattern(r"^(?:python|pypy)[\d.]*$")


def _task_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """The task names a task runner was given: ``npm run test:unit`` gives ``test``, ``unit``."""
    found: list[str] = []
    for word in words[1:6]:
        if word.startswith("-") or "=" in word:
            continue
        found.extend(piece for piece in _TASK_BREAK.split(word) if piece not in ("run", "exec", "."))
        if len(found) >= 3:
            break
    return tuple(found)


def _module_of(words: tuple[str, ...]) -> str | None:
    """``python -m pytest`` gives ``pytest``; a script gives its path."""
    for k, word in enumerate(words[1:8], start=1):
        if word == "-m" and k + 1 < len(words):
            return words[k + 1]
        if word == "-c":
            return None
        if not word.startswith("-"):
            return word
    return None


def runs_tests(words: tuple[str, ...]) -> bool:
    """True when a simple command runs tests."""
    if not words:
        return False
    program = program_name(words[0])
    if program in TEST_PROGRAMS:
        return not any(word in ("--version", "--help", "--collect-only", "--co") for word in words[1:])
    if PYTHON.match(program):
        module = _module_of(words)
        if module is None:
            return False
        if _MANAGE.search(module) or module.endswith("setup.py"):
            return any(word in ("test", "pytest") for word in words[2:6])
        return (
            module.split(".")[0] in TEST_PROGRAMS
            or program_name(module) in TEST_PROGRAMS
            or bool(_TEST_SCRIPT.search(module))
        )
    if program in TASK_RUNNERS:
        tasks = _task_words(words)
        if program in _FEW_TASKS:
            tasks = tasks[:1] if program in _FIRST_TASK_ONLY else tasks[:2]
            return any(word in _TEST_WORDS - {"check"} for word in tasks)
        return any(word in _TEST_WORDS or word in ("verify", "integration-test") for word in tasks)
    return bool(_TEST_SCRIPT.search(words[0]) if len(words[0]) < 300 else False)


def builds(words: tuple[str, ...]) -> bool:
    """True when a simple command builds or compiles."""
    if not words or runs_tests(words):
        return False
    program = program_name(words[0])
    if program in ("make", "just", "task"):
        tasks = _task_words(words)
        return not tasks or any(word in _BUILD_WORDS or word == "all" for word in tasks)
    if program in TASK_RUNNERS or program in ("docker", "podman", "next", "vite", "ng", "nx", "turbo"):
        return any(word in _BUILD_WORDS - {"install"} for word in _task_words(words))
    if PYTHON.match(program):
        module = _module_of(words) or ""
        return module in ("build", "compileall") or (
            module.endswith("setup.py") and any(w in _BUILD_WORDS for w in words[2:])
        )
    return program in BUILD_PROGRAMS


def checks(words: tuple[str, ...]) -> bool:
    """True when a simple command lints or checks types."""
    if not words:
        return False
    program = program_name(words[0])
    if program in CHECK_PROGRAMS:
        return True
    if PYTHON.match(program):
        module = (_module_of(words) or "").split(".")[0]
        return module in CHECK_PROGRAMS or module == "py_compile"
    if program == "tsc":
        return "--noEmit" in words
    if program in TASK_RUNNERS:
        return any(word in _CHECK_WORDS for word in _task_words(words)) or (
            program == "cargo" and words[1:2] == ("check",)
        )
    return False
