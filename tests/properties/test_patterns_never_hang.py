"""Whatever a user writes and whatever a trace says: a pattern is refused or answers, with spans inside the text."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_claimcheck.core.errors import PatternError
from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.patterns import PatternSet, compile_user_pattern

SYNTAX = st.lists(
    st.sampled_from(
        [
            *"ab_é .^$|()[]{}*+?-\\,12:",
            r"\b",
            r"\w",
            r"\W",
            r"\d",
            r"\s",
            "(?:",
            "(?P<x>",
            "[^",
            "{1,3}",
            r"\pL",
            "(?i)",
        ]
    ),
    max_size=14,
).map("".join)
TEXT = st.text(max_size=40) | st.lists(st.sampled_from([*"ab_é \n—😀", "\ud800", "\u0301"]), max_size=30).map("".join)


@settings(max_examples=400)
@given(SYNTAX, TEXT, st.booleans())
def test_a_pattern_is_refused_or_answers(source: str, text: str, ignore_case: bool) -> None:
    try:
        pattern = compile_user_pattern(source, ignore_case=ignore_case)
    except PatternError:
        return
    spans = [match.span() for match in pattern.finditer(text)]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    first = pattern.search(text)
    assert (first.span() if first else None) == (spans[0] if spans else None)
    assert bool(PatternSet([pattern]).hits(text)) == bool(spans)


@settings(max_examples=60)
@given(SYNTAX, st.text(min_size=1, max_size=6))
def test_time_grows_with_the_text_only(source: str, piece: str) -> None:
    try:
        pattern = compile_user_pattern(f"(?:{source})+(?:{source})+$")
    except PatternError:
        return
    began = time.process_time()
    pattern.search(piece * 5000)
    assert time.process_time() - began < 5


@given(st.text(alphabet="ab*?[]!-.", max_size=20), st.text(max_size=30))
def test_globs_never_raise(glob: str, name: str) -> None:
    assert glob_match(glob, name) in (True, False)
