"""The agent wrote a call into its message instead of making it, and no such call was made.

What it catches: the message reads ``return_items(order_id="W7", item_ids=["55"])``; the run holds no such call; "the return has
been processed".
Why it matters: to the agent the call looks made, even answered; nothing ever reached the tool.
Example: a result is written behind it as well ("# result: success"), and the next message reports it.
Limits: for review, it accuses nobody. The name must be that of a tool the run has, with its arguments in the form of a call, or the
text must be the raw form in which models ask for calls. A call of that name with the written values silences it, and so do
runs in a shell, where code is what is talked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.contract import Finding, Power
from agent_claimcheck.evidence.findings.cited import on_call
from agent_claimcheck.evidence.values.payload import text_of

ID = "call_only_written"
POWER: Power = "review"

_CALL = late_pattern(
    r"(?<![\w.`])(?:functions\.)?(?P<name>[A-Za-z]\w{1,60}_\w{1,60})\((?P<args>\w{1,60} ?= ?['\"\[{\d][^\n]{0,2000})"
)
_RAW = late_pattern(
    r"\"?recipient_name['\"]? ?: ?['\"](?:functions\.)?(?P<name>\w{2,80})['\"](?P<args>[^\n]{0,2000})"
    r"|<(?:function|tool_call|invoke name)[=>\s\"]+(?P<other>\w{2,80})(?P<rest>[^\n]{0,2000})"
)
_ARGUMENT = re.compile(r"\(\w{1,60} ?= ?['\"\[{\d]")
_RAW_NAME = "recipient_name"
_OPENED = late_pattern("<(?:function|tool_call|invoke )")
"""One of these three stands in all that is looked for."""
_VALUE = late_pattern(r"['\"]([^'\"\n]{0,80})['\"]")
_MOST_READ = 20_000
_MOST_FOUND = 50


def find(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding: the first such text."""
    for message in evidence.messages:
        text = message.text[:_MOST_READ]
        if not ("(" in text and _ARGUMENT.search(text)) and not (
            _RAW_NAME in text or ("<" in text and _OPENED.search(text))
        ):
            continue
        names = evidence.tool_names | {tool.name for tool in evidence.view.tools or () if tool.name}
        for found in islice(chain(_RAW.finditer(text), _CALL.finditer(text)), _MOST_FOUND):
            groups = found.groupdict()
            name = groups["name"] or groups.get("other") or ""
            values = [value for value in _VALUE.findall(groups["args"] or groups.get("rest") or "") if value]
            if name not in names or _was_made(name, values, evidence):
                continue
            before = [pair for pair in evidence.calls if message.step is None or pair.call.i < message.step]
            pair = (before or list(evidence.calls))[-1]
            steps = (message.step,) if message.step is not None else (pair.last_step,)
            made = (
                "no such call was made"
                if name not in evidence.tool_names
                else "it was never called with what is written there"
            )
            yield on_call(
                ID, POWER, pair, evidence, reason=f"{name} stands in the message as text; {made}", steps=steps
            )
            return


def _was_made(name: str, values: list[str], evidence: Evidence) -> bool:
    """True when the run holds a call of that name that carries all the values in quotes."""
    made = [text_of(pair.call.args) for pair in evidence.calls if pair.call.name == name]
    return any(all(value in text for value in values) for text in made)
