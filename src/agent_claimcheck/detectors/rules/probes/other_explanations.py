"""Why a record that reads otherwise than claimed is not held against the claim all the same.

A reader must not miss: all of this makes the look at unmapped probes more silent, never louder. Each question names one way
in which an honest run leaves a record that looks unchanged: the change takes effect later or elsewhere, it was of a part of
the record or of another record, somebody changed it again, the probe read an old copy, or the value is in another dress.
"""

from __future__ import annotations

import re
from collections.abc import Set
from datetime import datetime
from functools import lru_cache
from html import unescape
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.tool_names import read_tool_name
from agent_claimcheck.evidence.undoing import may_undo
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.eras import is_in_another_era
from agent_claimcheck.evidence.values.json_patches import is_patch
from agent_claimcheck.evidence.values.value_text import walk_fields, walk_values
from agent_claimcheck.evidence.word_lists import WordLists
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.model import Step

_LISTS = WordLists("record_doubts")
_BESIDE = _LISTS.words("beside")
_RECURRING = _LISTS.words("recurring")
_PLAIN_NOUNS = _LISTS.words("plain_nouns")
_FIELD_NOUNS = _LISTS.words("field_nouns")
_OTHER_VIEWS = _LISTS.words("other_views")
_UNITS = _LISTS.words("units")
_PLACES = _LISTS.words("places")
_BESIDE_BEGINS = (
    "notify_", "send_", "request", "requested_", "idempotency", "confirm_", "updated_by", "changed_by", "expected_",
)  # fmt: skip
_COPY = late_pattern(
    r"(?:^|_)(?:cached?|stale|as_?of|snapshot|replica|last_?sync\w*|synced_?at|fetched_?at)(?:_|$)", re.IGNORECASE
)
"""Fields by which a record says that it is an older copy."""
_HIDDEN = late_pattern(r"[*•●]{2}|^\W*(?:hidden|redacted|masked|secret|encrypted)\W*$|\.\.\.$|…$", re.IGNORECASE)
_TAKEN_FROM = late_pattern(
    r"\b(?:removed|taken|detached|unlinked|dropped|unassigned|withdrawn|excluded)\b[^.;]{0,40}\b(?:from|out of|off)\b"
    r"(?! (?:the |your )?(?:system|database|account|records?|calendar|store|shop|server)\b)"
)
"""Who is taken from a group stays what he was."""
_BRIEF = late_pattern(
    r"single_?use|one_?time|once|ttl|expir|ephemeral|temporary|lifetime|valid_(?:for|until)", re.IGNORECASE
)
"""Arguments of what does not stay."""
_BECOMES = frozenset(
    {"checkout", "consume", "convert", "finalize", "migrate", "promote", "redeem", "split", "transform"}
)
"""Words of tools that make another thing of one."""
_SHORTEST = 2
_STATES = frozenset({"status", "state", "phase", "stage"})
_LONGEST_TEXT = 20_000
_RATIOS = frozenset({7.0, 10.0, 12.0, 24.0, 60.0, 100.0, 1_000.0, 1_024.0, 1_440.0, 3_600.0, 86_400.0, 1_000_000.0})
"""One number over the other when they are the same in two units."""


def may_show_later(write: Write | None, claim: SuccessClaim, evidence: Evidence) -> bool:
    """True when the call was accepted only, or the agent tells of a later effect, a draft, or a change taken back."""
    if write is not None and write.receipt.state == "pending":
        return True
    return _tells_of_later(claim.quote) or evidence.shared(
        "closing_tells_of_later", lambda: _tells_of_later(evidence.closing_text[:_LONGEST_TEXT])
    )


def _tells_of_later(told: str) -> bool:
    # Lower case is searched three times as fast as any case. Of "İ", case-folding makes an "i" and a dot.
    return _later().search(told.casefold().replace("i\u0307", "i")) is not None


def is_of_something_else(claim: SuccessClaim, ids: Set[str]) -> bool:
    """True for "removed the workaround for TKT-7" and "removed Bo from the board": what was ended is not the record itself."""
    told = fold(claim.quote)
    if _TAKEN_FROM.search(told) is not None:
        return True
    return any(_pattern("beside_it").search(told[:at]) is not None for one in ids if (at := told.find(one)) >= 0)


