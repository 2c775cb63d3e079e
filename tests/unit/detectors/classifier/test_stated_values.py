"""The values of a text: what the fast pattern finds is what the plainly written one finds."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_claimcheck.detectors.classifier.stated_values import stated_values

PLAIN = re.compile(
    r"(?P<mail>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6})"
    r"|(?P<path>(?<![\w/])(?:[\w.-]{1,60}/){1,12}[\w.-]{1,80}\.\w{1,8}\b)"
    r"|(?P<time>\b\d{4}-\d{2}-\d{2}|\b\d{1,2}:\d{2}\b)"
    r"|(?P<quoted>(?<!\w)['\"“][^'\"“”\n]{2,60}['\"”](?!\w))"
    r"|(?P<id>\b(?=\w{0,30}\d)\w{0,80}[A-Za-z_]\w{0,80}\b)"
    r"|(?P<number>\b\d[\d,]{0,20}(?:\.\d{1,10})?)"
    r"|(?P<name>(?<![.!?]\s)(?<!\n)\b(?<!^)[A-Z][a-z]{1,30}(?:[ -][A-Z][a-z]{1,30}){0,5})"
)
"""The meaning of ``evidence/v1``: a change of what is found needs a new table."""

PIECES = st.sampled_from(
    [
        "ann@example.com", "src/app.py", "2026-05-03", "10:30", "'Q3 review'", "R-7", "ord_41", "1,200.50", "Ann Lee",
        "Ann-Marie", "please", "Done", ".", ". ", "! ", ", ", " ", "\n", "“", "”", "'", "@", "/", "é", "٣", "_", "a", "B", "7",
        "x" * 70,
    ]
)  # fmt: skip


def plain_values(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in list(PLAIN.finditer(text[:6000]))[:60]:
        kind, value = match.lastgroup or "", match.group().lower().strip("'\"“”#")
        if value:
            found.setdefault(kind, set()).add(value.replace(",", "") if kind == "number" else value)
    return found


@given(st.lists(PIECES, max_size=40).map("".join))
def test_the_same_values_are_found_as_by_the_plain_pattern(text: str) -> None:
    assert stated_values(text) == plain_values(text)


def test_values_are_told_by_kind() -> None:
    text = "Please move 'Q3 review' with Ann Lee (ann@example.com) to 2026-05-03, room B12, 1,200 seats; see docs/a.md."
    assert stated_values(text) == {
        "quoted": {"q3 review"},
        "name": {"ann lee"},
        "mail": {"ann@example.com"},
        "time": {"2026-05-03"},
        "id": {"b12"},
        "number": {"1200"},
        "path": {"docs/a.md"},
    }


@pytest.mark.parametrize("piece", ["a", "a.", "a/", "a@", "A", "1", "1,", "'", "“a ", " ", ".", "a_", "a. ", "Aa "])
def test_hostile_texts_cost_bounded_time(piece: str) -> None:
    start = time.process_time()
    stated_values(piece * 100_000)
    assert time.process_time() - start < 1.0
