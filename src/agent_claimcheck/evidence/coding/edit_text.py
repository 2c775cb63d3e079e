"""What an edit put into a file: only comments, or something that can run?

A reader must not miss: "only comments" is said when the file's comment marks are known and every line the edit added is
one; whatever cannot be read counts as code. A line editor does not say what it replaced, so there the comments must be
prose (a line of code that was commented out is a change), and over several lines they must say that the work is to do.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.trace.model import Step

_HASH = ("#",)
_SLASHES = ("//", "/*", "*/", "* ")
_MARKS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("py", "pyi", "rb", "sh", "yaml", "yml", "toml", "r", "pl"), _HASH),
    **dict.fromkeys(("ini", "cfg", "conf", "properties", "pylintrc", "flake8", "coveragerc"), ("#", ";")),
    **dict.fromkeys(
        ("js", "jsx", "ts", "tsx", "java", "c", "h", "cc", "cpp", "hpp", "cs", "go", "rs", "kt", "swift", "scala"),
        _SLASHES,
    ),
    "sql": ("--",),
    "lua": ("--",),
}
_LINE_EDIT = late_pattern(r"\s*edit\s+(\d{1,7}):(\d{1,7})[ \t]*\n(.*?)\n?[ \t]*end_of_edit\b", re.DOTALL)
_LEFT_TO_DO = late_pattern(r"\bTODO\b|\bFIXME\b|\bplaceholder\b", re.IGNORECASE)
_CODE_SIGNS = late_pattern(r"[=;]|[):{}]\s*$")
_FEWEST_WORDS = 4
_LONGEST = 20_000
_OLD_KEYS = ("old_string", "old_str", "old_text")
_NEW_KEYS = ("new_string", "new_str", "new_text")


_DIRECTIVE = late_pattern(
    r"^\W{0,4}(?:!|noqa\b|type:\s*ignore|mypy:|pylint:|ruff:|flake8:|isort:|fmt:|yapf:|pragma\b|nosec\b|(?:-\*-\s*)?(?:en)?coding[:=]"
    r"|eslint\b|@ts-|ts-|prettier-|stylelint|istanbul\b|c8\b|go:|\+build\b|nolint\b|rubocop:|shellcheck\b|clang-format|nolint"
    r"|(?:copyright|\(c\)|spdx|licen[cs]e)\b)",
    re.IGNORECASE,
)
"""Comments that a tool obeys, or that are what they say: a licence."""


def replaced(call: Step) -> tuple[str, str] | None:
    """Return what an edit took out of a file and what it put there; ``None`` when its arguments do not say so."""
    args = call.args if isinstance(call.args, dict) else {}
    old, new = _first(args, _OLD_KEYS), _first(args, _NEW_KEYS)
    return (old, new) if old is not None and new is not None else None


def leaves_work(call: Step) -> bool:
    """True when an edit adds a comment that says that the work is still to be done."""
    args = call.args if isinstance(call.args, dict) else {}
    added = _first(args, _NEW_KEYS) or _first(args, ("command",)) or ""
    return _LEFT_TO_DO.search(added) is not None


def adds_only_comments(call: Step, path: str) -> bool:
    """True when all that ``call`` added to the file ``path`` are comment lines, and no line of code went away."""
    marks = _MARKS.get(path.rsplit(".", 1)[-1].lower())
    if marks is None or not isinstance(call.args, dict):
        return False
    old, new = _first(call.args, _OLD_KEYS), _first(call.args, _NEW_KEYS)
    if old is not None and new is not None:
        return _code_lines(old, marks) == _code_lines(new, marks) and bool(new.strip())
    command = call.args.get("command")
    edit = _LINE_EDIT.match(command) if isinstance(command, str) and len(command) <= _LONGEST else None
    if edit is None or _code_lines(edit[3], marks):
        return False
    comments = [line.strip() for line in edit[3].splitlines() if line.strip()]
    is_one_line = edit[1] == edit[2]
    return bool(comments) and all(map(_is_prose, comments)) and (is_one_line or bool(_LEFT_TO_DO.search(edit[3])))


def _is_prose(comment: str) -> bool:
    return len(comment.split()) > _FEWEST_WORDS and not _CODE_SIGNS.search(comment)


def _first(args: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = args.get(key)
        if isinstance(value, str) and len(value) <= _LONGEST:
            return value
    return None


def _code_lines(text: str, marks: tuple[str, ...]) -> Counter[str]:
    lines = (line.strip() for line in text.splitlines())
    return Counter(line for line in lines if line and (not line.startswith(marks) or _DIRECTIVE.match(line)))
