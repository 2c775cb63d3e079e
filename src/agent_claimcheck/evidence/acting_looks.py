"""Look-ups, by their names, that may do something all the same: ``list_loans(renew_all=true)``, ``read_meter(value=4410)``.

A reader must not miss: such a call is of unknown effect, which spares a run from an accusation and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.asked.deeds import participles
from agent_claimcheck.evidence.tool_names import NameReading, orders_change, read_tool_name, split_name
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.trace.model import Step

_MOST_ARGUMENTS = 50


def why_it_may_act(name: NameReading, args: Mapping[str, Any], result: Step | None) -> str | None:
    """Return why a call that is a look-up by its ``name`` may do something; ``None`` where nothing says so."""
    return _asked_to_change(args) or _told_what_to_record(name, args) or _gives_back(args, result)


_LONGEST_URL = 300
_MUTATION = late_pattern(r"\s*mutation\b")
_ORDER_KEYS = frozenset({"action", "operation", "op"})
_ORDERING_FLAGS = frozenset({"book", "charge", "commit", "hold", "persist", "post", "purchase", "release", "transfer"})
"""Flags that are an order when they are set, whatever else their word may name."""


def _asked_to_change(args: Mapping[str, Any]) -> str | None:
    """Return why a look-up may be told to change something too: ``list_loans(renew_all=true)``."""
    for key, value in islice(args.items(), _MOST_ARGUMENTS):
        if value is True:
            if key in _ORDERING_FLAGS or orders_change(key):
                return f"'{key[:40]}' asks for a change"
        elif isinstance(value, str):
            if key in _ORDER_KEYS and len(value) <= 60 and read_tool_name(value).kind == "write":
                return f"'{value[:40]}' is its {key}"
            if _MUTATION.match(value):
                return "a GraphQL mutation"
    return None


_LONGEST_KEY = 60
_HANDED_ON = late_pattern(
    r"^(?:\w+_)?(?:save|send|share|post|export|write|upload|email|mail|publish|store|copy|forward|deliver)(?:_\w+)?"
    r"_(?:to|with|into|as|in)$|^(?:notify|alert)$"
)
_FILTERING = frozenset({"after", "at", "before", "by", "from", "in", "on", "only", "since", "to", "until", "within"})
_CHECKING = frozenset(
    {"assess", "check", "evaluate", "inspect", "measure", "read", "review", "scan", "test", "validate", "verify"}
)
_RECORDED = frozenset(
    {
        "value",
        "reading",
        "result",
        "outcome",
        "verdict",
        "decision",
        "rating",
        "comment",
        "comments",
        "notes",
        "remarks",
        "passed",
    }
)
"""Arguments that a look-up has no use for: what was measured or found, told to be put down."""
_SECURING = frozenset({"verify", "validate", "check"})
_SECRETS = frozenset(
    {"otp", "one_time_code", "passcode", "pin", "verification_code", "security_code", "confirmation_code"}
)
"""What is given to a tool that checks it, and then lets something happen."""
_PLACES_FOR_IT = frozenset(
    {
        "dest",
        "dest_dir",
        "dest_path",
        "destination",
        "out",
        "outdir",
        "outfile",
        "output_dir",
        "output_file",
        "output_path",
    }
)
_IS_A_PATH = late_pattern(r"[/\\]|\.[A-Za-z]\w{0,4}$")
_COMMAND_IN_URL = late_pattern(
    r"^(?:https?://)?[^?#]*/(?:on|off|start|stop|toggle|restart|reboot|reset|trigger|enable|disable|lock|unlock|delete|cancel"
    r"|unsubscribe|activate|deactivate|approve|run)/?(?:[?#].*)?$",
    re.IGNORECASE,
)
_URL_KEYS = frozenset({"url", "uri", "endpoint", "link", "href"})


def _told_what_to_record(name: NameReading, args: Mapping[str, Any]) -> str | None:
    """Return why ``read_meter(value=4410)`` may do something, or an address that is an order: ``http_get("http://plc/pump/off")``."""
    if name.verb in _CHECKING and not _RECORDED.isdisjoint(args):
        return "it is told what to record"
    if name.verb is not None and any(_tells_what_was(name.verb, key) for key in islice(args, _MOST_ARGUMENTS)):
        return f"it is told what was {name.verb}ed"
    if name.verb in _SECURING and not _SECRETS.isdisjoint(args):
        return "it is given a secret, which may release something"
    for key, value in islice(args.items(), _MOST_ARGUMENTS):
        if key in _PLACES_FOR_IT and isinstance(value, str) and _IS_A_PATH.search(value[:_LONGEST_URL]):
            return f"'{key[:40]}' says where to put what it gets"
        if _hands_on(key[: _LONGEST_KEY + 1]) and value and isinstance(value, str | list):
            return f"'{key[:40]}' hands on what it looks up"
    for key in () if _URL_KEYS.isdisjoint(args) else _URL_KEYS & args.keys():
        value = args[key]
        if isinstance(value, str) and len(value) <= _LONGEST_URL and _COMMAND_IN_URL.match(value):
            return "its address is an order"
    return None


@lru_cache(maxsize=4096)
def _tells_what_was(verb: str, key: str) -> bool:
    """True for an argument that tells what came of the look: ``quantity_counted`` of ``count_sku``; ``counted_after`` is a filter."""
    words = split_name(key[: _LONGEST_KEY + 1])
    forms = [form for form in participles(verb) if form != verb]
    return any(form in words for form in forms) and _FILTERING.isdisjoint(words)


def _gives_back(args: Mapping[str, Any], result: Step | None) -> str | None:
    """Say of a look that it only gives back what it was told, and shows nothing new: it may have set just that."""
    output = parse_output(result.output) if result is not None else None
    if isinstance(output, dict) and len(output) > 1 and all(key in args and args[key] == output[key] for key in output):
        return "it gives back what it was told"
    return None


@lru_cache(maxsize=4096)
def _hands_on(key: str) -> bool:
    """True for an argument by which what is looked up is handed on or kept: ``save_to``, ``share_with``."""
    return len(key) <= _LONGEST_KEY and _HANDED_ON.match("_".join(split_name(key))) is not None
