"""Reads what a call was meant to change: read, write or unknown, in which class of action, and on which record.

A reader must not miss: ``unknown`` is the honest default and blocks accusations. ``class_covers`` says "no" only where
no reading of the call could make the claim true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from msgspec import Struct

from agent_claimcheck.core.computed import computed
from agent_claimcheck.core.late_pattern import late_pattern
from agent_claimcheck.evidence.acting_looks import why_it_may_act
from agent_claimcheck.evidence.coding.commands import COMMAND_KEYS, command_of
from agent_claimcheck.evidence.coding.shell import ShellReading, read_command
from agent_claimcheck.evidence.sql_effects import sql_effect
from agent_claimcheck.evidence.targets import Target, targets_of
from agent_claimcheck.evidence.tool_names import (
    EffectKind,
    NameReading,
    read_tool_name,
    read_verb,
)
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.trace.model import Step, ToolDef


class Effect(Struct, frozen=True, kw_only=True, dict=True):
    """What a call was meant to do.

    ``verb_class`` is the word a claim would use (``booked``, ``sent`` ...), ``None`` when not known. ``words`` are the
    words of the tool's name. ``is_file_change`` marks changes of files by a shell or an editor, ``is_shell`` command
    lines. ``sources`` are the arguments, paths and output that ``target`` is read from.
    """

    kind: EffectKind
    verb_class: str | None
    reason: str
    words: tuple[str, ...] = ()
    is_file_change: bool = False
    is_shell: bool = False
    sources: tuple[Mapping[str, Any], tuple[str, ...], Any] = ({}, (), None)

    @computed
    def target(self) -> tuple[Target, ...]:
        """The (kind, value) pairs that name the record; kind is the argument's name, or ``email``, ``path``, ``url``, ``title``.

        Read on first use: most effects are never asked for it.
        """
        return targets_of(*self.sources)


class _Reading(Struct, frozen=True):
    kind: EffectKind
    verb_class: str | None
    reason: str
    paths: tuple[str, ...] = ()
    is_file_change: bool = False
    is_shell: bool = False
    words: tuple[str, ...] = ()


_METHOD_KEYS = ("method", "http_method", "httpMethod", "verb", "request_method")
_METHODS: dict[str, tuple[EffectKind, str | None]] = {
    "GET": ("read", None), "HEAD": ("read", None), "OPTIONS": ("read", None), "POST": ("write", None),
    "PUT": ("write", "updated"), "PATCH": ("write", "updated"), "DELETE": ("write", "deleted"),
}  # fmt: skip
_PLACE_KEYS = frozenset({"url", "path", "endpoint"})
_SQL_KEYS = ("sql", "query", "statement", "sql_query", "command", "q")
_SQL_WORDS = frozenset(
    ["sql", "query", "db", "database", "postgres", "sqlite", "mysql", "bigquery", "snowflake", "duckdb"]
)
_EDITOR_READS = frozenset({"view", "read", "open", "find_file", "search"})
_EDITOR_WRITES = {
    "create": "created", "write": "created", "str_replace": "updated", "insert": "updated", "edit": "updated",
    "undo_edit": "reverted", "append": "added", "delete": "deleted", "rename": "renamed",
}  # fmt: skip
_ACTION_KEYS = ("action", "operation", "op", "command", "method", "verb", "mode", "action_type", "type")
_DRY_KEYS = frozenset({"dry_run", "dryRun", "simulate", "preview", "validate_only", "validateOnly", "dryrun"})
_READ_ONLY_TEXT = late_pattern(
    r"(?i)\bread[- ]?only\b|\bdoes not (?:change|modify|alter)\b|\bno side effects?\b|\bwithout (?:changing|modifying)\b"
)
_FIRST_VERB = late_pattern(
    r"(?i)^\W{0,4}(?:this (?:tool |function |endpoint )?(?:can be used to )?|use this (?:tool )?to |used to "
    r"|allows? (?:you )?to |tool (?:for|to) )?([a-z]{2,20})\b"
)


def read_effect(call: Step, result: Step | None, tool: ToolDef | None, *, may_list_own: bool = True) -> Effect:
    """Say what ``call`` was meant to change. Never raises.

    ``may_list_own`` is false where the user asked for tasks to be written: no list of them is the agent's own then.

    Looked at, in this order: the command line or editor action, the HTTP method or SQL text, the tool's name, its
    definition, the shape of the result. ``dry_run`` arguments make any write a read.
    """
    name = read_tool_name(call.name if isinstance(call.name, str) else "")
    args = call.args if isinstance(call.args, dict) else {}
    reading = (
        (_own_list(args) if may_list_own and name.may_list_tasks else None)
        or _from_call(call, name, args)
        or _from_definition(tool)
        or _from_result(name, result)
    )
    if reading.kind == "read" and args and name.kind == "read":
        why = why_it_may_act(name, args, result)
        reading = reading if why is None else _Reading("unknown", None, why)
    if reading.kind == "read" and tool is not None and tool.description:
        reading = _of_second_verb(tool.description[:_FIRST_SENTENCE]) or reading
    if not _DRY_KEYS.isdisjoint(args) and any(args.get(key) is True for key in _DRY_KEYS):
        reading = _Reading("read", None, "a dry run")
    is_create = reading.kind != "read" and result is not None
    return Effect(
        kind=reading.kind, verb_class=reading.verb_class, reason=reading.reason,
        words=(*reading.words, *name.words),
        is_file_change=reading.is_file_change, is_shell=reading.is_shell,
        sources=(args, reading.paths, result.output if is_create and result is not None else None),
    )  # fmt: skip


OWN_LIST = "the agent's own list of tasks"
_TASK_TEXTS = frozenset({"content", "step", "title", "task", "description", "text"})
_BESIDE_A_LIST = frozenset(
    {"explanation", "reason", "note", "description", "title", "name", "summary", "goal", "thought"}
)
_ASKS_FOR_TASKS = late_pattern(
    r"\b(?:add|append|create|put|make|update|change|set up|write|mark|tick|rename|remove|delete|enter|record|log|note|save)\b[^.!?\n]{0,80}"
    r"\b(?:tasks?|to[- ]?dos?|check ?lists?|plans?|steps?)\b"
)


def asks_for_tasks(request_low: str) -> bool:
    """True when the user's words order tasks, or a plan, to be written down: "add paint to my to-do list"."""
    return _ASKS_FOR_TASKS.search(request_low) is not None


