"""What must hold for the claim finder on any text."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_claimcheck.evidence.claims.finder import AgentMessage, find_in_run, find_in_text

WORDS = (
    "I've;I;we;booked;cancelled;has been;was;not;no;never;will;if;once;the order;your table;successfully;and;but;done;"
    "all set;12 tests pass;gebucht;ist;to;be;been;have;got;please;make;sure;diff --git a b;予約しました;ﬁxed;İ"
)
MARKS = "✅ ❌ | ** <thinking> </thinking> ` ``` { } [ ] ( ) , . ? ! : \" '"
PIECES = st.sampled_from(
    (*WORDS.split(";"), *MARKS.split(), '"status": ', ";", "\n", "\u200b", "\ufeff", "\ud800", "\x00")
)
HOSTILE = st.lists(PIECES, max_size=40).map(" ".join)
ANY = st.one_of(st.text(max_size=200), HOSTILE)
FILLER = st.sampled_from(
    ("You're welcome!", "Hello! How can I help?", "Thanks for waiting.", "Let me check that for you.", "👍")
)


@settings(max_examples=400)
@given(ANY)
@example("had")
@example("please")
@example("know")
@example('{"a')
def test_reading_any_text_never_raises_and_spans_lie_inside(text: str) -> None:
    reading = find_in_text(text)
    for claim in reading.claims:
        assert claim.span is not None
        start, end = claim.span
        assert 0 <= start <= end <= len(text)
        assert 0 < claim.confidence <= 1
        assert claim.type == claim.verb_class != ""


@settings(max_examples=150)
@given(st.lists(HOSTILE, max_size=4), st.lists(FILLER, max_size=3), st.data())
def test_filler_messages_change_no_claim(texts: list[str], fillers: list[str], data: st.DataObject) -> None:
    messages = [AgentMessage(step, text) for step, text in enumerate(texts)]
    padded = list(messages)
    for filler in fillers:
        padded.insert(data.draw(st.integers(0, len(padded))), AgentMessage(None, filler))
    plain = find_in_run(messages, is_shell_run=False).claims
    assert {(c.type, c.quote) for c in find_in_run(padded, is_shell_run=False).claims} == {
        (c.type, c.quote) for c in plain
    }


@settings(max_examples=100)
@given(HOSTILE)
def test_a_reading_depends_on_the_text_alone(text: str) -> None:
    assert find_in_text(text) == find_in_text(text)
