"""The tools that runs call, as definitions: what they took, what they gave back, and whether they changed anything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from agent_claimcheck.evidence.tool_names import EffectKind
from agent_claimcheck.pipeline.draft.definitions import DefinedTool
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.fields import fields_of

_LOOKED_AT = 30
_MOST_TOOLS = 500


def tools_in_use(episodes: Sequence[Episode]) -> list[DefinedTool]:
    """Return every called tool once, in order of first use. Shells and editors are left out: commands are no records."""
    params: dict[str, dict[str, str]] = defaultdict(dict)
    results: dict[str, dict[str, str]] = defaultdict(dict)
    kinds: dict[str, Counter[EffectKind]] = defaultdict(Counter)
    classes: dict[str, Counter[str | None]] = defaultdict(Counter)
    seen: Counter[str] = Counter()
    for episode in episodes:
        for pair in episode.evidence.calls:
            name = pair.call.name
            if not name or (name not in seen and len(seen) >= _MOST_TOOLS):
                continue
            seen[name] += 1
            effect = episode.evidence.effect(pair)
            if effect.is_shell or effect.is_file_change or seen[name] > _LOOKED_AT:
                continue
            kinds[name][effect.kind] += 1
            classes[name][effect.verb_class] += 1
            params[name] |= _types(pair.call.args)
            if pair.result is not None and episode.evidence.receipt(pair).state in ("ok", "pending"):
                results[name] |= _types(pair.result.output)
    return [
        DefinedTool(
            name=name,
            params=params[name],
            results=results[name],
            kind=kinds[name].most_common(1)[0][0] if kinds[name] else "unknown",
            verb_class=classes[name].most_common(1)[0][0] if classes[name] else None,
        )
        for name in seen
    ]


def _types(value: Any) -> dict[str, str]:
    return {path: _type_of(item) for path, item in fields_of(value).items()}


def _type_of(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
    return "any"
