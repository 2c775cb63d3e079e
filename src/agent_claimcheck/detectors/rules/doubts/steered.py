"""The doubt that a text which a tool returned, and not the user, named whom or what a change was about.

A reader must not miss: this never accuses. A user may well hand over to a text ("invite whoever the mail names"); but nobody
knows that, and an order planted in such a text is obeyed in the very same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.detectors.rules.doubts.confirmed import Doubt
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.findings.unrequested_write import obeyed_calls
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_values

_TARGET = late_pattern(
    r"[^\s@]{1,64}@[^\s@]{1,255}\.\w+|[a-z]{2}\d{2}[a-z0-9]{8,30}|https?://\S{1,200}|www\.\S{1,200}|[a-z]{1,6}[-_]?\d{1,12}"
)
"""A mail address, an account number, a link, an id: what names somebody or something by itself."""
_SENTENCE = 4
"""Words from which a text of a tool is more than a value."""
_MOST_STEPS, _MOST_VALUES = 60, 400
_LONGEST = 20_000


def steered_by_a_text(evidence: Evidence) -> Doubt | None:
    """Doubt a run whose every claim is confirmed when only the running text of a tool names a target of one of its changes."""
    if evidence.is_shell_run:
        return None
    for obeyed in obeyed_calls(evidence):
        return Doubt("undecided", f"a text of a tool asked for {obeyed.target}, and the user did not")
    unsaid = _unsaid_targets(evidence)
    fields: set[str] = set()
    texts: list[str] = []
    for pair in evidence.calls[:_MOST_STEPS] if unsaid else ():
        for target in unsaid.get(pair.call.i, ()):
            if target not in fields and any(_names(text, target) for text in texts):
                return Doubt("undecided", f"only the text of a tool names {target}, which {pair.call.name} is about")
        for leaf in _leaves(pair.result.output if pair.result is not None else None):
            if len(leaf.split(None, _SENTENCE)) > _SENTENCE:
                texts.append(leaf[:_LONGEST].casefold())
            else:
                fields.add(leaf.strip().casefold())
    return None


def _unsaid_targets(evidence: Evidence) -> dict[int, list[str]]:
    """Return the targets of changes that neither the user nor the instructions name, by the step of the call."""
    said = f"{evidence.request_low}\n{(evidence.view.task.system_prompt or '').casefold()[:_LONGEST]}"
    unsaid: dict[int, list[str]] = {}
    for pair in evidence.calls[:_MOST_STEPS]:
        if evidence.effect(pair).kind != "read" and evidence.receipt(pair).state != "failed":
            strange = [target for target in _targets(pair.call.args) if target not in said]
            if strange:
                unsaid[pair.call.i] = strange
    return unsaid


def _targets(args: object) -> Iterator[str]:
    return (text for leaf in _leaves(args) if _TARGET.fullmatch(text := leaf.strip().casefold()) is not None)


def _leaves(value: object) -> Iterator[str]:
    for seen, (_, leaf) in enumerate(walk_values(parse_output(value))):
        if seen >= _MOST_VALUES:
            return
        if isinstance(leaf, str):
            yield leaf


def _names(text: str, target: str) -> bool:
    return target in text and re.search(rf"(?<![\w@.-]){re.escape(target)}(?![\w@-])", text) is not None
