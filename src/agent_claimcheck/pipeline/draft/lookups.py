"""Finds tools that only look things up although their names do not say so, from how runs use them.

A reader must not miss: a tool taken for a read can no longer have done what was claimed, so a wrong guess could accuse. A
tool is proposed only if it came before the writes, gave back what it was not given, minted no id and reported no success.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.fields import fields_of, is_id, is_status
from agent_claimcheck.pipeline.draft.linking import well_ended
from agent_claimcheck.trace.pairing import CallPair

_LEAST_RUNS = 3
_LOOKED_AT = 500
_BEFORE = 0.95
_REPORTS = frozenset(
    {"ok", "success", "succeeded", "result", "message", "created", "updated", "deleted", "sent", "done"}
)


def find_lookups(episodes: Sequence[Episode], actions: Collection[str]) -> list[tuple[str, str]]:
    """Return (tool, remark) for the tools of unknown effect, besides ``actions``, that behave like reads."""
    runs: dict[str, list[bool]] = defaultdict(list)
    is_other: set[str] = set()
    for episode in well_ended(episodes)[:_LOOKED_AT]:
        first_write = min((pair.call.i for pair in episode.evidence.calls if pair.call.name in actions), default=None)
        by_tool: dict[str, list[CallPair]] = defaultdict(list)
        for pair in episode.evidence.calls:
            if pair.call.name and pair.call.name not in actions:
                by_tool[pair.call.name].append(pair)
        for tool, pairs in by_tool.items():
            if any(not _looks_up(episode, pair) for pair in pairs):
                is_other.add(tool)
            elif first_write is not None:
                runs[tool].append(all(pair.call.i < first_write for pair in pairs))
    found = []
    for tool, before in sorted(runs.items()):
        if tool not in is_other and len(before) >= _LEAST_RUNS and sum(before) >= _BEFORE * len(before):
            remark = f"{tool} came before the writes in {sum(before)} of {len(before)} runs and made nothing"
            found.append((tool, remark))
    return found


def _looks_up(episode: Episode, pair: CallPair) -> bool:
    """True when one call may well be a read: its effect is unknown and its result tells something and makes nothing."""
    effect = episode.evidence.effect(pair)
    if effect.kind != "unknown" or effect.is_shell or effect.verb_class is not None:
        return False
    if pair.result is None or episode.evidence.receipt(pair).state == "failed":
        return True
    output = parse_output(pair.result.output)
    if isinstance(output, list):
        return True
    if not isinstance(output, dict):
        return False
    given = {str(value).casefold() for value in fields_of(pair.call.args).values()}
    fields = fields_of(output)
    if any(_is_report(path, value) for path, value in fields.items()):
        return False
    minted = [path for path, value in fields.items() if is_id(path) and str(value).casefold() not in given]
    told = [value for value in fields.values() if value not in (None, "") and str(value).casefold() not in given]
    return bool(told) and not minted


def _is_report(path: str, value: Any) -> bool:
    """True for a field that says what the call did: a flag, a status, a count of changes."""
    name = path.rsplit(".", 1)[-1].lower()
    return isinstance(value, bool) or is_status(path) or name in _REPORTS or name.startswith(("updated_", "created_"))
