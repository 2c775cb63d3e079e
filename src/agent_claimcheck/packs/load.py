"""Loads rule packs: YAML text in, ``RulePack`` out, or one ``PackError`` that lists every fault with its line.

What a reader must not miss: loading decides everything that can be decided without a trace. Patterns are compiled,
paths split and templates checked here, so that nothing about a pack can fail later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct

from agent_claimcheck.core.errors import PackError, PatternError
from agent_claimcheck.core.patterns import Pattern, compile_user_pattern
from agent_claimcheck.core.suggest import closest
from agent_claimcheck.packs.document import Fault, Node, join, plain, read_document
from agent_claimcheck.packs.language import ClaimPattern, ClaimRule, FieldCheck, Normaliser, Operator, RulePack
from agent_claimcheck.packs.paths import SyntaxFault, find_templates, split_path

BUILTIN_NAMES = ("booking", "crm", "coding", "generic")
"""The packs that come with the package, in the order in which they are asked."""

OPERATORS: tuple[str, ...] = get_args(Operator)
NORMALISERS: tuple[str, ...] = get_args(Normaliser)
PACK_KEYS = ("pack", "version", "tools", "reads", "claim_patterns", "claims")
RULE_KEYS = ("action", "receipt", "probe", "probe_checks")
_CHECK_KEYS = (*OPERATORS, "as")
_KIND_NAMES = {
    "mapping": "a mapping",
    "list": "a list",
    "text": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
MAX_FAULTS = 200
MAX_PATTERNS = 1000


class LoadedPack(Struct, frozen=True, kw_only=True):
    """A pack and where its parts stand: ``lines`` maps a JSON path (``$.claims.booked``) to its line, from 1."""

    pack: RulePack
    lines: dict[str, int]


def load_rule_pack(path: str | Path) -> RulePack:
    """Load one rule pack file. Raises ``PackError`` listing all its faults, or saying why it cannot be read."""
    return load_with_lines(path).pack


def load_with_lines(path: str | Path) -> LoadedPack:
    """Load one rule pack file and keep the line of every part, for notes about it. Raises ``PackError``."""
    origin = str(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as exc:
        raise PackError(f"{origin}: no such rule pack file", hint="give the path of a YAML file") from exc
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise PackError(f"{origin}: the rule pack cannot be read: {reason}") from exc
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data[: exc.start].count(b"\n") + 1
        raise PackError(f"{origin}:{line}: $: the file is not UTF-8", hint="save it as UTF-8") from exc
    return _parse(text, origin, is_user=True)


def parse_pack(text: str, origin: str, *, is_user: bool = True) -> RulePack:
    """Read a rule pack from YAML text. ``origin`` names it in faults. Raises ``PackError`` listing all faults."""
    return _parse(text, origin, is_user=is_user).pack


@lru_cache(maxsize=1)
def load_builtin_packs() -> tuple[RulePack, ...]:
    """Return the packs that come with the package, in the order they are asked. They are read once per process."""
    folder = Path(__file__).with_name("builtin")
    return tuple(
        parse_pack((folder / f"{name}.yaml").read_text(encoding="utf-8"), "builtin", is_user=False)
        for name in BUILTIN_NAMES
    )


def _parse(text: str, origin: str, *, is_user: bool) -> LoadedPack:
    root, faults = read_document(text)
    builder = _Builder(faults)
    pack = builder.pack(root, origin, is_user) if root is not None else None
    if pack is None or builder.faults:
        raise PackError(_describe(builder.faults, origin))
    return LoadedPack(pack=pack, lines=builder.lines)


def _describe(faults: list[Fault], origin: str) -> str:
    ordered = sorted(faults, key=lambda fault: fault.line)
    lines = [fault.describe(origin) for fault in ordered[:MAX_FAULTS]]
    if len(ordered) > MAX_FAULTS:
        lines.append(f"{origin}: and {len(ordered) - MAX_FAULTS} more faults")
    return "\n".join(lines)


class _Builder:
    """Walks the nodes of one pack, collecting faults instead of stopping at the first."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = list(faults)
        self.lines: dict[str, int] = {}

    def pack(self, root: Node, origin: str, is_user: bool) -> RulePack | None:
        if root.kind != "mapping":
            self._fault(root, f"a pack is a mapping, not {_KIND_NAMES[root.kind]}", "begin with: pack: my-pack")
            return None
        self._keys(root, PACK_KEYS, required=("pack", "version", "claims"))
        entries: dict[str, Node] = root.value
        patterns: list[ClaimPattern] = []
        rules: dict[str, ClaimRule] = {}
        for claim_type, node in self._mapping(entries.get("claim_patterns")):
            patterns += self._patterns(claim_type, node)
        if len(patterns) > MAX_PATTERNS:
            self._fault(entries["claim_patterns"], f"more than {MAX_PATTERNS} patterns", "join words with |")
        for claim_type, node in self._mapping(entries.get("claims")):
            rule = self._rule(claim_type, node)
            if rule is not None:
                rules[claim_type] = rule
        return RulePack(
            name=self._name(entries.get("pack")),
            version=self._version(entries.get("version")),
            tools=tuple(self._globs(entries.get("tools"), "tools")),
            reads=tuple(self._globs(entries.get("reads"), "reads")),
            claim_patterns=tuple(patterns),
            claims=rules,
            origin=origin,
            is_user=is_user,
        )

    def _name(self, node: Node | None) -> str:
        return self._text(node, "the pack's name") if node is not None else ""

    def _version(self, node: Node | None) -> int:
        if node is None:
            return 0
        if node.kind != "integer" or node.value < 0:
            self._fault(node, f"version must be a whole number, not {_KIND_NAMES[node.kind]}", "version: 1")
            return 0
        return int(node.value)

    def _globs(self, node: Node | None, key: str) -> list[str]:
        if node is None:
            return []
        if node.kind != "list":
            self._fault(node, f"{key} must be a list, not {_KIND_NAMES[node.kind]}", f"{key}: ['calendar.*']")
            return []
        return [self._text(item, "a tool glob") for item in node.value]

    def _patterns(self, claim_type: str, node: Node) -> list[ClaimPattern]:
        if node.kind != "list":
            hint = f"write {claim_type}: ['...']"
            self._fault(node, f"the patterns of a claim type are a list, not {_KIND_NAMES[node.kind]}", hint)
            return []
        if not node.value:
            self._fault(node, "the list of patterns is empty", "remove the claim type or give it a pattern")
        found = []
        for item in node.value:
            source = self._text(item, "a pattern")
            compiled = self._pattern(item, source, ignore_case=True) if source else None
            if compiled is not None:
                found.append(ClaimPattern(claim_type=claim_type, source=source, pattern=compiled))
        return found

    def _pattern(self, node: Node, source: str, *, ignore_case: bool) -> Pattern | None:
        try:
            return compile_user_pattern(source, ignore_case=ignore_case)
        except PatternError as exc:
            self._fault(node, f"bad pattern: {exc.message}", exc.hint)
            return None

    def _rule(self, claim_type: str, node: Node) -> ClaimRule | None:
        if node.kind != "mapping":
            self._fault(node, f"a rule is a mapping, not {_KIND_NAMES[node.kind]}", "it needs action and receipt")
            return None
        self._keys(node, RULE_KEYS, required=("action", "receipt"))
        entries: dict[str, Node] = node.value
        action, probe = entries.get("action"), entries.get("probe")
        return ClaimRule(
            claim_type=claim_type,
            action=self._text(action, "action") if action is not None else "",
            receipt=self._checks(entries.get("receipt")),
            probe=self._text(probe, "probe") if probe is not None else None,
            probe_checks=self._checks(entries.get("probe_checks")),
        )

    def _checks(self, node: Node | None) -> tuple[FieldCheck, ...]:
        checks = (self._check(path, item) for path, item in self._mapping(node))
        return tuple(check for check in checks if check is not None)

    def _check(self, path: str, node: Node) -> FieldCheck | None:
        segments, from_args = self._guard(node, lambda: split_path(path), ((), False))
        if node.kind != "mapping":
            hint = f"write {path}: {{ exists: true }} or {{ equals: ... }}"
            self._fault(node, f"a check is a mapping, not {_KIND_NAMES[node.kind]}", hint)
            return None
        self._keys(node, _CHECK_KEYS)
        used = [key for key in OPERATORS if key in node.value]
        if len(used) != 1:
            what = "no operator" if not used else "more than one operator: " + ", ".join(used)
            self._fault(node, f"a check has exactly one operator; here is {what}", "one of " + ", ".join(OPERATORS))
            return None
        op: Any = used[0]
        operand: Node = node.value[op]
        pattern = self._operand(op, operand)
        return FieldCheck(
            path=path,
            segments=segments,
            from_args=from_args,
            op=op,
            expected=plain(operand),
            normaliser=self._normaliser(node.value.get("as")),
            pattern=pattern,
        )

    def _operand(self, op: str, node: Node) -> Pattern | None:
        """Check what stands behind an operator. Returns the compiled pattern of ``matches``."""
        wanted = {"exists": "boolean", "in": "list", "matches": "text", "subset": "mapping"}.get(op)
        if wanted is not None and node.kind != wanted:
            self._fault(node, f"{op} takes {_KIND_NAMES[wanted]}, not {_KIND_NAMES[node.kind]}", _OPERAND_HINTS[op])
            return None
        if op == "in" and not node.value:
            self._fault(node, f"{op} has nothing to compare with", _OPERAND_HINTS[op])
        if op == "matches" and not node.value:
            self._fault(node, "matches has an empty pattern", "exists: true asks only whether the field is there")
        if op == "matches":
            return self._pattern(node, node.value, ignore_case=False)
        self._templates(node)
        return None

    def _templates(self, node: Node) -> None:
        if node.kind == "text":
            self._guard(node, lambda: find_templates(node.value), ())
        elif node.kind == "list":
            for item in node.value:
                self._templates(item)
        elif node.kind == "mapping":
            for item in node.value.values():
                self._templates(item)

    def _normaliser(self, node: Node | None) -> Any:
        if node is None:
            return None
        if node.kind != "text" or node.value not in NORMALISERS:
            hint = _did_you_mean(str(node.value), NORMALISERS)
            self._fault(node, f"as names an unknown normaliser {str(node.value)[:40]!r}", hint)
            return None
        return node.value

    def _text(self, node: Node, what: str) -> str:
        if node.kind != "text":
            self._fault(node, f"{what} must be text, not {_KIND_NAMES[node.kind]}", "put it in quotes")
            return ""
        value = str(node.value)
        if not value.strip():
            self._fault(node, f"{what} is empty")
        self.lines.setdefault(node.path, node.line)
        return value

    def _mapping(self, node: Node | None) -> list[tuple[str, Node]]:
        """Return the entries of a mapping; an absent one has none, another kind is a fault."""
        if node is None:
            return []
        if node.kind != "mapping":
            name = node.path.rpartition(".")[2]
            self._fault(node, f"{name} must be a mapping, not {_KIND_NAMES[node.kind]}", f"write {name}: {{}} for none")
            return []
        for key, item in node.value.items():
            self.lines[item.path] = item.line
            if not key.strip():
                self._fault(item, "a key is empty")
        return list(node.value.items())

    def _keys(self, node: Node, known: Collection[str], required: Collection[str] = ()) -> None:
        for key, item in node.value.items():
            self.lines[item.path] = item.line
            if key not in known:
                self._fault(item, f"unknown key {key[:60]!r}", _did_you_mean(key, known))
        for key in required:
            if key not in node.value:
                path = join(node.path, key)
                hint = _KEY_HINTS.get(key, "")
                self.faults.append(Fault(line=node.line, path=path, message=f"{key} is required", hint=hint))

    def _guard(self, node: Node, read: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return read()
        except SyntaxFault as exc:
            self._fault(node, str(exc), exc.hint)
            return otherwise

    def _fault(self, node: Node, message: str, hint: str = "") -> None:
        self.faults.append(Fault(line=node.line, path=node.path, message=message, hint=hint))


_OPERAND_HINTS = {
    "exists": "exists: true",
    "in": "in: [confirmed, tentative]",
    "matches": "matches: '^[0-9]+$'",
    "subset": "subset: { status: open }",
}
_KEY_HINTS = {
    "pack": "pack: my-pack",
    "version": "version: 1",
    "claims": "claims: {} when the pack only recognises claims",
    "action": "action: 'calendar.create_event'",
    "receipt": "receipt: {} when any successful call is enough",
}


def _did_you_mean(word: str, known: Collection[str]) -> str:
    near = closest(word.lower(), known)
    return f"did you mean {near}?" if near else "known: " + ", ".join(known)