def _own_list(args: Mapping[str, Any]) -> _Reading | None:
    """Return a reading for the list of tasks in which an agent keeps what it has done so far: it changes nothing outside."""
    if any(
        isinstance(value, str) and key not in _BESIDE_A_LIST for key, value in islice(args.items(), _MOST_ARGUMENTS)
    ):
        # An agent's own list is of no project and no board.
        return None
    for value in islice(args.values(), _MOST_ARGUMENTS):
        if isinstance(value, list) and value and all(_is_task(entry) for entry in value[:_MOST_ARGUMENTS]):
            return _Reading("read", None, OWN_LIST)
    return None


def _is_task(entry: Any) -> bool:
    return isinstance(entry, dict) and "status" in entry and not _TASK_TEXTS.isdisjoint(entry)


_MOST_ARGUMENTS = 50
_OPENED_BY = late_pattern(
    r"path|file|url|uri|link|href|id$|ID$|^(?:name|key|ref|tab|page|index|n|number|query|slug|target|document)",
    re.IGNORECASE,
)
"""Arguments by which something that is there is opened."""
_OPENED_HOW = late_pattern(
    r"mode|encoding|lines?$|line_|range|start|end|offset|limit|view|format|read_?only|window|context|reason|explanation"
    r"|timeout|max|min|size|width|height|full|raw|verbose|type$",
    re.IGNORECASE,
)
"""Arguments that say how it is shown."""


