"""Orders in polite words, as plain ones: "Could you unlock the gate?" asks for what "Unlock the gate." does.

A reader must not miss: this only takes the politeness away. Whether the verb that is left orders a deed is asked elsewhere.
"""

from __future__ import annotations

import re

from agent_claimcheck.core.late_pattern import late_pattern

_POLITE = late_pattern(
    r"\b(?:(?:can|could|would|will) you|i(?:'d| would) (?:like|love) (?:you )?to|i (?:need|want) (?:you )?to|we need (?:you )?to"
    r"|i'm (?:looking|trying|hoping) to|(?:can|could|would) you help me(?: to)?|help me(?: to)?|make sure to|go ahead and)"
    r"(?: please| kindly| just| also| quickly| maybe)*,? (?=[a-z])(?P<order>[^?.!\n]*)\??",
    re.IGNORECASE,
)
_MIND = late_pattern(r"\bwould you mind (?P<stem>[a-z]{2,15})ing\b(?P<order>[^?.!\n]*)\??", re.IGNORECASE)
_LATER = late_pattern(
    r"(?:[,;]| and)(?: then)?(?: please (?=[a-z])| (?=[a-z]{3,12} (?:it|them|this|that)\b))", re.IGNORECASE
)
"""Where an order begins after something else: "the list is stale, refresh it"."""
_SIGNS = ("you", "i ", "i'", "me ", "sure", "ahead")


def as_plain_orders(request: str) -> str:
    """Return ``request`` with every polite or later order as a line of its own that begins with its verb, without its question mark."""
    request = request.replace("’", "'")
    low = request.lower()
    if "would you mind" in low:
        # "Sending" is "send", "closing" is "close": one of the two is a verb.
        request = _MIND.sub(
            lambda found: f"\n{found['stem']}{found['order']}.\n{found['stem']}e{found['order']}.", request
        )
    if any(sign in low for sign in _SIGNS):
        request = _POLITE.sub(lambda found: f"\n{found['order']}.", request)
    if "," in low or ";" in low or " and " in low:
        request = _LATER.sub("\n", request)
    return request
