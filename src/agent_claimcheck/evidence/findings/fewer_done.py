"""The agent says how many it did, and the run holds fewer calls that could have done them.

What it catches: "Both mails are sent" after one ``send_mail``.
Why it matters: somebody waits for the mail that was never sent.
Example: two people are named, one is written to, the closing text speaks of both.
Limits: the number must be said of the claim itself ("both", "all three", "4 events") and not of whom it was done for
("cancelled for all four passengers"); a call that takes a list, an unknown
tool, or a read-back of several records in one call silences it. So does a call that is about another kind of thing than is
counted: a booking holds nights and seats, a thread mails, a customer invoices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.candidates import is_named_after
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SURE_CLAIM, SuccessClaim
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.findings.cited import on_claim
from agent_claimcheck.evidence.receipts.done_counts import done_count
from agent_claimcheck.evidence.values.value_text import walk_values
from agent_claimcheck.evidence.writes import Write

ID = "fewer_done"
POWER: Power = "accuse"

_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_BOTH = late_pattern(
    r"^\W*(?:i(?:['’]ve| have)?\s+\w+\s+)?both\s+(?:of\s+)?(?:the\s+|your\s+)?(?P<noun>[a-z]+s)\b", re.IGNORECASE
)
_ALL = late_pattern(
    r"(?<!\bfor )\ball\s+(?P<number>two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+"
    r"(?:of\s+)?(?:the\s+|your\s+)?(?:[a-z]+\s+){0,2}?(?P<noun>[a-z]+s)\b",
    re.IGNORECASE,
)
_LISTS = late_pattern(
    r"[,;\n&]|^\S{1,4}(?: \S{1,4})+$| and |\w\s?\+\s?\w|^\D*\d+\s?[-–/]\s?[a-z]*\d+\D*$", re.IGNORECASE
)
_LONGEST = 4_000
_FEW = 6
_SHORT = 80
"""A longer text may hold several things without a mark between them."""

_SERIES = late_pattern(
    r"repeat|recur|rrule|until|count|quantity|qty|copies|occurrence|frequency|interval|times|number_of|num_|group|team|filter"
    r"|batch|all|file|csv|glob|query|where|sql|range|folder|director|list|entries|rows|pattern|area|zone|floor|block|section|scene"
    r"|second|other|also|additional|extra|(?<=[^\W\d])_?[2-9]$|_b$",
    re.IGNORECASE,
)
"""Names of arguments by which one call makes several: a series, a quantity, a group, a file."""

_BULK = frozenset(
    {"all", "apply", "area", "batch", "block", "bulk", "bundle", "combo", "couple", "double", "every", "execute", "family", "floor",
     "group", "import", "many", "mass", "migrate", "multi", "multiple", "pack", "package", "pair", "restore", "round", "row", "run",
     "scene", "series", "sync", "synchronize", "team", "triple", "upload", "zone"}
)  # fmt: skip
"""Words in the name of a tool that handles several at once."""
_SEVERAL = frozenset({"all", "both", "every", "everyone", "everybody", "family", "group", "list", "staff", "team"})
_WORD = late_pattern(r"[a-z]+")
_COLLECTION = late_pattern(r"^(?:https?://|/)\S*/[a-z_-]+s(?:[/?#]\S*)?$", re.IGNORECASE)
_MARKUP = late_pattern(r">\s*<|\|")

_PARTS = late_pattern(
    r"^(?:items?|changes?|requests?|tests?|steps?|tasks?|things|products|options|details|fields|files|parts|attachments|documents|photos|pictures|images|pages|links)$"
)
"""Nouns that one call may well handle several of."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield one finding per claim that counts more than could have been done."""
    for index, claim in evidence.compared_claims:
        counted = _counted(claim)
        if counted is None or claim.confidence < SURE_CLAIM:
            continue
        wanted, noun = counted
        meant = evidence.candidates(index)
        done = [write for write in meant if not write.is_failed]
        if not done or len(done) >= wanted or any(_may_do_several(write, claim, wanted) for write in done):
            continue
        if any(_is_about_more(write, noun) for write in done):
            continue
        reason = f"{wanted} are claimed, at most {len(done)} can have been done"
        yield on_claim(ID, POWER, index, claim, reason=reason, steps=tuple(write.step for write in done))


def _counted(claim: SuccessClaim) -> tuple[int, str] | None:
    """Return how many the claim counts, and of what."""
    both = _BOTH.search(claim.quote)
    if both and not _PARTS.match(both["noun"].lower()):
        return 2, both["noun"].lower()
    counted = _ALL.search(claim.quote)
    if counted and not _PARTS.match(counted["noun"].lower()):
        number = counted["number"].lower()
        return _NUMBERS.get(number) or int(number), counted["noun"].lower()
    return None


def _is_about_more(write: Write, noun: str) -> bool:
    """True unless the call is about one thing of the counted kind, by its name or by an argument that names one: ``order_id``."""
    if family_of(write.effect.verb_class) == "speak":
        return False  # one call, one message, whatever it is called
    one = _singular(noun)
    if one in write.effect.words[1:]:  # the first word is the verb: ``order_milk`` is about no order
        return False
    return not any(key.casefold().removesuffix("_id") == one for key in write.pair.call.args or {})


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("ches", "shes", "xes", "sses")) else noun.removesuffix("s")


def _may_do_several(write: Write, claim: SuccessClaim, wanted: int) -> bool:
    """True when the call has a list of things, a text that may list them, or an effect nobody knows, or tells that many."""
    args = write.pair.call.args or {}
    is_unknown = write.effect.kind == "unknown" and not is_named_after(write, claim)
    if is_unknown or any(_SERIES.search(key) for key in args):
        return True
    if not _BULK.isdisjoint(write.effect.words) or _tells(write, wanted):
        return True
    return any(
        ".0" in path or value == wanted or _may_list(value) or _names_several(value)
        for path, value in walk_values(args)
    )


def _names_several(value: Any) -> bool:
    """True for an address or a name that stands for several: ``team-late@x.test``, "all"."""
    return isinstance(value, str) and not _SEVERAL.isdisjoint(_WORD.findall(value[:_SHORT].casefold()))


def _may_list(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    marks = (_LISTS, _MARKUP, _COLLECTION)
    return len(value) > _SHORT or any(mark.search(value) for mark in marks)


def _tells(write: Write, wanted: int) -> bool:
    """True when the answer of the call holds a list or a number of at least that many, or words with that number."""
    result = write.pair.result
    if result is None or result.output is None:
        return False
    if isinstance(result.output, str):
        return re.search(rf"(?<!\d){wanted}(?!\d)", result.output[:_LONGEST]) is not None
    counted = done_count(result.output) if isinstance(result.output, dict) else None
    if counted is not None and counted[1] >= wanted:
        return True
    if isinstance(result.output, dict) and len(result.output) > _FEW:
        # A record holds lists and numbers of its own.
        return False
    return any(f"{wanted - 1}" in path.split(".") or value == wanted for path, value in walk_values(result.output))
