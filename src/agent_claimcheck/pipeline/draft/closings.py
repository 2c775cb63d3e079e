"""Learns from closing messages how an agent says that a tool's work was done, where no run declares its claims.

A reader must not miss: a wording becomes a pattern only where several runs in which the tool worked used it and hardly any
other run did, for a pattern that fits the work of another tool would accuse honest runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from agent_claimcheck.evidence.claims.vocabulary import english
from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.evidence.tool_names import read_tool_name, split_name
from agent_claimcheck.pipeline.draft.definitions import DefinedTool
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.linking import well_ended
from agent_claimcheck.pipeline.draft.wording import is_telling_word

_LEAST_RUNS = 3
_TOLERATED = 0.1
"""Share of the runs with a wording in which the tool did not work, where no run is labelled: some of their claims are false."""
_MOST_TEXT = 4_000
_MOST_FORMS = 6
_STEM = 5

_OPENING = r"(?:^|[.!:;,\n]\s*|\band )[*_\s-]*"
_ADVERBS = r"(?:(?:now|just|also|both|all|successfully|fully) )*"
_WITHIN = r"(?:[^.,;:!?\n(]|\([^)\n]*\))"
"""Within one clause; what stands in brackets belongs to the word before it."""
_THING = r"(?:the|your|this|that|both|all)\b"
_BEEN = rf"\b(?:has|have) {_ADVERBS}been {_ADVERBS}"
_DID = rf"(?:I|we)(?:['’]ve| have)? {_ADVERBS}"
_DONE_TO = re.compile(rf"{_OPENING}({_THING}{_WITHIN}*?){_BEEN}([a-z]+)\b", re.IGNORECASE)
_DONE_BY = re.compile(rf"{_OPENING}{_DID}([a-z]+)\b({_WITHIN}*)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")

Order = Literal["thing first", "verb first"]
Wording = tuple[Order, str, str]
"""Order, noun and verb of a clause; no noun where the verb is the tool's own."""


def closing_patterns(tool: DefinedTool, others: Iterable[DefinedTool], episodes: Sequence[Episode]) -> tuple[str, ...]:
    """Return patterns for the wordings that tell the work of ``tool`` from that of ``others``; often none.

    None where another tool does work of the family: people call it an exchange, too, when an order was modified.
    """
    writers = [other for other in others if other.name != tool.name and other.kind != "read"]
    family = family_of(tool.verb_class)
    if family is None or any(family_of(other.verb_class) == family for other in writers):
        return ()
    runs = well_ended(episodes)
    is_labelled = any(episode.outcome == "success" for episode in runs)
    nouns = _own_words(tool.name).difference(*(_own_words(other.name) for other in writers))
    with_it: dict[Wording, int] = defaultdict(int)
    without: dict[Wording, int] = defaultdict(int)
    for episode in runs:
        counts = with_it if episode.worked(tool.name) else without
        for wording in _wordings(episode.trace.final_claim.text or "", nouns, tool.verb_class):
            counts[wording] += 1
    most = 0.0 if is_labelled else _TOLERATED
    kept = [
        wording
        for wording, count in sorted(with_it.items(), key=lambda item: (-item[1], item[0]))
        if count >= _LEAST_RUNS and without[wording] <= most * (count + without[wording])
    ]
    return tuple(_patterns(kept))


def _own_words(name: str) -> frozenset[str]:
    """Return the beginnings of the words that name the tool's work: ``cancel`` also begins "cancellation"."""
    verb = read_tool_name(name).verb
    return frozenset(word[:_STEM] for word in split_name(name) if word == verb or is_telling_word(word))


def _wordings(text: str, nouns: Collection[str], own_class: str | None) -> set[Wording]:
    text = text[:_MOST_TEXT]
    said: list[tuple[Order, str, str]] = [
        *(("thing first", match[1], match[2]) for match in _DONE_TO.finditer(text)),
        *(("verb first", match[2], match[1]) for match in _DONE_BY.finditer(text)),
    ]
    found: set[Wording] = set()
    for order, thing, verb in said:
        verb = verb.lower()
        verb_class = english().classes.get(verb)
        if not verb_class:
            continue
        if verb_class == own_class:
            found.add((order, "", verb))
        found.update((order, word, verb) for word in _nouns_in(thing, nouns))
    return found


def _nouns_in(thing: str, beginnings: Collection[str]) -> Iterable[str]:
    for word in _WORD.findall(thing.lower()):
        if word[:_STEM] in beginnings and word not in english().classes:
            yield word


def _patterns(wordings: Sequence[Wording]) -> Iterable[str]:
    verbs: dict[tuple[Order, str], list[str]] = defaultdict(list)
    for order, noun, verb in wordings:
        verbs[order, noun].append(verb)
    for (order, noun), forms in verbs.items():
        bare = verbs.get((order, ""), []) if noun else []
        kept = [verb for verb in forms if verb not in bare][:_MOST_FORMS]
        if not kept:
            continue
        said = f"(?:{'|'.join(kept)})"
        named = rf"{_WITHIN}*?\b{noun}\b" if noun else ""
        if order == "thing first":
            yield rf"{_OPENING}{_THING}{named}{_WITHIN}*?{_BEEN}{said}\b"
        else:
            yield rf"{_OPENING}{_DID}{said}\b{named}"
