"""Files and functions stay small enough to read at once, and no module is a drawer for what belongs nowhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 410, 60
"""Where "about 400" and "about 60" lines surely end: above that a file holds two ideas."""
DRAWERS = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_files_can_be_read_at_once() -> None:
    sizes = {str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: size for path, size in sizes.items() if size > LONGEST_FILE} == {}


def test_functions_can_be_read_at_once() -> None:
    long = [(path.name, node.name) for path in MODULES for node in functions(path) if length(node) > LONGEST_FUNCTION]
    assert long == []


def test_no_module_is_a_drawer_or_looks_like_a_test() -> None:
    names = {path: set(path.stem.split("_")) for path in MODULES}
    assert [path for path, words in names.items() if words & DRAWERS or path.stem.startswith("test_")] == []
