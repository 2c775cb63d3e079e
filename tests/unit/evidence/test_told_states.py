"""A claim that may only repeat the state which a failure or a look-up told."""

from __future__ import annotations

import pytest

from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.told_states import hinders, repeats_a_failure, repeats_a_look


def _claim(verb_class: str, quote: str) -> SuccessClaim:
    return SuccessClaim(type=verb_class, verb_class=verb_class, quote=quote)


@pytest.mark.parametrize(
    ("verb_class", "quote", "told", "language", "expected"),
    [
        ("booked", "The loom is booked from 3 to 4", "slot taken", "en", True),
        ("booked", "I booked the loom", "slot taken", "en", False),
        ("booked", "The loom is booked for you", "slot taken", "en", False),
        ("booked", "The loom has been booked", "slot taken", "en", False),
        ("booked", "Der Webstuhl ist um drei reserviert", "belegt", "de", True),
        ("deleted", "The event has been deleted", "event deleted", "en", True),
        ("deleted", "The event has been deleted", "event could not be deleted", "en", False),
        ("paid", "Rechnung 4 ist bezahlt", "bereits bezahlt", "de", True),
        ("configured", "The gate is unlocked", "gate is not locked", "en", True),
        ("closed", "The poll is closed", "poll ended at noon", "en", True),
    ],
)
def test_what_a_failure_told_may_be_repeated(
    verb_class: str, quote: str, told: str, language: str, expected: bool
) -> None:
    assert repeats_a_failure(_claim(verb_class, quote), told, language) is expected


@pytest.mark.parametrize(
    ("quote", "shown", "language", "expected"),
    [
        ("Die Bestellung ist storniert", '{"status": "cancelled"}', "de", True),
        ("Ich habe die Bestellung storniert", '{"status": "cancelled"}', "de", False),
        ("Die Bestellung ist storniert", '{"status": "open"}', "de", False),
        ("The order is cancelled", '{"status": "cancelled"}', "en", False),
    ],
)
def test_what_a_look_up_showed_may_be_repeated(quote: str, shown: str, language: str, expected: bool) -> None:
    assert repeats_a_look(_claim("cancelled", quote), shown, language) is expected


@pytest.mark.parametrize(
    ("verb_class", "quote", "request_text", "language", "expected"),
    [
        ("deleted", "The stool has been removed from the shop", "Order the stool", "en", True),
        ("deleted", "The stool has been removed", "Remove the stool", "en", False),
        ("deleted", "I removed the stool", "Order the stool", "en", False),
        ("refunded", "The stool has been refunded", "Return the stool", "en", False),
        ("deleted", "Le tabouret a été retiré de la vente", "Commande le tabouret", "fr", True),
        ("cancelled", "Der Kurs wurde storniert", "Storniere den Kurs", "de", False),
    ],
)
def test_what_happened_to_a_thing_hinders_what_was_asked(
    verb_class: str, quote: str, request_text: str, language: str, expected: bool
) -> None:
    assert hinders(_claim(verb_class, quote), request_text, language) is expected
