"""Where the expected value of a check comes from when the claim itself names none.

The order is: the claim's subject, the request (only when it leaves no choice), and for probes the arguments of the call
whose effect the probe reads back.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.packs.language import FieldCheck

_SUBJECT = re.compile(r"\{subject\.([^{}\s]+)\}")


def requested_value(check: FieldCheck, evidence: Evidence) -> Any:
    """Return what the user asked for where ``check`` compares a subject field with a typed normaliser, else ``None``."""
    if check.normaliser is None or not isinstance(check.expected, str) or not _SUBJECT.fullmatch(check.expected):
        return None
    asked = evidence.request
    if check.normaliser == "email":
        return asked.email
    if check.normaliser == "datetime":
        return asked.wall_time
    if check.normaliser == "number" and ("duration" in check.path or "minutes" in check.path):
        return asked.minutes
    return None


def written_value(check: FieldCheck, args: dict[str, Any] | None) -> Any:
    """Return the call argument that a probe check without a subject should agree with, else ``None``.

    The argument is the one named like the template's field or like the field the probe reads.
    """
    if not args or not isinstance(check.expected, str):
        return None
    match = _SUBJECT.fullmatch(check.expected)
    if match is None:
        return None
    for name in (match[1].rsplit(".", 1)[-1], check.segments[-1] if check.segments else ""):
        value = args.get(name)
        if value is not None and not isinstance(value, bool):
            return value
    return None
