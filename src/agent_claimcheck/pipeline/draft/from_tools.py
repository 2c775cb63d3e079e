"""Proposes rules from tool definitions alone: one for each tool that writes, with the read tool that would show it.

A reader must not miss: a definition says what may come back, seldom what does. Where the result is not described, the
receipt asks for nothing and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from agent_claimcheck.evidence.coverage import family_of
from agent_claimcheck.packs.language import Normaliser
from agent_claimcheck.pipeline.draft.definitions import DefinedTool
from agent_claimcheck.pipeline.draft.fields import is_free_text, is_id, is_status, words_of
from agent_claimcheck.pipeline.draft.model import DraftCheck, DraftRule
from agent_claimcheck.pipeline.draft.wording import (
    claim_type_of,
    is_told_by_verb,
    nouns_of,
    patterns_of,
    telling_nouns,
)

NO_PATTERN = "no claim pattern: its name does not tell its work from that of the other tools"
_MOST_CHECKS = 4
_STATES = {
    "cancelled": ("cancelled", "canceled"),
    "refunded": ("refunded",),
    "paid": ("paid",),
    "shipped": ("shipped", "in_transit", "delivered"),
    "approved": ("approved",),
    "closed": ("closed",),
}
_TIME_WORDS = frozenset(
    {"at", "date", "datetime", "day", "time", "start", "starts", "end", "ends", "until", "when", "due"}
)
_SCALARS = frozenset({"string", "integer", "number", "boolean", "any"})


def rules_from_tools(tools: Sequence[DefinedTool], known_actions: Iterable[str]) -> tuple[list[DraftRule], list[str]]:
    """Return a rule for each writing tool that is not among ``known_actions``, and what was left out and why."""
    known = set(known_actions)
    reads = [tool for tool in tools if tool.kind == "read"]
    rules: list[DraftRule] = []
    skipped: list[str] = []
    for tool in tools:
        if tool.name in known or tool.kind == "read":
            continue
        if tool.kind == "unknown" or tool.verb_class is None:
            skipped.append(f"{tool.name}: its name and description do not say whether it changes anything")
        elif family_of(tool.verb_class) == "remove" and tool.verb_class != "cancelled":
            skipped.append(f"{tool.name}: it removes; a probe that finds nothing would speak against an honest run")
        else:
            telling = telling_nouns(tool, tools)
            is_told = bool(telling) or is_told_by_verb(tool, tools)
            rules.append(_rule(tool, reads, patterns_of(tool.verb_class, telling) if is_told else ()))
    return _distinct(rules), skipped


def _rule(tool: DefinedTool, reads: Sequence[DefinedTool], patterns: tuple[str, ...]) -> DraftRule:
    assert tool.verb_class is not None
    nouns = nouns_of(tool.name, tool.params)
    reader = _best_reader(tool, nouns, reads)
    remarks = [f"{tool.name} writes ({tool.reading.reason})"]
    if not patterns:
        remarks.append(NO_PATTERN)
    id_path = next((path for path in tool.results if is_id(path) and path not in tool.params), "")
    receipt: list[DraftCheck] = []
    if id_path:
        receipt.append(DraftCheck(path=id_path, op="exists", expected=True, remark="the result names the record"))
    record = next((path for path in (reader.params if reader is not None else ()) if is_id(path)), "") or id_path
    record = record or next((path for path in tool.params if is_id(path) and set(words_of(path)) & set(nouns)), "")
    receipt += [
        DraftCheck(
            path=path,
            op="equals",
            expected=f"{{args.{path}}}",
            normaliser=_normaliser(path, kind),
            remark="result and argument of the same name",
        )
        for path, kind in tool.results.items()
        if path in tool.params and kind in _SCALARS and not is_free_text(path)
    ][: _MOST_CHECKS - len(receipt)]
    if not receipt:
        remarks.append("the definition does not describe the result: add the field that names the record, such as")
        remarks.append(f"  {record or 'record_id'}: {{ exists: true }}")
    probe = reader.name if reader is not None else f"read_{nouns[-1] if nouns else 'record'}"
    if reader is None:
        remarks.append(f"no tool reads this back: write a probe of your own named {probe}")
    else:
        remarks.append(f"{reader.name} would show it")
    return DraftRule(
        # A bare verb would take over every claim the finder makes of it, whatever it was about.
        claim_type=claim_type_of(tool.verb_class, nouns or ("record",)),
        action=tool.name,
        receipt=tuple(receipt),
        probe=probe,
        probe_checks=tuple(_probe_checks(tool, reader)),
        patterns=patterns,
        remarks=tuple(remarks),
        record_from=f"call.{'args' if record in tool.params else 'output'}.{record}" if record else "",
    )


def _best_reader(tool: DefinedTool, nouns: Sequence[str], reads: Sequence[DefinedTool]) -> DefinedTool | None:
    """Return the read tool that shows what ``tool`` wrote: same noun, and an id among its arguments."""
    ranked: list[tuple[int, str, DefinedTool]] = []
    for read in reads:
        shared = set(nouns) & set(nouns_of(read.name, read.params))
        if not shared:
            continue
        ids = {words_of(path) for path in read.params if is_id(path)}
        score = 2 * len(shared) + (2 if ids else 0) + len(set(read.results) & set(tool.params))
        # A list or a search shows many records; one that takes the id shows the right one.
        score -= 1 if read.reading.verb in ("list", "search", "find") else 0
        ranked.append((-score, read.name, read))
    return min(ranked)[2] if ranked else None


def _probe_checks(tool: DefinedTool, reader: DefinedTool | None) -> list[DraftCheck]:
    checks: list[DraftCheck] = []
    states = _STATES.get(tool.verb_class or "")
    shown = reader.results if reader is not None else {}
    nearest = min(filter(is_status, shown), key=lambda path: path.count("."), default="")
    status = nearest or ("status" if states else "")
    if states and status:
        checks.append(DraftCheck(path=status, op="in", expected=list(states), remark="the states that mean it is done"))
    for path, kind in tool.params.items():
        if kind not in _SCALARS or is_free_text(path) or len(checks) >= _MOST_CHECKS or (shown and path not in shown):
            continue
        checks.append(
            DraftCheck(
                path=path,
                op="equals",
                expected=f"{{args.{path}}}",
                normaliser=_normaliser(path, kind),
                remark="the reading shows what was asked for",
            )
        )
    if not checks:
        path = next((path for path in shown if is_id(path)), "id")
        checks.append(DraftCheck(path=path, op="exists", expected=True, remark="replace by what the reading must show"))
    return checks


def _normaliser(path: str, kind: str) -> Normaliser | None:
    words = words_of(path)
    if "email" in words:
        return "email"
    if kind != "number" and _TIME_WORDS & set(words):
        return "datetime"
    if kind in ("integer", "number"):
        return "number"
    return "string" if kind == "string" else None


def _distinct(rules: Sequence[DraftRule]) -> list[DraftRule]:
    """Give rules of one claim type the name of their tool, so that each keeps its own."""
    counts = Counter(rule.claim_type for rule in rules)
    taken: set[str] = set()
    kept = []
    for rule in rules:
        name = rule.claim_type
        if counts[name] > 1:
            name = "_".join(word for word in words_of(rule.action.replace(".", "_").replace("/", "_")) if word)
            # Two tools that say the same cannot be told apart by words.
            rule = replace(rule, patterns=(), remarks=tuple(dict.fromkeys((*rule.remarks, NO_PATTERN))))
        while name in taken:
            name += "_2"
        taken.add(name)
        kept.append(replace(rule, claim_type=name))
    return kept
