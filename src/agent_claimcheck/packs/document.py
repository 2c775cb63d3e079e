"""Reads YAML text into plain nodes with line numbers, safely: no objects, no bombs, no keys that hide each other.

What a reader must not miss: nothing here knows what a rule pack is. It refuses what is dangerous (aliases that
multiply, deep nesting, tags that build objects) and what two YAML readers read differently, and reports every fault.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import yaml
from msgspec import Struct

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 30
MAX_ALIASES = 100
MAX_NODES = 50_000
"""Nodes after aliases are followed. A large hand-written pack has a few thousand."""

Kind = Literal["mapping", "list", "text", "integer", "number", "boolean", "null"]

_TAG = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,40})\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]{1,3})?\Z")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Fault(Struct, frozen=True, kw_only=True):
    """One thing wrong with a file: the line (from 1), the JSON path, what is wrong and what to do about it."""

    line: int
    path: str
    message: str
    hint: str = ""

    def describe(self, origin: str) -> str:
        """Return ``file:line: $.path: message (hint)``."""
        return f"{origin}:{self.line}: {self.path}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class Node(Struct, frozen=True, kw_only=True):
    """One YAML value. ``value`` is a scalar, a list of nodes, or a dict of key text to node, by ``kind``."""

    kind: Kind
    value: Any
    line: int
    path: str


def read_document(text: str) -> tuple[Node | None, list[Fault]]:
    """Read one YAML document. Returns the root node, or ``None`` when nothing can be read, and all faults found."""
    if len(text) > MAX_CHARACTERS:
        return None, [Fault(line=1, path="$", message=f"the file is larger than {MAX_CHARACTERS:,} characters")]
    try:
        fault = _refuse_bombs(text)
        if fault is not None:
            return None, [fault]
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as exc:
        return None, [_syntax_fault(exc, text)]
    except (ValueError, OverflowError) as exc:  # a \U escape beyond Unicode, for one
        return None, [Fault(line=1, path="$", message=f"the YAML cannot be read: {exc}")]
    if root is None:
        return None, [
            Fault(line=1, path="$", message="the file is empty", hint="a pack needs pack, version and claims")
        ]
    reader = _Reader()
    return reader.read(root, "$", 0), reader.faults


def _refuse_bombs(text: str) -> Fault | None:
    """Look at the events before anything is built from them; building recurses, this does not."""
    depth = aliases = 0
    for events, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > MAX_DEPTH:
            return Fault(line=line, path="$", message=f"values are nested more than {MAX_DEPTH} deep")
        if aliases > MAX_ALIASES:
            return Fault(line=line, path="$", message=f"more than {MAX_ALIASES} aliases", hint="write the values out")
        if events > 2 * MAX_NODES:
            return Fault(line=line, path="$", message=f"more than {MAX_NODES:,} values")
    return None


def _syntax_fault(exc: yaml.YAMLError, text: str) -> Fault:
    mark = getattr(exc, "problem_mark", None)
    problem = getattr(exc, "problem", None) or str(exc).splitlines()[0]
    lines = text.splitlines()
    written = lines[mark.line] if mark and mark.line < len(lines) else ""
    hint = ""
    if "\t" in written[: len(written) - len(written.lstrip())]:
        hint = "indent with spaces"
    elif "escape" in problem:
        hint = "put patterns in single quotes: '\\bbooked\\b'"
    elif re.search(r"(?:^|[\s:\[,-])[*&%@`]", written):
        hint = "a value that begins with * & % @ or ` needs quotes, as in '*.create'"
    return Fault(line=mark.line + 1 if mark else 1, path="$", message=f"not valid YAML: {problem}", hint=hint)


class _Reader:
    """Turns composed YAML into nodes, counting every node again each time an alias leads to it."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.nodes = 0
        self.is_full = False

    def read(self, node: yaml.Node, path: str, depth: int) -> Node:
        line = node.start_mark.line + 1
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            if not self.is_full:
                self.is_full = True
                self._fault(line, path, "aliases unfold to too many values", "write the values out")
            return Node(kind="null", value=None, line=line, path=path)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, line, path, depth)
        if isinstance(node, yaml.SequenceNode):
            if node.tag != f"{_TAG}seq":
                self._fault(line, path, f"the tag {_short(node.tag)} is not allowed", "write a plain list")
            items = []
            for index, item in enumerate(node.value):
                if self.is_full:
                    break
                items.append(self.read(item, f"{path}[{index}]", depth + 1))
            return Node(kind="list", value=items, line=line, path=path)
        return self._scalar(node, line, path)

    def _mapping(self, node: yaml.MappingNode, line: int, path: str, depth: int) -> Node:
        if node.tag != f"{_TAG}map":
            self._fault(line, path, f"the tag {_short(node.tag)} is not allowed", "write a plain mapping")
        entries: dict[str, Node] = {}
        for key_node, value_node in node.value:
            if self.is_full:
                break
            key_line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault(key_line, path, "a key must be text")
                continue
            key = key_node.value
            if key_node.tag == f"{_TAG}merge":
                self._fault(key_line, f"{path}.<<", "merge keys are not known", "write the entries out")
                continue
            if key in entries:
                first = entries[key].line
                self._fault(key_line, join(path, key), f"the key {key!r} is already set in line {first}", "remove one")
                continue
            value = self.read(value_node, join(path, key), depth + 1)
            # The key's line is where a reader looks: a value may begin further down.
            entries[key] = Node(kind=value.kind, value=value.value, line=key_line, path=value.path)
        return Node(kind="mapping", value=entries, line=line, path=path)

    def _scalar(self, node: yaml.Node, line: int, path: str) -> Node:
        kind, value = self._resolve(node.tag, node.value, line, path)
        return Node(kind=kind, value=value, line=line, path=path)

    def _resolve(self, tag: str, text: str, line: int, path: str) -> tuple[Kind, Any]:
        match tag.removeprefix(_TAG):
            case "str" | "timestamp" | "value":  # a date stays the text that was written
                return "text", text
            case "null":
                return "null", None
            case "bool":
                if text.lower() in ("true", "false"):
                    return "boolean", text.lower() == "true"
                self._fault(line, path, f"{text} may mean a word or true/false", f"write true, false or '{text}'")
                return "boolean", text.lower() in ("yes", "on")
            case "int":
                if ":" in text:  # 12:30 is a time to whoever wrote it
                    return "text", text
                if _INTEGER.match(text):
                    return "integer", int(text)
                self._fault(line, path, f"the number {_short(text)} is read differently by different tools", "quote it")
                return "integer", 0
            case "float":
                if ":" in text:
                    return "text", text
                if _FLOAT.match(text):
                    return "number", float(text)
                self._fault(line, path, f"{_short(text)} is not a plain number", "quote it, or write plain digits")
                return "number", 0.0
            case _:
                self._fault(line, path, f"the tag {_short(tag)} is not allowed", "only plain YAML values are")
                return "null", None

    def _fault(self, line: int, path: str, message: str, hint: str = "") -> None:
        self.faults.append(Fault(line=line, path=path, message=message, hint=hint))


def join(path: str, key: str) -> str:
    """Append a key to a JSON path: ``$.claims.booked``, or ``$.receipt["a.b"]`` when the key is not a plain word."""
    if key and len(key) <= 60 and all(char.isalnum() or char in "_-" for char in key):
        return f"{path}.{key}"
    escaped = _short(key).replace("\\", "\\\\").replace('"', '\\"')
    return f'{path}["{escaped}"]'


def plain(node: Node) -> Any:
    """Return the node as plain Python values."""
    if node.kind == "mapping":
        return {key: plain(value) for key, value in node.value.items()}
    if node.kind == "list":
        return [plain(item) for item in node.value]
    return node.value


def _short(text: str) -> str:
    text = text.removeprefix(_TAG)
    return text if len(text) <= 60 else text[:57] + "..."
