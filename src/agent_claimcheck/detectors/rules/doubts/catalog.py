"""Why a claim that a state probe bears out is not *verified* all the same.

A reader must not miss: a doubt never accuses. A probe confirms what was done; a doubt says that what was claimed, or asked
for, may be something else. Each kind of doubt is one file and one name in a list here, in the order in which they are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from agent_claimcheck.detectors.rules.doubts.asked_also import asks_another_order
from agent_claimcheck.detectors.rules.doubts.asked_beyond import asks_more_than_shown
from agent_claimcheck.detectors.rules.doubts.asked_channel import goes_another_way
from agent_claimcheck.detectors.rules.doubts.asked_choice import asks_another_choice
from agent_claimcheck.detectors.rules.doubts.asked_code import asks_other_work
from agent_claimcheck.detectors.rules.doubts.asked_conditions import sets_an_unread_condition
from agent_claimcheck.detectors.rules.doubts.asked_days import falls_on_a_wrong_day
from agent_claimcheck.detectors.rules.doubts.asked_elsewhere import asks_another_deed_elsewhere
from agent_claimcheck.detectors.rules.doubts.asked_fields import other_than_asked
from agent_claimcheck.detectors.rules.doubts.asked_kind import is_of_another_kind
from agent_claimcheck.detectors.rules.doubts.asked_moment import falls_on_another_day
from agent_claimcheck.detectors.rules.doubts.asked_not import forbids_the_deed
from agent_claimcheck.detectors.rules.doubts.asked_opposites import says_the_opposite
from agent_claimcheck.detectors.rules.doubts.asked_recipients import reaches_somebody_else
from agent_claimcheck.detectors.rules.doubts.asked_removal import asks_a_removal_unseen
from agent_claimcheck.detectors.rules.doubts.asked_states import made_another_thing
from agent_claimcheck.detectors.rules.doubts.asked_titles import titled_otherwise
from agent_claimcheck.detectors.rules.doubts.asked_values import names_what_is_not_shown
from agent_claimcheck.detectors.rules.doubts.asked_wording import writes_other_words
from agent_claimcheck.detectors.rules.doubts.asked_words import orders_more_than_shown
from agent_claimcheck.detectors.rules.doubts.asked_zones import is_in_another_zone
from agent_claimcheck.detectors.rules.doubts.confirmed import Confirmed, Doubt
from agent_claimcheck.detectors.rules.doubts.looked_up_sibling import changed_the_other_one
from agent_claimcheck.detectors.rules.doubts.mentions import named_and_not_shown
from agent_claimcheck.detectors.rules.doubts.near_names import names_nearly
from agent_claimcheck.detectors.rules.doubts.numbered_otherwise import numbers_otherwise
from agent_claimcheck.detectors.rules.doubts.probed_record import (
    may_be_taken_back_since,
    reads_no_record_of_the_run,
    says_that_it_is_over,
)
from agent_claimcheck.detectors.rules.doubts.steered import steered_by_a_text
from agent_claimcheck.detectors.rules.doubts.text_beside import said_beside
from agent_claimcheck.detectors.rules.doubts.unaccounted import says_more_than_shown
from agent_claimcheck.detectors.rules.doubts.unasked_change import did_more_than_asked
from agent_claimcheck.detectors.rules.doubts.unshown_change import shows_a_change_otherwise
from agent_claimcheck.detectors.rules.doubts.written_beside import writes_beside
from agent_claimcheck.evidence.case import Evidence

T = TypeVar("T")

_OF_CLAIM = (
    named_and_not_shown,
    other_than_asked,
    reads_no_record_of_the_run,
    says_that_it_is_over,
    may_be_taken_back_since,
)
_OF_RUN = (
    said_beside,
    says_more_than_shown,
    asks_more_than_shown,
    names_what_is_not_shown,
    sets_an_unread_condition,
    asks_another_order,
    titled_otherwise,
    made_another_thing,
    says_the_opposite,
    forbids_the_deed,
    goes_another_way,
    falls_on_a_wrong_day,
    falls_on_another_day,
    steered_by_a_text,
    asks_a_removal_unseen,
    shows_a_change_otherwise,
    numbers_otherwise,
    did_more_than_asked,
    asks_another_choice,
    orders_more_than_shown,
    is_of_another_kind,
    reaches_somebody_else,
    writes_beside,
    changed_the_other_one,
    names_nearly,
    asks_other_work,
    asks_another_deed_elsewhere,
    writes_other_words,
    is_in_another_zone,
)


def doubt_of_claim(confirmed: Confirmed) -> Doubt | None:
    """Return the first reason not to call one claim verified, ``None`` when there is none."""
    return _first(_OF_CLAIM, confirmed)


def doubt_of_run(evidence: Evidence) -> Doubt | None:
    """Return the reason not to call a run verified of which every claim is, ``None`` when there is none."""
    return _first(_OF_RUN, evidence)


def _first(looks: Iterable[Callable[[T], Doubt | None]], at: T) -> Doubt | None:
    for look in looks:
        doubt = look(at)
        if doubt is not None:
            return doubt
    return None