def _opens_anew(args: Mapping[str, Any]) -> bool:
    """True for "openFile" with a title and an amount, which makes one; what is there is opened by its path, id or name alone."""
    named = [key for key, value in islice(args.items(), _MOST_ARGUMENTS) if not isinstance(value, dict)]
    by = [key for key in named if _OPENED_BY.search(key)]
    return not by or any(key not in by and not _OPENED_HOW.search(key) for key in args)


_TELLING_KEYS = COMMAND_KEYS.union(_METHOD_KEYS, _SQL_KEYS, _ACTION_KEYS)
"""Arguments that may say by themselves what a call does: most calls have none."""


def _from_call(call: Step, name: NameReading, args: Mapping[str, Any]) -> _Reading | None:
    is_telling = not _TELLING_KEYS.isdisjoint(args)
    command = command_of(call) if is_telling else None
    if command is not None:
        return _of_shell(read_command(command))
    if name.is_editor:
        return _of_editor(name, args)
    if is_telling:
        found = _of_method(name, args) or _of_sql_argument(name, args)
        if found is None and name.kind == "unknown":
            found = _of_action(args)
        if found is not None:
            return found
    if name.verb == "open" and name.kind == "read" and len(name.words) > 1 and args and _opens_anew(args):
        return _Reading("unknown", "opened", "it opens something that nothing names")
    return _of_name(name)


@lru_cache(maxsize=4096)
def _of_name(name: NameReading) -> _Reading | None:
    if name.kind == "unknown":
        # "run_tests", "process_order": the class is a hint, the kind stays unknown.
        return _Reading("unknown", name.verb_class, name.reason) if name.verb_class is not None else None
    return _Reading(name.kind, name.verb_class if name.kind == "write" else None, name.reason)


def _of_method(name: NameReading, args: Mapping[str, Any]) -> _Reading | None:
    if name.kind != "unknown" and _PLACE_KEYS.isdisjoint(args):
        return None
    for key in _METHOD_KEYS:
        method = args.get(key)
        if isinstance(method, str) and method.upper() in _METHODS:
            kind, verb_class = _METHODS[method.upper()]
            return _Reading(kind, verb_class, f"HTTP {method.upper()}")
    return None


def _of_sql_argument(name: NameReading, args: Mapping[str, Any]) -> _Reading | None:
    if name.kind != "unknown" and not any(word in _SQL_WORDS for word in name.words):
        return None
    for key in _SQL_KEYS:
        text = args.get(key)
        found = sql_effect(text) if isinstance(text, str) else None
        if found is not None:
            return _Reading(found.kind, found.verb_class, f"SQL {found.word}")
    return None


def _of_shell(shell: ShellReading) -> _Reading:
    return _Reading(shell.kind, shell.verb_class, shell.reason, shell.paths, shell.kind == "write", True)


def _of_editor(name: NameReading, args: Mapping[str, Any]) -> _Reading:
    action = args.get("command")
    if isinstance(action, str):
        word = action.split(None, 1)[0].lower() if action.strip() else ""
        if word in _EDITOR_READS:
            return _Reading("read", None, f"the editor only does '{word}'")
        if word in _EDITOR_WRITES:
            return _Reading("write", _EDITOR_WRITES[word], f"the editor does '{word}'", (), True)
    paths = tuple(word for word in _patched_paths(args))
    return _Reading("write", name.verb_class, name.reason, paths, True)


_PATCH_FILE = late_pattern(r"^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b/)?)([^\n\t]{1,300})", re.MULTILINE)


def _patched_paths(args: Mapping[str, Any]) -> list[str]:
    for key in ("patch", "input", "diff"):
        text = args.get(key)
        if isinstance(text, str):
            return _PATCH_FILE.findall(text[:100_000])[:20]
    return []


