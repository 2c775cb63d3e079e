from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.text import fold, printable, shorten

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


def test_short_text_is_not_cut() -> None:
    assert shorten("abc", 3) == "abc"


@given(ANY_TEXT, st.integers(-2, 50))
def test_shortened_text_never_exceeds_the_limit(text: str, n: int) -> None:
    cut = shorten(text, n)
    assert len(cut) <= max(n, 0)
    assert cut == text if len(text) <= n else cut == "" or cut.endswith("…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("line\nnext\r\tend", "line\\nnext\\r\\tend"),
        ("pay\u202e001\u2066x", "pay\\u202e001\\u2066x"),
        ("lone \ud83d", "lone \\ud83d"),
        ("hid\u200bden\ufeff", "hid\\u200bden\\ufeff"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("Zürich 東京 👩‍💻 [red]", "Zürich 東京 👩‍💻 [red]"),
        ("non-breaking\u00a0space", "non-breaking\u00a0space"),
    ],
)
def test_terminal_sequences_and_hidden_characters_are_shown_literally(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_newlines_stay_on_request() -> None:
    assert printable("a\nb\x07", keep_newlines=True) == "a\nb\\x07"


@given(ANY_TEXT)
def test_printable_text_can_be_encoded_and_holds_no_control_character(text: str) -> None:
    shown = printable(text)
    shown.encode("utf-8")
    assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}]
    assert printable(shown) == shown


def test_fold_makes_spellings_equal() -> None:
    assert fold("Straße") == fold("ＳＴＲＡＳＳＥ") == "strasse"
    assert fold("e\u0301") == fold("É")
    assert fold("ABC") == "abc"


def test_fold_of_long_plain_text_equals_the_textbook_form() -> None:
    text = "Größe und Länge e\u0301 " * 40
    assert fold(text) == unicodedata.normalize("NFKC", text).casefold()


def test_fold_stays_linear_on_stacked_marks() -> None:
    text = "a" + "\u0301" * 150_000 + "\u0323" * 150_000
    start = time.process_time()
    fold(text)
    assert time.process_time() - start < 5.0
