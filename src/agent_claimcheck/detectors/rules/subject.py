"""Where the expected value of a check comes from besides the claim's own subject.

What the agent told the user is part of the claim: where its text names one value of the kind and the request names the
same, the record must agree with it, whatever the declared subject says. Where nothing was said, the request stands in.
For probes, the arguments of the call whose effect the probe reads back stand in too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.rules.operators import declared_value
from agent_claimcheck.detectors.rules.plans import AskedKind, CheckPlan
from agent_claimcheck.evidence.asked.request import PlainValues
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.trace.pairing import CallPair


def expected_from_words(plan: CheckPlan, subject: dict[str, Any], evidence: Evidence) -> Any:
    """Return the value that request and closing text expect where a check compares a subject field, else ``None``."""
    kind = plan.asked
    if kind is None:
        return None
    agreements: dict[AskedKind, _Agreement] = evidence.shared("agreements", dict)
    agreement = agreements.get(kind)
    if agreement is None:
        if kind == "minutes" and evidence.told.minutes is None and declared_value(plan, subject) is not None:
            return None  # nothing was told, which is usual, and the request stands in only where nothing is claimed
        agreement = agreements[kind] = _agree(kind, evidence)
    if agreement.agreed is not None:
        return agreement.agreed
    return agreement.untold if agreement.untold is not None and declared_value(plan, subject) is None else None


def named_values(kind: AskedKind, evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield where a value of this kind is named as the only one, and the value.

    Nothing is yielded where request and closing text name the same: that has been checked before a call proves anything.
    """
    if kind == "wall_time":
        asked, said = evidence.request.named_time, evidence.told.named_time
    else:
        asked, said = _value_for(kind, evidence.request), _value_for(kind, evidence.told)
    if asked == said:
        return
    if asked is not None:
        yield "the request", asked
    if said is not None:
        yield "the closing text", said


class _Agreement(Struct, frozen=True):
    """A value of the request: ``agreed`` when the closing text names it too, ``untold`` when that names none of its kind."""

    agreed: Any = None
    untold: Any = None


_NO_AGREEMENT = _Agreement()


def _agree(kind: AskedKind, evidence: Evidence) -> _Agreement:
    asked = _value_for(kind, evidence.request)
    if asked is None:
        return _NO_AGREEMENT
    said = _value_for(kind, evidence.told)
    if said == asked or (kind == "email" and _is_named(asked, said, evidence)):
        return _Agreement(asked)
    return _Agreement(None, asked) if said is None else _NO_AGREEMENT


def _is_named(email: str, said: str | None, evidence: Evidence) -> bool:
    """True when the closing text, besides the address ``said``, names the owner of ``email``: "Ada Lind" for ``ada.lind@…``."""
    words = [word for word in re.split(r"[._-]", email.partition("@")[0]) if len(word) > 1]
    text = evidence.closing_text.casefold()
    text = text.replace(said, " ") if said else text
    return len(words) > 1 and all(word in text for word in words)


def _value_for(kind: AskedKind, values: PlainValues) -> Any:
    if kind == "email":
        return values.email
    if kind == "wall_time":
        return values.wall_time
    return values.minutes if kind == "minutes" else values.path


def written_value(plan: CheckPlan, pair: CallPair) -> Any:
    """Return what a probe check without a subject should agree with: an argument of the call, else a field of its result.

    The field is the one named like the template's field or like the field the probe reads; ``None`` when there is none.
    """
    if plan.reference is None or not plan.refers_to_subject:
        return None
    names = (plan.reference.segments[-1], plan.check.segments[-1] if plan.check.segments else "")
    output = parse_output(pair.result.output) if pair.result is not None else None
    for source in (pair.call.args, output):
        for name in names:
            value = source.get(name) if isinstance(source, dict) else None
            if value is not None and not isinstance(value, bool):
                return value
    return None
