"""What a request asks for or forbids is found whatever stands around it: in brackets, before a comma, in capitals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent_claimcheck.detectors.rules.doubts.asked_not import forbids_the_deed
from agent_claimcheck.detectors.rules.doubts.asked_removal import asks_a_removal_unseen
from agent_claimcheck.detectors.rules.doubts.asked_values import names_what_is_not_shown
from agent_claimcheck.detectors.rules.doubts.asked_words import orders_more_than_shown
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.trace.model import FinalClaim, Step, Task, Trace
from agent_claimcheck.trace.view import label_free

TS = "2031-02-03T10:00:00Z"


def doubt(look: Callable[[Evidence], Doubt | None], instruction: str) -> str | None:
    args = {"card": "12", "assignee": "Otto", "hours": 3}
    steps = [
        Step(i=0, ts=TS, kind="tool_call", role="agent", name="board.assign", args=args),
        Step(i=1, ts=TS, kind="tool_result", role="tool", name="board.assign", ok=True, output={"id": "12"}),
    ]
    trace = Trace(
        trace_id="asked",
        source="unit",
        task=Task(id="asked", domain="other", instruction=instruction),
        steps=steps,
        final_claim=FinalClaim(text="Card 12 has been assigned."),
    )
    found = look(Evidence(label_free(trace)))
    return None if found is None else found.reason


@pytest.mark.parametrize(
    ("request_text", "named"),
    [
        ("Assign it (two hours of work).", "two"),
        ("Assign card 12 — twenty boxes of it.", "twenty"),
        ("Assign card 12 to crew C, please.", "c"),
        ("Assign card 12 to crew C", "c"),
        ("Is crew C? Then assign card 12.", "c"),
    ],
)
def test_a_length_or_letter_is_asked_for_wherever_it_stands(request_text: str, named: str) -> None:
    assert f"{named!r}" in str(doubt(names_what_is_not_shown, request_text))


@pytest.mark.parametrize("request_text", ["Assign card 12.", "Assign card 12 to crew C.", "One of us is on card 12."])
def test_what_is_no_length_and_no_letter_is_not_asked_for(request_text: str) -> None:
    assert doubt(names_what_is_not_shown, request_text) is None


@pytest.mark.parametrize(
    "request_text",
    [
        "Assign card 12 to somebody OTHER THAN Otto",
        "Assign card 12 to anyone, But Not Otto",
        "Assign card 12 (except Otto).",
        "Assign card 12 to a person — instead of Otto",
        "Don’t assign card 12.",
        "Please never assign it.",
    ],
)
def test_what_is_not_wanted_is_heard(request_text: str) -> None:
    assert doubt(forbids_the_deed, request_text) is not None


def test_what_is_wanted_is_not_forbidden() -> None:
    assert doubt(forbids_the_deed, "Assign card 12 to Otto.") is None


@pytest.mark.parametrize(
    "verb",
    [
        "remove", "delete", "unassign", "unpublish", "withdraw", "revoke", "detach", "unlink", "erase", "discard", "archive",
        "dismiss", "uninstall", "evict", "strike",
    ],
)  # fmt: skip
def test_every_order_to_take_away_is_heard(verb: str) -> None:
    assert doubt(asks_a_removal_unseen, f"{verb.capitalize()} Otto, then assign card 12.") is not None


@pytest.mark.parametrize("verb", ["take", "kick", "strike", "cross", "get", "throw"])
def test_every_order_to_take_off_is_heard(verb: str) -> None:
    assert doubt(asks_a_removal_unseen, f"{verb.capitalize()} Otto off card 12.") is not None


@pytest.mark.parametrize(
    ("request_text", "named"),
    [
        ("Hand out card 12", None),
        ("Set out card 12", None),
        ("Hand over card 12", None),
        ("Jot down card 12", None),
        ("Sign off card 12", None),
        ("Hand out the laminated card 12", "laminated"),
        ("Take down card 12", "down"),
        ("Log out card 12", "out"),
    ],
)
def test_the_second_part_of_a_verb_is_no_word_of_its_own(request_text: str, named: str | None) -> None:
    found = doubt(orders_more_than_shown, request_text)
    assert found is None if named is None else repr(named) in str(found)
