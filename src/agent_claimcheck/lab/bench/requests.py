"""Proof that a recorded judge was asked what we would ask: request hashes, rendered again and compared.

A reader must not miss: only prompts that ship with this package can be rendered again. A record of any other prompt is
counted as foreign; it is neither confirmed nor doubted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from agent_claimcheck.core.errors import InputError
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.lab.bench.records import JudgeRecord

# Renders the request of a record again and returns the SHA-256 of it.
Rerender = Callable[[JudgeRecord], str]

_MOST_MISMATCHES_SHOWN = 20


class RequestCheck(Struct, frozen=True, kw_only=True):
    """How many requests were rendered again with an equal hash, and how many belong to ``foreign_prompts``."""

    verified: int
    foreign: int
    foreign_prompts: list[str]


def check_requests(records: Sequence[JudgeRecord], shipped: Mapping[str, Rerender]) -> RequestCheck:
    """Compare every record of a shipped prompt with its request rendered again.

    ``shipped`` maps a prompt's SHA-256 to what renders it. Raises ``InputError`` with one line for each mismatch.
    """
    verified = foreign = 0
    prompts: dict[str, None] = {}
    mismatches: list[str] = []
    for record in records:
        rerender = shipped.get(record.prompt_sha256)
        if rerender is None:
            foreign += 1
            prompts[printable(f"{record.prompt_name} {record.prompt_sha256[:8]}".strip())] = None
        elif rerender(record) == record.request_sha256:
            verified += 1
        else:
            shown = printable(shorten(f"{record.detector} on {record.trace_id}", 120))
            mismatches.append(f"{shown}: the recorded request is not the one that {record.prompt_name} renders")
    if mismatches:
        hidden = len(mismatches) - _MOST_MISMATCHES_SHOWN
        lines = mismatches[:_MOST_MISMATCHES_SHOWN] + ([f"and {hidden} more"] if hidden > 0 else [])
        raise InputError("\n".join(lines), slug="request_hash")
    return RequestCheck(verified=verified, foreign=foreign, foreign_prompts=list(prompts))
