"""The set test before a pattern: a "no" must be certain."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.core.words import AnyPhrase, AnyWord, plain_words, words_of

PATTERN = re.compile(r"\b(?:if|sorry|didn['’]?t|risk)\b", re.IGNORECASE)
GATE = AnyWord("if sorry didn didnt risk")


@given(
    st.lists(st.sampled_from(["if", "İF", "ſorry", "RıSK", "risK", "didn’t", "é", " ", ".", "_", "x", "’"])).map(
        "".join
    )
)
def test_a_text_without_the_words_holds_no_match(text: str) -> None:
    if not GATE.may_be_in(words_of(text)):
        assert PATTERN.search(text) is None


@pytest.mark.parametrize("text", ["nothing here", "iffy", "x_if", "", "größe"])
def test_other_words_pass_no_gate(text: str) -> None:
    assert not GATE.may_be_in(words_of(text))


def test_lone_surrogates_are_no_words() -> None:
    assert words_of("a\ud800b") == [b"a", b"b"]


@given(st.lists(st.sampled_from(["if", "only", "when", "İF", "Only when", " ", ", ", "x"])).map("".join))
def test_phrases_are_those_that_their_pattern_finds(text: str) -> None:
    found = AnyPhrase("if", "only when").all_in(text, words_of(text))
    assert found == re.findall(r"\b(?:if|only when)\b", text, re.IGNORECASE)


@given(st.text(alphabet=st.one_of(st.characters(max_codepoint=127), st.sampled_from("é½ß²\u00a0\u1680９ـ"))))
def test_plain_words_are_runs_of_letters_and_digits(text: str) -> None:
    assert plain_words(text) == re.findall(r"[^\W_]+", text)