def _of_action(args: Mapping[str, Any]) -> _Reading | None:
    """One tool for everything: ``manage_order(action="cancel")``."""
    for key in _ACTION_KEYS:
        action = args.get(key)
        if isinstance(action, str) and 0 < len(action) <= 60:
            inner = read_tool_name(action)
            if inner.kind != "unknown" and not inner.is_editor:
                reason = f"'{action[:40]}' is its {key}"
                return _Reading(inner.kind, inner.verb_class, reason, words=inner.words)
    return None


def _from_definition(tool: ToolDef | None) -> _Reading | None:
    if tool is None or not tool.description:
        return None
    return _of_description(tool.description[:2_000])


@lru_cache(maxsize=1024)
def _of_description(text: str) -> _Reading | None:
    if _READ_ONLY_TEXT.search(text):
        return _Reading("read", None, "its description says that it only reads")
    found = _FIRST_VERB.match(text)
    word = found.group(1).lower() if found else ""
    # A function "returns" its answer; only a shop returns goods.
    verb: tuple[EffectKind, str | None] | None = ("read", None) if word == "returns" else read_verb(word)
    if found is None or verb is None or verb[0] == "unknown":
        return None
    return _Reading(verb[0], verb[1], f"its description begins with '{found.group(1)}'")


_FIRST_SENTENCE = 200
_SECOND_VERB = late_pattern(
    r"(?i)^\W{0,4}\w+ (?:and|then|or) (?:then )?(?P<next>[a-z]{3,20})\b"
    r"|(?:\band|\bthen|;|,) (?:then )?(?P<verb>[a-z]{3,20})"
    r" (?:the|an?|it|them|this|that|him|her|their|all|any|every\w*|one|those)\b(?! by\b)"
)
_SAYING = frozenset({"return", "report", "format", "list", "print", "log", "load", "output", "display"})
"""What a look does with what it found: "looks up an order and returns the details"."""


@lru_cache(maxsize=1024)
def _of_second_verb(text: str) -> _Reading | None:
    """Return ``unknown`` where the first sentence of a description goes on with a deed: "Finds and books a table"."""
    for found in _SECOND_VERB.finditer(text.partition(". ")[0]):
        word = (found["next"] or found["verb"]).lower()
        verb = read_verb(word)
        if verb is not None and verb[0] == "write" and not any(word.startswith(saying) for saying in _SAYING):
            return _Reading("unknown", verb[1], f"its description goes on with '{word}'")
    return None


def _from_result(name: NameReading, result: Step | None) -> _Reading:
    output = result.output if result is not None else None
    if (
        isinstance(output, list)
        and len(output) >= 2
        and all(isinstance(entry, dict) for entry in output[:10])
        and not name.is_shell
    ):
        first = output[0]
        if (
            not any(key in first for key in ("success", "ok", "error", "status", "created"))
            and first.get("type") != "text"
        ):
            return _Reading("read", None, "it returned a list of records")
    if name.verb is None and _is_plural_noun(name.words) and _lists_records(output):
        return _Reading("read", None, "a name in the plural that returned a list of records")
    return _Reading("unknown", name.verb_class, name.reason)


_TELLS_A_DEED = frozenset({"success", "ok", "error", "errors", "created", "updated", "deleted", "result"})


def _lists_records(output: Any) -> bool:
    entries = parse_output(output) if isinstance(output, str) and output[:1] == "[" else output
    return (
        isinstance(entries, list)
        and bool(entries)
        and all(isinstance(entry, dict) and _TELLS_A_DEED.isdisjoint(entry) for entry in entries[:10])
    )


def _is_plural_noun(words: tuple[str, ...]) -> bool:
    """True for a tool that is called after what it returns, and after no deed: ``motions``, not ``refunds``."""
    return (
        len(words) == 1
        and len(words[0]) > 3
        and words[0].endswith("s")
        and not words[0].endswith("ss")
        and read_verb(words[0]) is None
    )
