"""Reads a pack that loads and says what its author may not have meant.

What a reader must not miss: a note is advice. What makes a pack wrong is a fault, and the loader reports it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.packs.document import join
from agent_claimcheck.packs.language import ClaimRule, FieldCheck, RulePack
from agent_claimcheck.packs.load import load_builtin_packs, load_with_lines
from agent_claimcheck.packs.paths import find_templates
from agent_claimcheck.packs.select import shadowed


class LintNote(Struct, frozen=True, kw_only=True):
    """One piece of advice. ``line`` counts from 1; ``warn`` changes decisions, ``info`` is worth knowing."""

    line: int
    path: str
    code: str
    severity: Literal["warn", "info"]
    message: str
    hint: str = ""

    def describe(self, origin: str) -> str:
        """Return ``file:line: $.path: severity: message (hint) [code]``."""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{origin}:{self.line}: {self.path}: {self.severity}: {self.message}{hint} [{self.code}]"


class _Remark(Struct, frozen=True):
    path: str
    code: str
    severity: Literal["warn", "info"]
    message: str
    hint: str = ""


def lint_pack(path: str | Path) -> list[LintNote]:
    """Return the notes about one pack file, by line. Raises ``PackError`` when it does not load."""
    loaded = load_with_lines(path)
    notes = []
    for look in _LOOKS:
        for remark in look(loaded.pack):
            line = _line(loaded.lines, remark.path)
            notes.append(
                LintNote(
                    line=line,
                    path=remark.path,
                    code=remark.code,
                    severity=remark.severity,
                    message=remark.message,
                    hint=remark.hint,
                )
            )
    return sorted(notes, key=lambda note: (note.line, note.path, note.code))


def _line(lines: dict[str, int], path: str) -> int:
    """Return the line of the path, or of the nearest part around it that has one."""
    while path not in lines and ("." in path or "[" in path):
        path = path[: max(path.rfind("."), path.rfind("["))]
    return lines.get(path, 1)


def _rule_path(claim_type: str) -> str:
    return join("$.claims", claim_type)


def _tools(pack: RulePack) -> Iterator[_Remark]:
    if not pack.tools:
        message = f"no tools: the pack applies only to traces without tool calls whose domain is {pack.name!r}"
        yield _Remark("$.pack", "no_tools", "warn", message, "add tools: ['mytool.*']")
    for index, glob in enumerate(pack.tools):
        path = f"$.tools[{index}]"
        if glob.strip("*") == "":
            hint = "name your tools, so that traces of other systems keep their own packs"
            yield _Remark(
                path, "applies_to_everything", "warn", "the pack applies to every trace with a tool call", hint
            )
        for other in pack.tools[:index]:
            if glob_match(other, glob) or glob_match(glob, other):
                message = f"the globs {other!r} and {glob!r} overlap"
                yield _Remark(path, "overlapping_globs", "info", message, "keep the wider one")
                break
    for claim_type, rule in pack.claims.items():
        if pack.tools and not any(glob_match(g, rule.action) or glob_match(rule.action, g) for g in pack.tools):
            message = f"the action {rule.action!r} fits none of the pack's tools"
            hint = "a trace that calls only this tool is not read with this pack; add it to tools"
            yield _Remark(f"{_rule_path(claim_type)}.action", "action_outside_tools", "warn", message, hint)


def _reads(pack: RulePack) -> Iterator[_Remark]:
    for index, glob in enumerate(pack.reads):
        path = f"$.reads[{index}]"
        if glob.strip("*") == "":
            yield _Remark(path, "reads_everything", "warn", "every tool is said to change nothing", "name the tools")
        for claim_type, rule in pack.claims.items():
            if glob_match(glob, rule.action):
                message = (
                    f"{glob!r} is said to change nothing, and {claim_type!r} is proved by a call of {rule.action!r}"
                )
                yield _Remark(path, "action_is_read", "warn", message, "take it out of reads, or name another action")
                break


def _types(pack: RulePack) -> Iterator[_Remark]:
    with_patterns = {pattern.claim_type for pattern in pack.claim_patterns}
    for claim_type in sorted(with_patterns - set(pack.claims)):
        message = f"the claim type {claim_type!r} is recognised and has no rule: such claims stay undecided"
        yield _Remark(join("$.claim_patterns", claim_type), "pattern_without_rule", "warn", message, "add it to claims")
    for claim_type in pack.claims:
        if claim_type not in with_patterns:
            message = f"the claim type {claim_type!r} has no pattern: only structured claims can use its rule"
            yield _Remark(_rule_path(claim_type), "rule_without_pattern", "info", message, "add it to claim_patterns")


def _patterns(pack: RulePack) -> Iterator[_Remark]:
    seen: dict[str, str] = {}
    position: dict[str, int] = {}
    for pattern in pack.claim_patterns:
        index = position.get(pattern.claim_type, 0)
        position[pattern.claim_type] = index + 1
        path = f"{join('$.claim_patterns', pattern.claim_type)}[{index}]"
        if any(unicodedata.category(char) == "Cc" and char not in "\t\n" for char in pattern.source):
            hint = r"in double quotes YAML reads \b as a backspace; use single quotes: '\bbooked\b'"
            yield _Remark(path, "control_character", "warn", "the pattern holds a control character", hint)
        if pattern.pattern.matches_empty():
            message = "the pattern matches the empty text, so every message makes this claim"
            yield _Remark(path, "matches_everything", "warn", message, "make at least one word required")
        elif never_matches(pattern.source):
            message = "the pattern can never match"
            hint = "^ stands only at the start of the text and $ only at its end"
            yield _Remark(path, "never_matches", "warn", message, hint)
        if _UNSPACED.search(pattern.source):
            message = r"\b stands beside a letter of a script that is written without spaces"
            yield _Remark(path, "border_without_spaces", "warn", message, r"leave \b out there")
        first = seen.setdefault(pattern.source, pattern.claim_type)
        if first != pattern.claim_type or (index and _is_repeated(pack, pattern.claim_type, index)):
            message = f"the same pattern already stands under {first!r}"
            yield _Remark(path, "repeated_pattern", "info", message, "one text would make both claims")


def _is_repeated(pack: RulePack, claim_type: str, index: int) -> bool:
    sources = [pattern.source for pattern in pack.claim_patterns if pattern.claim_type == claim_type]
    return sources[index] in sources[:index]


def _probes(pack: RulePack) -> Iterator[_Remark]:
    for claim_type, rule in pack.claims.items():
        path = _rule_path(claim_type)
        if rule.probe is None and rule.probe_checks:
            message = "probe_checks without a probe are never read"
            yield _Remark(f"{path}.probe_checks", "checks_without_probe", "warn", message, "name the probe")
        elif rule.probe is None:
            message = "no probe: this claim can at best reach review"
            yield _Remark(
                path, "rule_without_probe", "warn", message, "name a reading of the state that shows the record"
            )
        elif not rule.probe_checks:
            message = "a probe without checks: any reading that succeeds supports the claim"
            yield _Remark(f"{path}.probe", "probe_without_checks", "warn", message, "say what it must show")
        if not rule.receipt:
            message = "an empty receipt: any successful call is enough"
            yield _Remark(f"{path}.receipt", "empty_receipt", "info", message, "check an id: { exists: true }")


def _checks(pack: RulePack) -> Iterator[_Remark]:
    for claim_type, rule in pack.claims.items():
        for part, checks in (("receipt", rule.receipt), ("probe_checks", rule.probe_checks)):
            for check in checks:
                path = join(f"{_rule_path(claim_type)}.{part}", check.path)
                yield from _check(check, path)


def _check(check: FieldCheck, path: str) -> Iterator[_Remark]:
    if check.normaliser is not None and check.op in ("exists", "matches", "subset"):
        message = f"as has no effect on {check.op}"
        yield _Remark(path, "as_without_effect", "warn", message, "remove it, or use equals, in or contains")
    if check.op == "subset" and not check.expected:
        yield _Remark(path, "empty_subset", "info", "an empty subset fits every mapping", "name a key it must hold")
    if check.op == "matches" and re.search(r"\{(?:subject|args)\.", str(check.expected)):
        message = "templates are not filled in inside matches"
        yield _Remark(path, "template_in_pattern", "warn", message, "use equals or contains")


def _subjects(pack: RulePack) -> Iterator[_Remark]:
    groups: dict[str, set[str]] = {}
    for pattern in pack.claim_patterns:
        groups.setdefault(pattern.claim_type, set()).update(pattern.pattern.group_names)
    for claim_type, rule in pack.claims.items():
        if claim_type not in groups:
            continue
        missing = sorted(_subject_fields(rule) - groups[claim_type])
        if missing:
            message = f"no pattern has a group for {', '.join(missing)}: claims found in text skip those checks"
            hint = f"name a group, as in (?P<{missing[0]}>...), or send structured claims"
            yield _Remark(_rule_path(claim_type), "subject_without_group", "info", message, hint)


def _subject_fields(rule: ClaimRule) -> set[str]:
    fields: set[str] = set()
    waiting: list[Any] = [check.expected for check in (*rule.receipt, *rule.probe_checks) if check.op != "matches"]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            fields |= {found.segments[0] for found in find_templates(value) if found.root == "subject"}
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
    return fields


def _overrides(pack: RulePack) -> Iterator[_Remark]:
    for override in shadowed((*load_builtin_packs(), pack)):
        message = (
            f"{override.claim_type!r} is also a claim type of the built-in pack {override.loser.name}: this one wins"
        )
        yield _Remark(_rule_path(override.claim_type), "overrides_builtin", "info", message)


_LOOKS: tuple[Callable[[RulePack], Iterator[_Remark]], ...] = (
    _tools,
    _reads,
    _types,
    _patterns,
    _probes,
    _checks,
    _subjects,
    _overrides,
)

_UNSPACED_LETTER = "[\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_UNSPACED = re.compile(rf"\\b{_UNSPACED_LETTER}|{_UNSPACED_LETTER}\\b")
_ATOM = re.compile(r"\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_OPTIONAL = re.compile(r"[*?]|\{0[,}]")


def never_matches(source: str) -> bool:
    """Say whether an anchor in the wrong place keeps every alternative of a pattern from matching.

    A start anchor after a required character and an end anchor before one are seen when they stand outside groups.
    Other ways to write an impossible pattern are not looked for.

    >>> never_matches("booked^"), never_matches("^booked$"), never_matches("a$b|c"), never_matches("x*^y")
    (True, False, False, False)
    """
    if "(?m" in source or "(?im" in source:
        return False
    depth = 0
    is_dead, has_taken, is_ended = False, False, False
    dead_branches: list[bool] = []
    atoms = [(found.group(), found.end()) for found in _ATOM.finditer(source)]
    for atom, end in atoms:
        if atom == "(":
            depth += 1
        elif atom == ")":
            depth -= 1
        elif depth:
            continue
        elif atom == "|":
            dead_branches.append(is_dead)
            is_dead, has_taken, is_ended = False, False, False
        elif atom in ("^", r"\A"):
            is_dead = is_dead or has_taken
        elif atom in ("$", r"\z", r"\Z"):
            is_ended = True
        elif atom not in (r"\b", r"\B", "*", "+", "?") and not _OPTIONAL.match(source, end):
            is_dead = is_dead or is_ended
            has_taken = True
    return all([*dead_branches, is_dead])
