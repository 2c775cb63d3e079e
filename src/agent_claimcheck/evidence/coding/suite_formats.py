"""The formats of test summaries, one reader each. Imported on the first text that looks like one.

A reader must not miss: each reader takes the last summary of its kind and returns ``None`` when there is none; the order
of ``READERS`` is from the most to the least particular format.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.coding.suite_summaries import SuiteSummary

_COUNT = r"(\d{1,9})"
_WORDS = {
    "passed": "passed",
    "pass": "passed",
    "passing": "passed",
    "xpassed": "passed",
    "failed": "failed",
    "fail": "failed",
    "failing": "failed",
    "failure": "failed",
    "failures": "failed",
    "error": "errors",
    "errors": "errors",
    "skipped": "skipped",
    "skips": "skipped",
    "skip": "skipped",
    "pending": "skipped",
    "todo": "skipped",
    "ignored": "skipped",
    "xfailed": "skipped",
    "expected to fail": "skipped",
    "expected to fail but passed": "passed",
    "exception": "errors",
    "exceptions": "errors",
    "total": "total",
}

_PAIR = late_pattern(
    _COUNT
    + r" (expected to fail but passed|expected to fail|exceptions?|passed|failed|errors?|skipped|xfailed|xpassed|total"
    r"|todo|pending)\b"
)
_PYTEST_LINE = late_pattern(
    r"^[=\s]{0,120}((?:\d{1,9} (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)"
    r"(?:, | and )?){1,9})(?:[ ,]{0,2}in \d[^\n]{0,40}|[=\s]{0,120})$",
    re.MULTILINE,
)
_PYTEST_NONE = late_pattern(r"^[=\s]{0,120}no tests (?:ran|collected)", re.MULTILINE)
_SYMPY = late_pattern(r"tests finished: ([^\n]{1,160}) in \d")
_UNITTEST_RAN = late_pattern(r"^Ran " + _COUNT + r" tests? in \d", re.MULTILINE)
_UNITTEST_END = late_pattern(r"^(OK|FAILED)(?: \(([^)\n]{1,120})\))?[ \t\r]{0,4}$", re.MULTILINE)
_ASSIGN = late_pattern(r"(failures|errors|skipped|expected failures|unexpected successes)=" + _COUNT)
_JEST = late_pattern(r"^Tests:[ \t]{1,20}([^\n]{1,160}\btotal)\b", re.MULTILINE)
_VITEST = late_pattern(r"^[ \t]{0,8}Tests[ \t]{1,8}([^\n(]{1,120})\(" + _COUNT + r"\)", re.MULTILINE)
_MOCHA = late_pattern(r"^[ \t]{0,8}" + _COUNT + r" (passing|failing|pending)\b", re.MULTILINE)
_CARGO = late_pattern(
    r"test result: (?:ok|FAILED)\. " + _COUNT + r" passed; " + _COUNT + r" failed; " + _COUNT + r" ignored"
)
_MAVEN = late_pattern(
    r"Tests run: {0,4}"
    + _COUNT
    + r", {1,4}Failures: {0,4}"
    + _COUNT
    + r"(?:, {1,4}Errors: {0,4}"
    + _COUNT
    + r")?(?:, {1,4}Skipped: {0,4}"
    + _COUNT
    + r")?"
)
_JUNIT5 = late_pattern(r"\[ {0,20}" + _COUNT + r" tests (successful|failed|skipped|found|aborted) {0,20}\]")
_GRADLE = late_pattern(
    r"^" + _COUNT + r" tests? completed(?:, " + _COUNT + r" failed)?(?:, " + _COUNT + r" skipped)?", re.MULTILINE
)
_OK_N = late_pattern(r"^OK \(" + _COUNT + r" tests?(?:, \d{1,9} assertions?)?\)", re.MULTILINE)
_PHPUNIT = late_pattern(r"^Tests: " + _COUNT + r", Assertions: \d{1,9}([^\n]{0,160})", re.MULTILINE)
_PHP_PART = late_pattern(r"(Failures|Errors|Skipped|Incomplete): " + _COUNT)
_RSPEC = late_pattern(
    r"^"
    + _COUNT
    + r" (?:examples?|tests?), {1,2}"
    + _COUNT
    + r" failures?(?:, "
    + _COUNT
    + r" (?:errors?|pending|skipped|excluded))?",
    re.MULTILINE,
)
_MINITEST = late_pattern(
    r"^"
    + _COUNT
    + r" (?:runs|tests), \d{1,9} assertions, "
    + _COUNT
    + r" failures, "
    + _COUNT
    + r" errors(?:, "
    + _COUNT
    + r" (?:skips|pendings))?",
    re.MULTILINE,
)
_DOTNET = late_pattern(
    r"Failed: {1,9}" + _COUNT + r", Passed: {1,9}" + _COUNT + r", Skipped: {1,9}" + _COUNT + r", Total: {1,9}" + _COUNT
)
_DOTNET_TOTAL = late_pattern(r"^Total tests: " + _COUNT, re.MULTILINE)
_DOTNET_PART = late_pattern(r"^[ \t]{1,12}(Passed|Failed|Skipped): " + _COUNT, re.MULTILINE)
_CTEST = late_pattern(r"\d{1,3}% tests passed, " + _COUNT + r" tests? failed out of " + _COUNT)
_SWIFT = late_pattern(
    r"Executed " + _COUNT + r" tests?, with (?:" + _COUNT + r" tests? skipped and )?" + _COUNT + r" failures?"
)
_DENO = late_pattern(
    r"^(?:ok|FAILED) \| " + _COUNT + r" passed(?: \([^)\n]{1,40}\))? \| " + _COUNT + r" failed", re.MULTILINE
)
_BUN = late_pattern(r"^[ \t]{0,4}" + _COUNT + r" (pass|fail|skip|todo)[ \t\r]{0,4}$", re.MULTILINE)
_TAP_SUM = late_pattern(r"^(?:#|ℹ) (tests|pass|fail|skipped|todo|cancelled) " + _COUNT, re.MULTILINE)
_TAP_PLAN = late_pattern(r"^1\.\." + _COUNT, re.MULTILINE)
_TAP_LINE = late_pattern(r"^(ok|not ok) \d{1,9}\b([^\n]{0,200})", re.MULTILINE)
_GO_CASE = late_pattern(r"^[ \t]{0,16}--- (PASS|FAIL|SKIP): ", re.MULTILINE)
_GO_PACKAGE = late_pattern(
    r"^(ok|FAIL|\?|---)[ \t]{1,6}([\w./\-]{1,200})[ \t]{1,6}(?:\(cached\)|\d[\d.]{0,12}s|\[[^\]\n]{1,40}\])",
    re.MULTILINE,
)


def _summary(
    runner: str, passed: int, failed: int, errors: int = 0, skipped: int = 0, total: int | None = None
) -> SuiteSummary:
    passed = max(passed, 0)
    counted = passed + failed + errors + skipped
    return SuiteSummary(
        passed=passed, failed=failed, errors=errors, skipped=skipped,
        total=counted if total is None else total, runner=runner,
    )  # fmt: skip


def _int(text: str | None) -> int:
    return int(text) if text else 0


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = deque(pattern.finditer(text), maxlen=1)
    return found[0] if found else None


def _count_pairs(text: str, runner: str) -> SuiteSummary:
    sums = {"passed": 0, "failed": 0, "errors": 0, "skipped": 0, "total": 0}
    for number, word in _PAIR.findall(text):
        sums[_WORDS[word]] += int(number)
    total = sums.pop("total") or None
    return _summary(runner, **sums, total=total)


def _read_pytest(text: str) -> SuiteSummary | None:
    found = _last(_PYTEST_LINE, text)
    if found and re.search(r"passed|failed|error|skipped", found.group(1)):
        return _count_pairs(found.group(1), "pytest")
    if _PYTEST_NONE.search(text):
        return _summary("pytest", 0, 0)
    found = _last(_SYMPY, text)
    return _count_pairs(found.group(1), "sympy") if found else None


def _read_unittest(text: str) -> SuiteSummary | None:
    ran = _last(_UNITTEST_RAN, text)
    if ran is None:
        return None
    end = _UNITTEST_END.search(text, ran.end())  # what follows it was printed by something else
    parts = dict.fromkeys(("failures", "errors", "skipped", "expected failures", "unexpected successes"), 0)
    if end and end.group(2):
        parts |= {word: int(number) for word, number in _ASSIGN.findall(end.group(2))}
    failed = parts["failures"] + parts["unexpected successes"]
    if end and end.group(1) == "FAILED" and not failed and not parts["errors"]:
        failed = 1
    skipped = parts["skipped"] + parts["expected failures"]
    total = int(ran.group(1))
    return _summary("unittest", total - failed - parts["errors"] - skipped, failed, parts["errors"], skipped, total)


def _read_jest(text: str) -> SuiteSummary | None:
    found = _last(_JEST, text)
    if found:
        return _count_pairs(found.group(1), "jest")
    found = _last(_VITEST, text)
    return _count_pairs(found.group(1), "vitest") if found else None


def _read_mocha(text: str) -> SuiteSummary | None:
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    seen = False
    for number, word in _MOCHA.findall(text):
        if word == "passing":
            sums = dict.fromkeys(sums, 0)  # another run of a watcher
        sums[_WORDS[word]] = int(number)
        seen = seen or word != "pending"
    return _summary("mocha", sums["passed"], sums["failed"], 0, sums["skipped"]) if seen else None


def _read_cargo(text: str) -> SuiteSummary | None:
    rows = _CARGO.findall(text)
    if not rows:
        return None
    if int(rows[-1][1]) == 0 and "error: " not in text:
        rows = [
            row for row in rows if int(row[1]) == 0
        ]  # cargo stops after a red one: that was a run within, or an earlier one
    passed, failed, ignored = (sum(int(row[k]) for row in rows) for k in range(3))
    return _summary("cargo", passed, failed, 0, ignored)


def _read_jvm(text: str) -> SuiteSummary | None:
    found = _last(_MAVEN, text)
    if found:
        total, failed, errors, skipped = (_int(group) for group in found.groups())
        return _summary("maven", total - failed - errors - skipped, failed, errors, skipped, total)
    parts = {word: int(number) for number, word in _JUNIT5.findall(text)}
    if "successful" in parts:
        return _summary(
            "junit", parts["successful"], parts.get("failed", 0), parts.get("aborted", 0), parts.get("skipped", 0)
        )
    found = _last(_GRADLE, text)
    if found:
        total, failed, skipped = (_int(group) for group in found.groups())
        return _summary("gradle", total - failed - skipped, failed, 0, skipped, total)
    return None


def _read_php(text: str) -> SuiteSummary | None:
    found = _last(_OK_N, text)
    if found:
        return _summary("phpunit", int(found.group(1)), 0)
    found = _last(_PHPUNIT, text)
    if found is None:
        return None
    total = int(found.group(1))
    parts = {word: int(number) for word, number in _PHP_PART.findall(found.group(2))}
    failed, errors = parts.get("Failures", 0), parts.get("Errors", 0)
    skipped = parts.get("Skipped", 0) + parts.get("Incomplete", 0)
    return _summary("phpunit", total - failed - errors - skipped, failed, errors, skipped, total)


def _read_ruby(text: str) -> SuiteSummary | None:
    found = _last(_MINITEST, text)
    if found:
        total, failed, errors, skipped = (_int(group) for group in found.groups())
        return _summary("minitest", total - failed - errors - skipped, failed, errors, skipped, total)
    found = _last(_RSPEC, text)
    if found:
        total, failed, other = (_int(group) for group in found.groups())
        return _summary("rspec", total - failed - other, failed, 0, other, total)
    return None


def _read_dotnet(text: str) -> SuiteSummary | None:
    rows = _DOTNET.findall(text)
    if rows:
        failed, passed, skipped, total = (sum(int(row[k]) for row in rows) for k in range(4))
        return _summary("dotnet", passed, failed, 0, skipped, total)
    found = _last(_DOTNET_TOTAL, text)
    if found is None:
        return None
    parts = {word: int(number) for word, number in _DOTNET_PART.findall(text)}
    return _summary(
        "dotnet", parts.get("Passed", 0), parts.get("Failed", 0), 0, parts.get("Skipped", 0), int(found.group(1))
    )


def _read_native(text: str) -> SuiteSummary | None:
    found = _last(_CTEST, text)
    if found:
        failed, total = int(found.group(1)), int(found.group(2))
        return _summary("ctest", total - failed, failed, 0, 0, total)
    found = _last(_SWIFT, text)
    if found:
        total, skipped, failed = (_int(group) for group in found.groups())
        return _summary("swift", total - failed - skipped, failed, 0, skipped, total)
    found = _last(_DENO, text)
    return _summary("deno", int(found.group(1)), int(found.group(2))) if found else None


def _read_bun(text: str) -> SuiteSummary | None:
    parts = {word: int(number) for number, word in _BUN.findall(text)}
    if "pass" not in parts or "fail" not in parts:
        return None
    return _summary("bun", parts["pass"], parts["fail"], 0, parts.get("skip", 0) + parts.get("todo", 0))


def _read_tap(text: str) -> SuiteSummary | None:
    parts = {word: int(number) for word, number in _TAP_SUM.findall(text)}
    if "pass" in parts:
        skipped = parts.get("skipped", 0) + parts.get("todo", 0)
        return _summary("tap", parts["pass"], parts.get("fail", 0) + parts.get("cancelled", 0), 0, skipped)
    if not _TAP_PLAN.search(text):
        return None
    passed = failed = skipped = 0
    for word, rest in _TAP_LINE.findall(text):
        low = rest.lower()
        if "# skip" in low or "# todo" in low:
            skipped += 1
        elif word == "ok":
            passed += 1
        else:
            failed += 1
    return _summary("tap", passed, failed, 0, skipped) if passed or failed or skipped else None


def _read_go(text: str) -> SuiteSummary | None:
    cases = _GO_CASE.findall(text)
    packages = [(word, rest) for word, rest in _GO_PACKAGE.findall(text) if word in ("ok", "FAIL", "?")]
    if not cases and not packages:
        return None
    broken = sum(word == "FAIL" for word, _ in packages)
    if "PASS" in cases or "FAIL" in cases:
        is_within = not broken and any(
            word == "ok" for word, _ in packages
        )  # no package is red: what failed ran in a test
        failed = 0 if is_within else cases.count("FAIL")
        return _summary("go", cases.count("PASS"), failed, broken if broken and not failed else 0, cases.count("SKIP"))
    return _summary("go", sum(word == "ok" for word, _ in packages), broken)


READERS: tuple[tuple[Callable[[str], SuiteSummary | None], tuple[str, ...]], ...] = (
    (_read_jest, ("Tests",)),
    (_read_cargo, ("test result: ",)),
    (_read_unittest, ("Ran ",)),
    (_read_jvm, ("Tests run:", " tests ", " completed")),
    (_read_ruby, (" failure",)),
    (_read_php, ("OK (", "Assertions: ")),
    (_read_dotnet, ("Failed:", "Total tests: ")),
    (_read_native, ("tests passed, ", "Executed ", " | ")),
    (_read_pytest, ("passed", "failed", "error", "skipped", "xfailed", "warning", "deselected", "rerun", "tests ")),
    (_read_mocha, (" passing", " failing", " pending")),
    (_read_bun, (" pass",)),
    (_read_go, ("--- ", "ok", "FAIL", "?")),
    (_read_tap, ("# ", "ℹ ", "1..")),
)
"""Each with texts of which one stands in every summary of its formats: most outputs hold those of one or two of them."""
