"""The words of a trace that the search looks through, and a search text as a question to the index.

A reader must not miss: labels and free metadata are not searched, or a search would tell what a label says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.text import storable
from agent_claimcheck.results.encoding import encode
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.trace.model import Trace
from agent_claimcheck.trace.view import label_free

_TRACE_LIMIT = 60_000
"""Characters of one trace that are indexed."""
_VALUE_LIMIT = 8_000
_MOST_WORDS = 12
"""Words of one search that count."""
_SHORTEST_BEGINNING = 2
"""Letters from which the last word of a search also finds words that begin with it."""

# Written without spaces, so each character is made a word of its own; a search for several finds them side by side.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af])"
)
_QUOTED = re.compile(r'"([^"]+)"|(\S+)')
_WORD = re.compile(r"[^\W_]")


def searchable(trace: Trace | None, result: CheckResult) -> str:
    """Return what is indexed for one trace."""
    left = _TRACE_LIMIT
    parts: list[str] = []
    for text in _texts(trace, result):
        piece = text[: min(left, _VALUE_LIMIT)]
        parts.append(piece)
        left -= len(piece)
        if left <= 0:
            break
    return _UNSPACED.sub(r" \1 ", storable(" ".join(parts)))


def match_expression(query: str) -> str | None:
    """Return ``query`` as an FTS5 expression: all words must occur, the last may be a beginning; ``None`` for no words.

    Text in double quotes is looked for as a phrase. No operator of the index's own language gets through.
    """
    terms: list[str] = []
    for phrase, word in _QUOTED.findall(query[:400]):
        text = (phrase or word).replace('"', " ").replace("\0", " ")
        spaced = " ".join(_UNSPACED.sub(r" \1 ", text).split())
        if _WORD.search(spaced):
            terms.append(f'"{spaced}"')
    if not terms:
        return None
    is_beginning = not query.rstrip().endswith('"') and len(terms[-1]) - 2 >= _SHORTEST_BEGINNING
    return " AND ".join(terms[:_MOST_WORDS]) + ("*" if is_beginning and len(terms) <= _MOST_WORDS else "")


def _texts(trace: Trace | None, result: CheckResult) -> Iterator[str]:
    yield result.trace_id
    for claim in result.claims[:50]:
        yield f"{claim.type} {claim.quote}"
    for finding in result.findings[:50]:
        yield f"{finding.id} {finding.reason}"
    if trace is None:
        return
    view = label_free(trace)
    yield view.task.instruction
    yield view.final_claim.text or ""
    if view.model:
        yield view.model
    for step in view.steps:
        if step.name:
            yield step.name
        if step.content:
            yield step.content
        for value in (step.args, step.output, step.error):
            if value:
                yield _as_text(value)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else encode(value).decode("utf-8")
