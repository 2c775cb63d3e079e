"""Where the expected value of a check comes from besides the claim's own subject.

What the agent told the user is part of the claim: where its text names one value of the kind and the request names the
same, the record must agree with it, whatever the declared subject says. Where nothing was said, the request stands in.
For probes, the arguments of the call whose effect the probe reads back stand in too.
"""

from __future__ import annotations

import re
from typing import Any

from agent_claimcheck.detectors.rules.templates import reference_of
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.payload import ABSENT, field_at
from agent_claimcheck.evidence.request import PlainValues
from agent_claimcheck.evidence.result_json import parse_output
from agent_claimcheck.packs.language import FieldCheck
from agent_claimcheck.trace.pairing import CallPair


def expected_from_words(check: FieldCheck, subject: dict[str, Any], evidence: Evidence) -> Any:
    """Return the value that request and closing text expect where ``check`` compares a subject field, else ``None``."""
    if not isinstance(check.expected, str):
        return None
    template = reference_of(check.expected)
    if template is None or template.root != "subject":
        return None
    asked = _value_for(check, evidence.request)
    if asked is None:
        return None
    said = _value_for(check, evidence.told)
    if check.normaliser == "email" and _is_named(asked, evidence):
        said = asked
    declared = field_at(subject, template.segments)
    if declared is ABSENT or declared is None:
        return asked if said is None or said == asked else None
    return asked if said == asked else None


def _is_named(email: str, evidence: Evidence) -> bool:
    """True when the closing text names the owner of ``email``: "Ada Lind" for ``ada.lind@…``."""
    words = [word for word in re.split(r"[._-]", email.partition("@")[0]) if len(word) > 1]
    text = (evidence.view.final_claim.text or "").casefold()
    return len(words) > 1 and all(word in text for word in words)


def _value_for(check: FieldCheck, values: PlainValues) -> Any:
    match check.normaliser:
        case "email":
            return values.email
        case "datetime":
            return values.wall_time
        case "number":
            return values.minutes if "duration" in check.path or "minutes" in check.path else None
        case None:
            return values.path if check.segments and check.segments[-1] in ("path", "file", "filename") else None
    return None


def written_value(check: FieldCheck, pair: CallPair) -> Any:
    """Return what a probe check without a subject should agree with: an argument of the call, else a field of its result.

    The field is the one named like the template's field or like the field the probe reads; ``None`` when there is none.
    """
    if not isinstance(check.expected, str):
        return None
    template = reference_of(check.expected)
    if template is None or template.root != "subject":
        return None
    output = parse_output(pair.result.output) if pair.result is not None else None
    for source in (pair.call.args, output):
        for name in (template.segments[-1], check.segments[-1] if check.segments else ""):
            value = source.get(name) if isinstance(source, dict) else None
            if value is not None and not isinstance(value, bool):
                return value
    return None