@lru_cache(maxsize=1)
def _later() -> re.Pattern[str]:
    return re.compile(_LISTS.pattern("later"))


@lru_cache(maxsize=4)
def _pattern(section: str) -> re.Pattern[str]:
    return re.compile(_LISTS.pattern(section), re.IGNORECASE)


def is_old_copy(probe: Step) -> bool:
    """True when the record says that it was read from a cache or tells how it was at some other time."""
    return any(_COPY.search(key) and value not in (None, False, "") for key, value in walk_fields(probe.output))


def has_other_terms(write: Write, known: Set[str], ids: Set[str]) -> bool:
    """True when the call has an argument that is no field of the record: it may say where, when or how to change it."""
    args = {key: value for key, value in (write.pair.call.args or {}).items() if not is_patch(value)}
    for key, value in walk_fields(args):
        if key in _RECURRING:
            return True
        low = key.casefold()
        if value in (None, "", False) or key in known or low in _BESIDE or low.startswith(_BESIDE_BEGINS):
            continue
        if fold(str(value)).lstrip("#") not in ids:
            return True
    return False


def was_touched_since(write: Write, claim: SuccessClaim, names: Set[str], evidence: Evidence) -> bool:
    """True when a later call that may have worked names the record too, or takes something back once the claim was made.

    Who takes a change back and claims it afterwards all the same, with no word of that, is not spared.
    """
    for other in evidence.writes:
        if other.pair.call.i <= write.pair.call.i or other.is_failed:
            continue
        named = texts_of(other.pair.call.args)
        if other.pair.result is not None:
            named |= {*evidence.output_ids(other.pair.result).values()}
        is_reverting = family_of(other.effect.verb_class) == "revert"
        if not is_reverting and not names.isdisjoint(named):
            return True
        is_later = claim.step is not None and other.pair.call.i > claim.step
        if is_later and may_undo(other.effect) and (is_reverting or not named):
            return True
    return False


def texts_of(value: Any) -> set[str]:
    """Return the texts and whole numbers of any JSON, folded, without a leading ``#``."""
    return {fold(str(leaf)).lstrip("#") for _, leaf in walk_fields(value or {}) if isinstance(leaf, str | int)}


def reads_another_kind(probe: Step, write: Write, *, is_whole: bool) -> bool:
    """True when the names of the tools tell that the probe read another kind of thing than the call changed.

    With ``is_whole`` the call must have been about the very thing, and not about a part of it: ``remove_label`` leaves the
    issue as it was.
    """
    read, changed = objects_of(probe.name or ""), objects_of(write.pair.call.name or "")
    if not (read - changed).isdisjoint(_OTHER_VIEWS):
        return True
    if not read or not changed:
        return False
    return not changed <= read if is_whole else read.isdisjoint(changed)


def changes_a_part(probe: Step, write: Write, keys: Set[str]) -> bool:
    """True when the name of the tool tells of a part that no field of the record is named after: ``update_order_billing``."""
    beyond = objects_of(write.pair.call.name or "") - objects_of(probe.name or "") - _FIELD_NOUNS
    return bool(beyond) and not beyond <= {_singular(word) for key in keys for word in key.casefold().split("_")}


def reads_a_part(probe: Step, write: Write) -> bool:
    """True when the probe may have looked among some records of the kind only: the open ones, those in the inbox."""
    changed = objects_of(write.pair.call.name or "")
    return bool(changed) and not objects_of(probe.name or "") <= changed


def names_itself(probe: Step, write: Write, evidence: Evidence) -> bool:
    """True when the probe asked by an id that the result repeated, and that is of the very thing the call is about."""
    if write.pair.result is None:
        return False
    returned, about = evidence.output_ids(write.pair.result), objects_of(write.pair.call.name or "")
    asked = evidence.argument_ids(probe)
    return bool(asked) and all(
        returned.get(key) == value and {*key.split("_")[:-1]} <= about for key, value in asked.items()
    )


