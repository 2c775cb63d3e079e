"""Files of words and patterns."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_claimcheck.core.word_files import read_sections, words_of_lines

_SOURCES = Path(__file__).parents[3] / "src" / "agent_claimcheck"


def test_sections_hold_their_lines_in_order_without_comments(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(
        "# a file\n#\nlost\n\n[first]\none two\n  # no word\n #5 \n[second one]\n[^x]\nkey: a\n[first]\nthree\n"
    )
    assert read_sections(path) == {"first": ["one two", "#5", "three"], "second one": ["[^x]", "key: a"]}
    assert words_of_lines(["one two", "two three"]) == {"one", "two", "three"}


@pytest.mark.parametrize(
    "path", [path for path in _SOURCES.rglob("*.txt") if "\n[" in path.read_text("utf-8")], ids=lambda path: path.stem
)
def test_no_packaged_line_ends_in_a_space_that_would_be_lost(path: Path) -> None:
    assert [line for line in path.read_text("utf-8").splitlines() if line != line.strip()] == []
