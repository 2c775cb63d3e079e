"""Every relative link and every heading link in the project's Markdown leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".venv", ".git", "build", "dist", "node_modules"}
PAGES = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "benchmarks/**/*.md")
    for path in ROOT.glob(pattern)
    if not SKIPPED & set(path.parts)
)
FENCE = re.compile(r"(?ms)^(```|~~~).*?^\1")
LINK = re.compile(r"!?\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?[^)\n]*\)")


def prose(path: Path) -> str:
    return FENCE.sub("", (ROOT / path).read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    found: set[str] = set()
    for heading in re.findall(r"(?m)^#+\s+(.+?)\s*$", prose(path)):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
        found.add(plain.replace(" ", "-"))
    return found


def test_the_usual_pages_are_looked_at() -> None:
    assert {Path("README.md"), Path("CONTRIBUTING.md"), Path("docs/README.md")} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_relative_links_lead_to_files_and_headings(page: Path) -> None:
    broken: list[str] = []
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        name, _, anchor = target.partition("#")
        goal = (ROOT / page).parent / name if name else ROOT / page
        if not goal.exists() or (anchor and goal.suffix == ".md" and anchor not in anchors(goal.resolve())):
            broken.append(target)
    assert broken == []


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").glob("**/*.md")]
    assert [str(page) for page in pages if page.name != "README.md" and f"]({page})" not in index] == []


SOURCE_PAGES = [page for page in PAGES if page == Path("CONTRIBUTING.md") or {"explain", "adr"} & set(page.parts)]
NAMED_FILE = re.compile(r"`([\w./*-]+\.py)`")


def is_there(name: str) -> bool:
    """True for a path of the repository, and for the end of one: ``findings/catalog.py``."""
    folders = ("src", "tests", "benchmarks", "docs")
    return (ROOT / name).is_file() or any(True for folder in folders for _ in (ROOT / folder).glob(f"**/{name}"))


@pytest.mark.parametrize("page", SOURCE_PAGES, ids=str)
def test_source_files_that_a_page_names_are_there(page: Path) -> None:
    assert [name for name in NAMED_FILE.findall(prose(page)) if not is_there(name)] == []
