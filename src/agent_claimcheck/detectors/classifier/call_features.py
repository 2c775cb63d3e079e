"""Features of the calls: what failed, what was recovered, what was changed twice, what was read back.

A reader must not miss: every value lies in [0, 1] or is the logarithm of a small count, and no message is counted, so
padding a run with talk moves nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from agent_claimcheck.detectors.classifier.feature import Feature, Wanted
from agent_claimcheck.evidence.asked.untrusted import directives
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.disclosure import discloses_trouble
from agent_claimcheck.evidence.receipts.reading import Receipt
from agent_claimcheck.evidence.targets import same_target
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.pairing import CallPair

_MOST_COMPARED = 40
"""Writes compared with each other. A run with more is compared over its last ones, which decide how it ended."""
_MOST_CALLS = 60
_KEY_CHARS = 500

CALL_FEATURES: tuple[Feature, ...] = (
    Feature("log_calls", "number of calls (logarithm, at most 60)"),
    Feature("log_reads", "number of lookups (logarithm, at most 60)"),
    Feature("log_tools", "number of different tools (logarithm)"),
    Feature("call_variety", "different tools per call"),
    Feature("failed_calls", "share of calls that failed"),
    Feature("log_failed_calls", "number of calls that failed (logarithm)"),
    Feature("unknown_calls", "share of calls whose result says neither success nor failure", -1),
    Feature("empty_reads", "share of lookups that failed or found nothing", -1),
    Feature("last_call_failed", "the last call failed", -1),
    Feature("last_read_empty", "the last lookup failed or found nothing", -1),
    Feature("reads_before_write", "share of lookups made before the first change"),
    Feature("repeated_calls", "share of calls that repeat an earlier one"),
    Feature("log_writes", "number of changes (logarithm, at most 30)"),
    Feature("unclear_writes", "share of calls whose effect is unknown"),
    Feature("no_write", "nothing was changed", -1),
    Feature("write_failed_for_good", "a change failed and no later one made it good", -1),
    Feature("failed_then_done", "a change failed first and was made good"),
    Feature("last_write_failed", "the last change failed", -1),
    Feature("write_pending", "a change was accepted and not confirmed", -1),
    Feature("writes_ok", "share of changes whose receipt says they worked", 1),
    Feature("same_record_again", "share of changes to a record that was changed before"),
    Feature("read_back", "a lookup after the last change worked", 1),
    Feature("discloses_trouble", "the agent speaks of trouble after its last change", -1),
    Feature("directive_seen", "a tool returned a text that gives the agent orders"),
)


def call_features(evidence: Evidence, receipts: Sequence[Receipt], wanted: Wanted) -> tuple[float, ...]:
    """Return the values of ``CALL_FEATURES``; ``receipts`` are those of the calls, in order."""
    calls = evidence.calls
    writes = evidence.writes
    sure = [write for write in writes if write.effect.kind == "write"]
    first_write = sure[0].pair.call.i if sure else math.inf
    names = [pair.call.name for pair in calls]
    states = [receipt.state for receipt in receipts]
    reads = bad_reads = early_reads = 0
    is_last_bad = False
    for pair, state in zip(calls, states, strict=True):
        if evidence.effect(pair).kind == "read":
            is_last_bad = state == "empty" or state == "failed"
            reads += 1
            bad_reads += is_last_bad
            early_reads += pair.call.i < first_write
    n = len(calls) or 1
    failed = states.count("failed")
    tools = len(set(names))
    return (
        math.log1p(min(len(calls), _MOST_CALLS)),
        math.log1p(min(reads, _MOST_CALLS)),
        math.log1p(min(tools, 30)),
        tools / n,
        failed / n,
        math.log1p(min(failed, 20)),
        states.count("unknown") / n,
        bad_reads / reads if reads else 0.0,
        float(bool(states) and states[-1] == "failed"),
        float(is_last_bad),
        early_reads / reads if reads else 0.0,
        _repeated(calls, names) if tools < len(calls) and "repeated_calls" in wanted else 0.0,
        *_write_features(evidence, writes, sure, n, wanted),
        float(_is_ordered_about(evidence)),
    )


def _is_ordered_about(evidence: Evidence) -> bool:
    found = directives(evidence)
    return bool(found) and any(directive.is_sure for directive in found)


def _write_features(
    evidence: Evidence, writes: Sequence[Write], sure: Sequence[Write], n_calls: int, wanted: Wanted
) -> tuple[float, ...]:
    last = sure[-1] if sure else None
    lost, made_good = _recovery(writes)
    states = [write.receipt.state for write in sure]
    return (
        math.log1p(min(len(sure), 30)),
        (len(writes) - len(sure)) / n_calls,
        float(not writes),
        float(lost),
        float(made_good),
        float(bool(states) and states[-1] == "failed"),
        float("pending" in states),
        sum([write.is_ok for write in sure]) / len(sure) if sure else 0.0,
        _same_record_again(sure) if "same_record_again" in wanted else 0.0,
        _read_back(last, evidence),
        float(discloses_trouble(evidence, last.step if last is not None else -1)),
    )


def _recovery(writes: Sequence[Write]) -> tuple[bool, bool]:
    """Say whether a failed write was never made good, and whether one was, by a later write of its kind or record."""
    lost = made_good = False
    recent = writes[-_MOST_COMPARED:]
    for place, write in enumerate(recent):
        if write.receipt.state == "failed":
            if any(_could_replace(write, other) for other in recent[place + 1 :]):
                made_good = True
            else:
                lost = True
    return lost, made_good


def _could_replace(failed: Write, other: Write) -> bool:
    if other.receipt.state == "failed":
        return False
    if other.pair.call.name == failed.pair.call.name:
        return True
    return same_target(failed.effect.target, other.effect.target) is True


def _same_record_again(sure: Sequence[Write]) -> float:
    done = [write for write in sure[-_MOST_COMPARED:] if not write.is_failed]
    if len(done) < 2:
        return 0.0
    seen: set[tuple[str, str]] = set()
    again = 0
    for write in done:
        again += not seen.isdisjoint(write.effect.target)
        seen.update(write.effect.target)
    return again / len(done)


def _repeated(calls: Sequence[CallPair], names: Sequence[str | None]) -> float:
    used = Counter(names)
    # Only calls of one name can repeat each other; printing the arguments of all others would tell nothing.
    alone = sum([count == 1 for count in used.values()])
    again = {
        (name, repr(pair.call.args)[:_KEY_CHARS]) for pair, name in zip(calls, names, strict=True) if used[name] > 1
    }
    return 1.0 - (alone + len(again)) / len(calls)


def _read_back(last: Write | None, evidence: Evidence) -> float:
    if last is None:
        return 0.0
    for pair in reversed(evidence.calls):
        if pair.call.i <= last.pair.call.i:
            return 0.0
        if evidence.effect(pair).kind == "read" and evidence.receipt(pair).state in ("ok", "unknown"):
            return 1.0
    return 0.0
