"""Whether the red result of a check says something of the code: not where nothing was checked, or what is red counts for nothing.

A reader must not miss: each of these only spares a run from an accusation, so any sign is enough.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.receipts.reading import Receipt

_HEAD = 4_000
"""Characters of an output, from its start or its end, that are looked through."""
_NEVER_RAN = late_pattern(
    r"command not found|no rule to make target|missing script|no module named|not recognized as"
    r"|^(?:\S{0,80}(?:sh|bash|env|python[\d.]{0,5}|node|npm|make|cd|ls)|npm (?:ERR!|error))\b[^\n]{0,200}\bno such file or directory"
    r"|\bERROR: (?:file or directory )?not found:"
    r"|no tests? (?:ran|found|collected|files? found)|collected 0 items|unrecognized arguments?|unknown (?:option|command)"
    r"|cannot find (?:module|package) ['\"]?[a-z@]|interpreter ?not ?found|is not installed|while loading conftest"
    r"|could not (?:resolve|connect)|connection refused|timed? ?out\b|time limit"
    r"|killed (?:after|by)|no space left|out of memory",
    re.IGNORECASE | re.MULTILINE,
)
_NEVER_RAN_CODES = frozenset({5, 124, 126, 127, 130, 137, 143})
"""Exit codes of what found nothing to test, was stopped, cannot be run or is not there."""
_ALLOWED = late_pattern(
    r"expected[ _-]?fail|\bx-?fail(?:ed|ures?)?\b(?!\w*[ =:]+0)|known[ _-]?(?:bug|issue|fail)|flaky|rerun"
    r"|\"retries\"|(?:on|after) (?:a |the )?retry|allowed[ _-]?fail"
    r"|quarantin|baseline|run before|(?:previous|last|earlier) run",
    re.IGNORECASE,
)
"""What an output says of failures that count for nothing."""
_LAST_LINES = 6
"""Lines at the end of an output in which a run says how it went."""
_ALL_WELL = late_pattern(
    r"^\s*OK\b(?!.*fail)|^test result: ok|\b0 fail(?:ures|ed)\b|# FAIL:?\s+0\b"
    r"|\bBUILD SUCCE|^Build succeeded|^All checks passed|\bno issues found\b"
)
"""How a run that is well ends."""
_PART_WELL = late_pattern(r"^\s*PASS\b(?!.*fail)|^ok\s+\S+\s+[\d.]+s|^\s*\d+ passing\b(?!.*fail)")
_PART_RED = late_pattern(r"^\s*FAIL\b|\b[1-9]\d{0,5} fail(?:ing|ed)\b")
"""What is told of one package or file, or beside what is red: the run is well only where nothing red comes after it."""
_ERROR_COUNT = late_pattern(r"\b(\d{1,6}) error(?:s|\(s\))?(?![\w-])", re.IGNORECASE)
_TELLS_VERDICT = late_pattern(
    r"(?:is_?)?(?:ok|success\w*|verdict|conclusion|status|state|result|outcome|exit\w*)"
    r"|new_?(?:fail|err|regress)\w*|regressions?",
    re.IGNORECASE,
)
"""Fields in which a tool for tests says what its counts come to, or what of them is new."""
_GREEN = frozenset({"success", "successful", "succeeded", "pass", "passed", "ok", "green", "0"})
_MOST_FIELDS = 64
_RED_LINE = late_pattern(r"^.{0,300}(?:\bFAIL|\bfailed\b|✗|✕|✘|\bnot ok\b).{0,300}$", re.MULTILINE)
_NAME = re.compile(r"[^\W\d_]{4,40}")
_OF_RUNNERS = (
    "test tests spec specs unit fail fails failed failing failure failures error errors passed total suite suites seconds "
    "python pytest unittest jest vitest mocha node cargo package packages module modules class file files code source "
    "exit stdout stderr output"
)
_SAYS_LITTLE = frozenset(_OF_RUNNERS.split())
"""Words of test runs that name nothing that was tested."""


def never_ran(receipt: Receipt, output: str) -> bool:
    """True when the command checked nothing, so that its failure says nothing of the code."""
    if receipt.tests is not None and receipt.tests.is_red:
        return False
    return receipt.exit_code in _NEVER_RAN_CODES or _NEVER_RAN.search(f"{receipt.reason} {output[:_HEAD]}") is not None


def allows_red(output: str) -> bool:
    """True when what a tool for tests returned speaks of failures that are expected, or were green at another try."""
    return _ALLOWED.search(output[:_HEAD]) is not None


def ends_green(receipt: Receipt, output: str) -> bool:
    """True when the last lines of the output say that all is well: what was red before them was a run within, or an earlier one.

    Outside tests, all is well where errors are counted and there are none: what is left are warnings.
    """
    lines = [line for line in output[-_HEAD:].splitlines() if line.strip()][-_LAST_LINES:]
    last_part = next((line for line in reversed(lines) if _PART_WELL.search(line) or _PART_RED.search(line)), "")
    if _PART_WELL.search(last_part) or any(map(_ALL_WELL.search, lines)):
        return True
    errors = [int(count) for line in lines for count in _ERROR_COUNT.findall(line)] if receipt.tests is None else []
    return bool(errors) and not any(errors)


def names_of_red(command: str, output: str) -> frozenset[str]:
    """Return the words by which a command and the lines of its output name what is red, case-folded: ``slug``, ``umlauts``."""
    told = [command, *_RED_LINE.findall(output[-_HEAD:].replace("\\n", "\n"))]
    return frozenset(word for text in told for word in telling_words(text))


def telling_words(text: str) -> set[str]:
    """Return the words of ``text`` that may name what was tested, case-folded."""
    return {word.casefold() for word in _NAME.findall(text.replace("_", " "))} - _SAYS_LITTLE


def calls_itself_green(body: Any) -> bool:
    """True when an object tells success beside its counts: ``"conclusion": "success"``, ``"exit": 0``, ``"new_failures": []``."""
    if not isinstance(body, Mapping):
        return False
    return any(
        _TELLS_VERDICT.fullmatch(key) and (value is True or value == [] or str(value).casefold() in _GREEN)
        for key, value in islice(body.items(), _MOST_FIELDS)
    )
