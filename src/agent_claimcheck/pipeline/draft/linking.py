"""Which tool does what a declared claim type says: told from names, from values, and from which runs went well.

A reader must not miss: names may say nothing (``op_17``), so each hint is only a part of the score, and two claim types get
two tools where they can.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agent_claimcheck.detectors.rules.passing_tests import is_test_claim
from agent_claimcheck.evidence.coverage import class_covers
from agent_claimcheck.evidence.effects import Effect
from agent_claimcheck.evidence.values.comparison import compare
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.fields import fields_of

_LEAST_SUPPORT = 0.5
"""A tool that worked in fewer of the runs that claim this is not what the claim is about."""
_LOOKED_AT = 200
_MOST_TOOLS = 100
_STEM = 5


class Link(Struct, frozen=True, kw_only=True):
    """A claim type and the tool that does it. ``support`` of ``of`` runs that claim it called the tool and it worked."""

    claim_type: str
    tool: str
    support: int
    of: int


def link_claims(episodes: Sequence[Episode]) -> list[Link]:
    """Return the tool of each declared claim type, in the order in which the types first appear."""
    by_type: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        for claim_type in dict.fromkeys(claim.type for claim in episode.declared):
            by_type[claim_type].append(episode)
    scores: dict[str, dict[str, float]] = {}
    for claim_type, claiming in by_type.items():
        scores[claim_type] = _scores(claim_type, claiming)
    chosen = _assign(scores)
    links = []
    for claim_type, tool in chosen.items():
        good = well_ended(by_type[claim_type])
        support = sum(bool(episode.worked(tool)) for episode in good)
        links.append(Link(claim_type=claim_type, tool=tool, support=support, of=len(good)))
    return links


def well_ended(episodes: Sequence[Episode]) -> list[Episode]:
    """Return the runs labelled a success; where none is labelled so, those not labelled a failure."""
    labelled = [episode for episode in episodes if episode.outcome == "success"]
    return labelled or [episode for episode in episodes if episode.outcome != "failure"]


def _scores(claim_type: str, claiming: Sequence[Episode]) -> dict[str, float]:
    good = well_ended(claiming)[:_LOOKED_AT]
    bad = [episode for episode in claiming if episode.outcome == "failure"][:_LOOKED_AT]
    called = Counter(name for episode in good for name in sorted(episode.evidence.tool_names))
    scores: dict[str, float] = {}
    for tool, runs in called.most_common(_MOST_TOOLS):
        if runs < _LEAST_SUPPORT * len(good):
            break
        support = _share(good, tool)
        if support < _LEAST_SUPPORT:
            continue
        lift = support - _share(bad, tool) if bad else 0.0
        scores[tool] = (
            2.0 * support
            + 1.5 * lift
            + 1.5 * _carries_subject(claim_type, good, tool)
            + _says_so(claim_type, good, tool)
            - 0.5 * abs(_place_of_claim(claim_type, good) - _place_of_tool(good, tool))
        )
    return scores


def _share(episodes: Sequence[Episode], tool: str) -> float:
    return sum(bool(episode.worked(tool)) for episode in episodes) / len(episodes) if episodes else 0.0


def _carries_subject(claim_type: str, episodes: Sequence[Episode], tool: str) -> float:
    """Return the mean share of claimed values that stand in the calls; those that only came back count half."""
    shares = []
    for episode in episodes[:40]:
        claim = next(claim for claim in episode.declared if claim.type == claim_type)
        pairs = episode.worked(tool)
        values = [value for value in claim.subject.values() if value not in (None, "", {}, [])]
        if not pairs or not values:
            continue
        args, output = fields_of(pairs[-1].call.args), fields_of(pairs[-1].result.output if pairs[-1].result else None)
        found = sum(1.0 if _holds(args, value) else 0.5 if _holds(output, value) else 0.0 for value in values)
        shares.append(found / len(values))
    return sum(shares) / len(shares) if shares else 0.0


def _holds(fields: dict[str, Any], wanted: Any) -> bool:
    for value in fields.values():
        if isinstance(value, list):
            if any(compare(wanted, entry) == "equal" for entry in value[:20] if not isinstance(entry, dict | list)):
                return True
        elif compare(wanted, value) == "equal" or _is_part(wanted, value):
            return True
    return False


def _is_part(wanted: Any, value: Any) -> bool:
    return isinstance(wanted, str) and len(wanted) > 3 and isinstance(value, str) and wanted in value


def _says_so(claim_type: str, episodes: Sequence[Episode], tool: str) -> float:
    """Return how far the tool's name and kind fit the claim type, about -2 to 2.5."""
    effects = [
        (episode.evidence.effect(pair), episode.evidence.receipt(pair))
        for episode in episodes[:20]
        for pair in episode.worked(tool)[-1:]
    ]
    if not effects:
        return 0.0
    effect, _ = effects[0]
    words = claim_type.lower().split("_")
    covered = [class_covers(word, effect) for word in (claim_type, words[-1], words[0])]
    score = 1.0 if True in covered else -0.5 if covered[0] is False and covered[1] is False else 0.0
    score += 0.5 if _shares_word(words, effect) else 0.0
    score += {"write": 0.5, "unknown": 0.0, "read": -1.0}[effect.kind]
    if is_test_claim(claim_type):
        score += 1.0 if any(receipt.tests is not None for _, receipt in effects) else -1.0
    return score


def _shares_word(words: Sequence[str], effect: Effect) -> bool:
    stems = {word[:_STEM] for word in words if len(word) > 2}
    return any(word[:_STEM] in stems for word in effect.words if len(word) > 2)


def _place_of_claim(claim_type: str, episodes: Sequence[Episode]) -> float:
    places = []
    for episode in episodes[:40]:
        types = [claim.type for claim in episode.declared]
        places.append(types.index(claim_type) / max(len(types) - 1, 1))
    return sum(places) / len(places) if places else 0.0


def _place_of_tool(episodes: Sequence[Episode], tool: str) -> float:
    """Return where the last call of ``tool`` stands among the last calls of all tools, 0 first to 1 last."""
    places = []
    for episode in episodes[:40]:
        last = {pair.call.name: pair.call.i for pair in episode.evidence.calls}
        order = sorted(last, key=lambda name: last[name])
        if tool in order:
            places.append(order.index(tool) / max(len(order) - 1, 1))
    return sum(places) / len(places) if places else 0.0


def _assign(scores: dict[str, dict[str, float]]) -> dict[str, str]:
    """Give each claim type a tool, two types the same one only when nothing else is left; then swap while it helps."""
    chosen: dict[str, str] = {}
    pairs = sorted(
        ((score, claim_type, tool) for claim_type, table in scores.items() for tool, score in table.items()),
        key=lambda row: (-row[0], row[1], row[2]),
    )
    for _, claim_type, tool in pairs:
        if claim_type not in chosen and tool not in chosen.values():
            chosen[claim_type] = tool
    for claim_type, table in scores.items():
        if claim_type not in chosen and table:
            chosen[claim_type] = max(sorted(table), key=lambda tool: table[tool])
    names = list(chosen)
    for _ in range(20):
        has_swapped = False
        for place, one in enumerate(names):
            for two in names[place + 1 :]:
                now = scores[one][chosen[one]] + scores[two][chosen[two]]
                swapped = scores[one].get(chosen[two], -9.0) + scores[two].get(chosen[one], -9.0)
                if swapped > now + 1e-9:
                    chosen[one], chosen[two] = chosen[two], chosen[one]
                    has_swapped = True
        if not has_swapped:
            break
    return {claim_type: chosen[claim_type] for claim_type in scores if claim_type in chosen}
