"""What counts as a denial of the words that a pack's pattern fits, and where its sentence ends."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.negation import is_denied, may_deny

BEFORE = """
I couldn't get the room booked
I didn’t get the room booked
The room could not be booked
The room was never booked
I cannot see the room booked
I was unable to get the room booked
An unsuccessful attempt: room booked
It failed to be booked
Failure: the room is not booked
The failing call left nothing booked
A conflict prevented it being booked
The room is no longer booked
The room is not yet booked
Neither room was booked
None of the rooms is booked
I left without anything booked
I wrote instead of having it booked
I asked rather than booked
It is hardly booked
The desk refused to have it booked
Nothing was booked
It is impossible to get it booked
The desk declined to have it booked
The rooms were blocked, so none booked
It has yet to be booked
It is still to be booked
The request is pending, not booked
I am waiting to have it booked
Sorry, the room was booked
Unfortunately the room was booked
I tried to get it booked
I attempted to get it booked
It is far from booked
It falls short of booked
Zero rooms were booked
The room is anything but booked
No single free room booked
Not one of them booked
"""

BEHIND = """
booked: no
booked: nope
booked - false
booked it was not
booked the room, which failed
booked by the desk did not go through
booked is false
booked errored
booked... just kidding
booked — not
booked (failed)
"""


def span_of(text: str) -> tuple[int, int]:
    """Return where "booked" stands last in ``text``."""
    start = text.lower().rindex("booked")
    return start, start + len("booked")


@pytest.mark.parametrize("text", [*BEFORE.strip().splitlines(), *BEHIND.strip().splitlines()])
def test_word_denied_in_its_sentence(text: str) -> None:
    assert is_denied(text, span_of(text))
    assert may_deny(text)


@pytest.mark.parametrize(
    "text",
    [
        "I've booked the room",
        "The note says it is booked",
        "It is booked now",
        "The first try failed. Then it was booked",
        "The card was refused; the room is booked",
        "I had no luck at first, but the room is booked",
        "The room is booked. The bar is not open",
        "The room is booked, but the payment was refused",
    ],
)
def test_word_that_no_denial_is_about(text: str) -> None:
    assert not is_denied(text, span_of(text))


def test_plain_text_needs_no_closer_look() -> None:
    assert not may_deny("Your table is booked, a note about the fog was added, and the fare was refunded.")