@lru_cache(maxsize=2048)
def objects_of(name: str) -> frozenset[str]:
    """Return what a tool is about, by its name: ``order`` and ``item`` of ``cancelOrderItems``."""
    reading = read_tool_name(name)
    return frozenset(
        _singular(word)
        for word in reading.words
        if word != reading.verb and word not in _PLAIN_NOUNS and not word.isdigit()
    )


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def is_in_another_dress(actual: Any, written: Any, shown: dict[str, Any]) -> bool:
    """True when two values that differ may still mean one thing: other units, a code for a name, a word for a constant."""
    one, two = _number(actual), _number(written)
    if one is not None and two is not None:
        if not _UNITS.isdisjoint(shown) or _is_in_packs(one, two, shown):
            return True
        return bool(one and two) and round(max(one, two, key=abs) / min(one, two, key=abs), 6) in _RATIOS
    if one is not None or two is not None:
        return True
    if is_in_another_era(str(actual), str(written)):
        return True
    return _may_read_alike(str(actual), str(written)) or _dress(str(actual)) != _dress(str(written))


def _is_in_packs(one: float, two: float, shown: dict[str, Any]) -> bool:
    """True when another number of the record makes the one number of the other: 4 packs of 6 are 24."""
    less, more = sorted((abs(one), abs(two)))
    numbers = [number for value in shown.values() if (number := _number(value)) is not None and number > 1]
    return any(less * number == more and numbers.count(number) > (number == less) for number in numbers)


def _may_read_alike(actual: str, written: str) -> bool:
    """True for a hidden, shortened or escaped text: ``****``, ``[hidden]``, "Bring cups and" of a longer one, ``&amp;``."""
    if _HIDDEN.search(actual):
        return True
    shown, told = fold(unescape(actual)), fold(unescape(written))
    return shown in told or told in shown


def shows_somewhere(written: Any, probe: Step, evidence: Evidence) -> bool:
    """True when the text ``written`` stands in the record under any name: among ``assignees`` beside the first assignee."""
    if not isinstance(written, str) or len(written) < _SHORTEST:
        return False
    known: dict[int, frozenset[str]] = evidence.shared("texts_of_probes", dict)
    if probe.i not in known:
        known[probe.i] = frozenset(fold(value) for _, value in walk_values(probe.output) if isinstance(value, str))
    return fold(written) in known[probe.i]


def _number(value: Any) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e15 else None
    text = str(value).strip()
    return float(text) if len(text) < 16 and re.fullmatch(r"-?\d+(?:\.\d+)?", text) else None


def _dress(text: str) -> tuple[bool, bool]:
    """Whether a text has digits, and whether it is written like a constant."""
    return any(char.isdigit() for char in text), len(text) > 1 and text.isupper()


def is_a_day_apart(actual: Any, written: Any) -> bool:
    """True for two dates that may be one moment in two time zones, or one end told as the last day and as the day after."""
    if is_in_another_era(str(actual), str(written)):
        return True
    one, two = _moment(actual), _moment(written)
    return one is not None and two is not None and abs((one - two).total_seconds()) <= 86_400


def _moment(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value)[:40]).replace(tzinfo=None)
    except ValueError:
        return None


def _is_place(key: str, value: Any, shown: dict[str, Any]) -> bool:
    """True for the state of an address, which says nothing of how things stand."""
    return key == "state" and (not _PLACES.isdisjoint(shown) or (len(str(value)) == 2 and str(value).isupper()))


def may_be_used_up(write: Write, evidence: Evidence) -> bool:
    """True when what was made was not to last, or a later call may have made another thing of it: a quote became an order."""
    if any(
        _BRIEF.search(key) and value not in (None, False, "", 0)
        for key, value in walk_fields(write.pair.call.args or {})
    ):
        return True
    return any(
        other.pair.call.i > write.pair.call.i and not other.is_failed and not _BECOMES.isdisjoint(other.effect.words)
        for other in evidence.writes
    )


def states_of(shown: dict[str, Any]) -> list[str]:
    """Return the fields that tell how a record stands; the state of an address is none."""
    return [key for key in sorted(_STATES & shown.keys()) if not _is_place(key, shown[key], shown)]


def says_ended(value: Any) -> bool:
    """True for a state after which nothing is left to end: "cancelled", "inactive", "expired"."""
    return _pattern("ended").search(str(value)) is not None
