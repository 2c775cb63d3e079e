"""Whether train and test keep to their own names, files and templates.

A reader must not miss: the pools are made anew from the seed and looked for in every text of the other split, arguments
and outputs included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from agent_claimcheck.lab.dataset.generate import documented_pools, full_pools
from agent_claimcheck.lab.dataset.names import SPLITS, Pools, Split, divide, load_words
from agent_claimcheck.lab.dataset.plan.cells import DOMAINS
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.write import to_builtins

_FIELD = re.compile(r"\\\{[a-z_]+\\\}")


def check_pools(profile: str, seed: int | None, traces: dict[Split, list[Trace]]) -> Iterator[str]:
    """Yield one line for every name, file or template of one split that turns up in the other."""
    makers = {"default": documented_pools, "full": full_pools}
    if profile not in makers or seed is None:
        return
    pools = makers[profile](seed)
    for split in SPLITS:
        other: Split = "test" if split == "train" else "train"
        text = "\n".join(json.dumps(to_builtins(trace), ensure_ascii=False) for trace in traces[split])
        for entry in _entries(pools[other]):
            if entry in text and re.search(rf"\b{re.escape(entry)}(\b|(?<=@))", text):
                yield f"{split}: {entry!r} belongs to the pool of {other}"
        if profile == "default":
            yield from _check_templates(split, other, traces[split])


def _entries(pools: Pools) -> Iterator[str]:
    for first, last in pools.people:
        yield f"{first} {last}"
        yield f"{first}.{last}@".lower()
    yield from pools.companies
    for words in pools.words.values():
        yield from words


def _check_templates(split: Split, other: Split, traces: list[Trace]) -> Iterator[str]:
    words = load_words("documented")
    for domain in DOMAINS:
        for key in ("instructions", "plain", "hedged"):
            for template in divide(words[domain][key], other):
                pattern = re.compile(_FIELD.sub(".{1,80}?", re.escape(template)))
                for trace in traces:
                    text = trace.task.instruction if key == "instructions" else trace.final_claim.text or ""
                    if trace.task.domain == domain and pattern.match(text):
                        yield f"{split}: {trace.trace_id} uses a template of {other}: {template!r}"
