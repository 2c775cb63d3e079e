from __future__ import annotations

import time

import pytest

from agent_claimcheck.core.quick import Quick, QuickWords


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("not yet", True),
        ("Noted", False),
        ("it could\u00a0not", True),
        ("", False),
        ("\ud800 not", True),
        ("NOT", True),
    ],
)
def test_pattern_is_found_where_it_fits(text: str, found: bool) -> None:
    assert Quick(r"(?i)\bnot\b").is_in(text) is found


@pytest.mark.parametrize("word", ["a.b", "(x)", "to do:", "don't", "é"])
def test_words_are_looked_for_as_they_are_written(word: str) -> None:
    quick = QuickWords(["zzz", word])
    assert quick.in_text(f"before {word} after") == [word]
    assert quick.in_text("before after") == []
    assert QuickWords(["a.b"]).in_text("axb") == []


def test_many_words_in_a_long_text_take_no_longer_than_reading_it() -> None:
    quick = QuickWords([f"{'a' * 30}{number}b" for number in range(200)])
    start = time.process_time()
    assert quick.in_text("a" * 2_000_000) == []
    assert time.process_time() - start < 5
